"""Running programs that have to end in a while, with all that they have started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from .telling import printable

SECONDS = 30


class FailedError(Exception):
    """A program could not be started, has failed or did not end; says which and how."""


def run(
    command: Sequence[bytes], variables: Mapping[str, str] | None = None, seconds: float = SECONDS
) -> None:
    """Runs a program to its end; raises FailedError where it has not done what it is to do.

    After so many seconds it is ended, and so are the programs that it has started and waits for.
    Those that it leaves behind when it ends by itself go on.
    """
    name = printable(os.fsdecode(command[0]))
    try:
        process = subprocess.Popen(
            command,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise FailedError(f"{name}: {error.strerror}") from error
    try:
        status = process.wait(seconds)
    except BaseException as error:
        # An interruption as well: in a session of its own it is not told of Ctrl-C.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            raise FailedError(f"{name} has not ended after {seconds:.0f} s") from None
        raise
    if status > 0:
        raise FailedError(f"{name} has ended with status {status}")
    if status < 0:
        raise FailedError(f"{name} has been ended by signal {-status}")
