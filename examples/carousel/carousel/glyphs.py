"""The image that marks the current page, in its own colours or tinted."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache

from undertone import Drawing

from .questions import Choice
from .tint import tinted
from .toolkit import Gdk, GdkPixbuf, GLib

REASONS = {
    "severalColors": "In its own colors: a tint would lose them",
    "opaqueBlock": "In its own colors: a tint would make a blank of it",
    "shapeOnly": "Tinted: it is a shape in one colour",
    "tooLittleContrast": "Tinted: too little of it could be told from the strip",
}


class Glyph:
    """An image of at most `size` pixels each way; raises GLib.Error where it cannot be read."""

    def __init__(self, path: bytes, size: int) -> None:
        pixbuf = GdkPixbuf.Pixbuf.new_from_file_at_size(os.fsdecode(path), size, size)
        self._pixbuf = pixbuf.add_alpha(False, 0, 0, 0)
        self.width: int = self._pixbuf.get_width()
        self.height: int = self._pixbuf.get_height()
        self.original = self._texture(self._pixbuf.get_pixels())
        # The tints of a fade, and no more.
        self.tinted: Callable[[str], Gdk.Texture] = lru_cache(maxsize=64)(self._tinted)

    def _tinted(self, color: str) -> Gdk.Texture:
        return self._texture(tinted(self._pixbuf.get_pixels(), color))

    def _texture(self, pixels: bytes) -> Gdk.Texture:
        return Gdk.MemoryTexture.new(
            self.width,
            self.height,
            Gdk.MemoryFormat.R8G8B8A8,
            GLib.Bytes.new(pixels),
            self._pixbuf.get_rowstride(),
        )


def is_tinted(choice: Choice, drawing: Drawing | None) -> bool:
    """Whether the glyph is tinted: by hand, or as the daemon says; if it does not, to be safe."""
    if choice == "automatic":
        return drawing is None or drawing.style == "tint"
    return choice == "tint"


def reason(choice: Choice, drawing: Drawing | None) -> str:
    """Says in a sentence why the glyph is drawn as it is."""
    if choice != "automatic":
        return "Tinted, as you chose" if choice == "tint" else "In its own colors, as you chose"
    if drawing is None:
        return "Tinted: nobody could tell how its own colors look here"
    manner = "Tinted" if drawing.style == "tint" else "In its own colors"
    return REASONS.get(drawing.reason, f"{manner}: {drawing.reason}")
