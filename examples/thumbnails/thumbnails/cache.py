"""The thumbnails that the desktop keeps: where they are, and which picture one is of.

After the Thumbnail Managing Standard of freedesktop.org, version 0.9.
"""

from __future__ import annotations

import contextlib
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

SIZES = ("normal", "large", "x-large", "xx-large")
# What comes before a thumbnail's pixels is far less.
LONGEST_HEADER = 1 << 16
# Of a URI: each byte of a path may be three there.
LONGEST_TEXT = 3 * 4096 + 16

_NAME = re.compile(r"[0-9a-f]{32}\.png")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders of all sizes, which are made where they are missing, so as to be watched."""
    named = environment.get("XDG_CACHE_HOME", "")
    cache = Path(named) if named.startswith("/") else Path.home() / ".cache"
    cache.mkdir(parents=True, exist_ok=True)
    found = [cache / "thumbnails" / size for size in SIZES]
    for folder in (found[0].parent, *found):
        folder.mkdir(mode=0o700, exist_ok=True)
    return found


def is_thumbnail(name: str) -> bool:
    """Whether a file is named as a thumbnail, and not as one that is still written."""
    return _NAME.fullmatch(name) is not None


def picture_of(thumbnail: Path) -> str | None:
    """The URI of the picture that a thumbnail is of; None where it does not tell."""
    try:
        with thumbnail.open("rb") as file:
            header = file.read(LONGEST_HEADER)
    except OSError:
        return None  # Replaced or deleted again.
    for keyword, text in _texts(header):
        if keyword == b"Thumb::URI":
            return text.decode("latin-1")
    return None


def _texts(header: bytes) -> Iterator[tuple[bytes, bytes]]:
    """A PNG's texts as far as they precede its pixels, and are whole."""
    if not header.startswith(_SIGNATURE):
        return
    place = len(_SIGNATURE)
    while place + 8 <= len(header):
        length, kind = struct.unpack_from(">I4s", header, place)
        data = header[place + 8 : place + 8 + length]
        if kind == b"IDAT" or len(data) < length:
            return
        keyword, _, text = data.partition(b"\0")
        if kind == b"tEXt":
            yield keyword, text
        elif kind == b"zTXt":
            # Qt compresses what is longer than a few words. A byte for the method precedes it.
            with contextlib.suppress(zlib.error):
                yield keyword, zlib.decompressobj().decompress(text[1:], LONGEST_TEXT)
        place += 12 + length
