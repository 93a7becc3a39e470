"""What the kernel remembers of where paths lead. Only root may have it forget."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_OPENAT2 = 437
_AT_FDCWD = -100
_RESOLVE_CACHED = 0x20


class NoForgettingError(Exception):
    """The kernel does not forget, or not for this user."""


def known(path: Path) -> bool:
    """Whether the kernel can tell where a path leads without asking a disk."""
    how = struct.pack("=QQQ", os.O_PATH | os.O_CLOEXEC, 0, _RESOLVE_CACHED)
    descriptor = _LIBC.syscall(_OPENAT2, _AT_FDCWD, os.fsencode(path), how, len(how))
    if descriptor >= 0:
        os.close(descriptor)
        return True
    number = ctypes.get_errno()
    if number != errno.EAGAIN:
        raise OSError(number, os.strerror(number), str(path))
    return False


def forget(path: Path) -> None:
    """Has the kernel forget all names, as after a boot, until a path is among them."""
    for _ in range(10):
        try:
            Path("/proc/sys/vm/drop_caches").write_text("2")
        except OSError as error:
            raise NoForgettingError(f"names cannot be forgotten: {error}") from None
        if not known(path):
            return
    raise NoForgettingError("names are not forgotten on this file system")
