"""A picture whose decoders wait for as long as a test wants."""

from __future__ import annotations

import fcntl
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


# For how many seconds a client may wait for what is not held: less than the kernel's patience.
MOMENT = 30


class NoLeaseError(Exception):
    """The file's filesystem has no leases."""


class Held:
    """A file that nobody else gets to open until `release`, or until the kernel loses patience.

    That is after 45 seconds. A daemon under test must give its decoders as much.
    """

    def __init__(self, path: Path) -> None:
        """Takes a lease on a file that there is."""
        self.path = path
        # Whoever opens it has the kernel signal us, which would end us.
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        self._file: int | None = os.open(path, os.O_RDWR)
        try:
            fcntl.fcntl(self._file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError as error:
            self.release()
            raise NoLeaseError from error

    def release(self) -> None:
        """Lets those who wait open it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
