"""A daemon on a socket of its own, for the scripts that draw the README's pictures."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = pathlib.Path(os.environ.get("UNDERTONE_BIN", ROOT / ".build/release")).absolute()


def photographs() -> pathlib.Path:
    """The folder of the photographs, which are fetched if they are not there."""
    names = subprocess.run(
        [ROOT / "scripts/photos"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return pathlib.Path(names.splitlines()[0]).parent


@contextlib.contextmanager
def private_daemon() -> Iterator[dict[str, str]]:
    """Starts a daemon, gives an environment in which it is found, and ends it."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "UNDERTONE_SOCKET": f"{home}/socket",
            "XDG_CACHE_HOME": f"{home}/cache",
        }
        daemon = subprocess.Popen([PROGRAMS / "undertoned"], env=environment)
        try:
            while not pathlib.Path(home, "socket").exists():
                if daemon.poll() is not None:
                    sys.exit("undertoned has ended")
                time.sleep(0.02)
            yield environment
        finally:
            daemon.terminate()
            daemon.wait()
