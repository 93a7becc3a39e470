"""Starting the daemon where none runs."""

from __future__ import annotations

import contextlib
import os
import subprocess

from ._options import Path

# The command gives up a daemon that does not answer after five.
_SECONDS = 15


def start_daemon(socket_path: Path) -> None:
    """Has the command `undertone` start a daemon for a socket; whether it does is not told."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            # Whoever asks for its state starts it.
            [b"undertone", b"status", b"--socket", os.fsencode(socket_path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
