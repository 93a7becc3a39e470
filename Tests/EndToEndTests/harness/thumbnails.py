"""Thumbnails as the desktop keeps them (freedesktop.org, Thumbnail Managing Standard)."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from PIL.PngImagePlugin import PngInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL.Image import Image

# What GLib leaves as it is in a file's URI, besides letters, digits and `_.-~`.
UNESCAPED = "!$&'()*+,/:=@"


def uri_of(path: Path | bytes) -> str:
    """The URI of an absolute path as GLib spells it."""
    return "file://" + quote(os.fsencode(path), safe=UNESCAPED)


def thumbnail_path(cache: Path, uri: str, folder: str = "large") -> Path:
    """Where the thumbnail of a URI lies below a cache directory."""
    return cache / "thumbnails" / folder / (hashlib.md5(uri.encode()).hexdigest() + ".png")


def keys_of(path: Path | bytes, uri: str | None = None) -> dict[str, str]:
    """The keys that a thumbnailer writes for a picture as it is now."""
    found = Path(os.fsdecode(path)).stat()
    return {
        "Thumb::URI": uri or uri_of(path),
        "Thumb::MTime": str(found.st_mtime_ns // 1_000_000_000),
        "Thumb::Size": str(found.st_size),
    }


def put_thumbnail(
    cache: Path,
    picture: Path | bytes,
    thumbnail: Image,
    folder: str = "large",
    keys: Mapping[str, str | None] | None = None,
    uri: str | None = None,
    compressed: bool = False,
) -> Path:
    """Keeps a picture's thumbnail, with some keys otherwise or, where they are None, left out."""
    text = PngInfo()
    values: dict[str, str | None] = {**keys_of(picture, uri)}
    values.update(keys or {})
    for key, value in values.items():
        if value is not None:
            text.add_text(key, value, zip=compressed)
    path = thumbnail_path(cache, uri or uri_of(picture), folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    thumbnail.save(path, pnginfo=text)
    return path
