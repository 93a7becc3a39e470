"""Mounts of memory for tests. Only root may."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBC = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def memory(place: Path, size: str = "50%") -> Iterator[None]:
    """Mounts an empty file system over a directory: of a size as tmpfs takes it."""
    options = f"mode=755,size={size}".encode()
    if _LIBC.mount(b"tmpfs", os.fsencode(place), b"tmpfs", 0, options) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(place))
    try:
        yield
    finally:
        _LIBC.umount2(os.fsencode(place), 0)


@functools.cache
def allowed() -> bool:
    """Whether this process may."""
    with tempfile.TemporaryDirectory(prefix="ut-") as name:
        try:
            with memory(Path(name)):
                return True
        except OSError:
            return False
