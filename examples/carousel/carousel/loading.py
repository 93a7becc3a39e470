"""Decodes pictures away from the main thread, at the size at which they are shown."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from typing import NamedTuple

from .toolkit import Gdk, GdkPixbuf, Gio, on_main
from .worker import Worker

# As many as undertoned itself decodes: more would take all memory.
MAXIMUM_PIXELS = 100_000_000


class Wish(NamedTuple):
    """A picture to be shown in a place of `width` times `height` pixels of the display."""

    path: bytes
    width: int
    height: int


class UnshownError(Exception):
    """A picture that cannot be shown; the message, for people, says why."""


class Loader:
    """Loads what is wanted, on a thread of its own: a Gdk.Texture, or the error instead."""

    def __init__(self, deliver: Callable[[Wish, Gdk.Texture | Exception], None]) -> None:
        self._cancellable = Gio.Cancellable()
        self._worker = Worker(self._load, deliver, self._cancel, on_main)
        self.want = self._worker.want
        self.stop = self._worker.stop

    def _load(self, wish: Wish, is_wanted: Callable[[], bool]) -> Gdk.Texture:
        # On Linux a thread's own: drawing goes first.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        self._cancellable = cancellable = Gio.Cancellable()
        if not is_wanted():
            cancellable.cancel()
        return load(wish, cancellable)

    def _cancel(self) -> None:
        self._cancellable.cancel()


def load(wish: Wish, cancellable: Gio.Cancellable) -> Gdk.Texture:
    """Decodes a picture upright and no larger than its place; raises what GLib or Python does."""
    # A FIFO would keep the thread waiting for its writer.
    if not stat.S_ISREG(os.stat(wish.path).st_mode):  # noqa: PTH116 (pathlib knows no bytes)
        raise UnshownError("It is not a file.")
    name = os.fsdecode(wish.path)
    kind, width, height = GdkPixbuf.Pixbuf.get_file_info(name)
    if kind and width * height > MAXIMUM_PIXELS:
        raise UnshownError(f"It has {width} by {height} pixels, which is too many.")
    # Upright or not is known only when it is loaded: large enough for either.
    scale = max(
        fitting(width, height, wish.width, wish.height),
        fitting(height, width, wish.width, wish.height),
    )
    stream = Gio.File.new_for_path(name).read(cancellable)
    if kind and scale < 1:
        size = (round(width * scale) or 1, round(height * scale) or 1)
        pixbuf = GdkPixbuf.Pixbuf.new_from_stream_at_scale(stream, *size, False, cancellable)
    else:
        pixbuf = GdkPixbuf.Pixbuf.new_from_stream(stream, cancellable)
    stream.close()
    pixbuf = pixbuf.apply_embedded_orientation()
    width, height = pixbuf.get_width(), pixbuf.get_height()
    scale = fitting(width, height, wish.width, wish.height)
    if scale < 1:
        pixbuf = pixbuf.scale_simple(
            round(width * scale) or 1, round(height * scale) or 1, GdkPixbuf.InterpType.BILINEAR
        )
    return texture(pixbuf)


def fitting(width: int, height: int, room_width: int, room_height: int) -> float:
    """How much smaller a picture must be to fit, 1 where it does as it is."""
    return min(1.0, room_width / max(1, width), room_height / max(1, height))


def texture(pixbuf: GdkPixbuf.Pixbuf) -> Gdk.Texture:
    """Hands a picture's pixels to GTK as they are, without copying."""
    alpha = pixbuf.get_has_alpha()
    return Gdk.MemoryTexture.new(
        pixbuf.get_width(),
        pixbuf.get_height(),
        Gdk.MemoryFormat.R8G8B8A8 if alpha else Gdk.MemoryFormat.R8G8B8,
        pixbuf.read_pixel_bytes(),
        pixbuf.get_rowstride(),
    )
