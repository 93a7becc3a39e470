"""A file system that hangs, for as long as a block runs."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "Support/hanging-mount"
MNT_DETACH = 2

libc = ctypes.CDLL(None, use_errno=True)


class NoFuseError(Exception):
    """This machine has no FUSE, or not for this user."""


class HangingMount:
    """A mount of which nothing is ever answered; at the block's end all who wait are let go.

    Nobody but the daemon's children may touch a path in it: whoever does hangs, too.
    """

    def __init__(self, directory: Path, hangs_at: str = "lookup") -> None:
        """Describes a mount on an empty directory that is made for it."""
        self.directory = directory
        self._hangs_at = hangs_at
        self._connection = ""
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> HangingMount:
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            raise NoFuseError("there is no /dev/fuse for this user")
        self.directory.mkdir()
        self._server = subprocess.Popen(
            [sys.executable, PROGRAM, self.directory, self._hangs_at],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._server.stdout is not None
        self._connection = self._server.stdout.readline().strip()
        if not self._connection:
            self._server.wait()
            raise NoFuseError("this user may not mount")
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Ends the connection, so that all who wait for it get an error, and unmounts."""
        if self._server is None:
            return
        self._abort()
        # The last who held the connection: even where the abort failed it is over now.
        self._server.kill()
        self._server.wait()
        self._server = None
        libc.umount2(os.fsencode(self.directory), MNT_DETACH)
        self.directory.rmdir()

    def _abort(self) -> None:
        with tempfile.TemporaryDirectory(prefix="ut-") as control:
            if libc.mount(b"fusectl", os.fsencode(control), b"fusectl", 0, None) < 0:
                return
            try:
                (Path(control) / self._connection / "abort").write_text("1")
            except OSError:
                pass
            finally:
                libc.umount2(os.fsencode(control), MNT_DETACH)
