"""Files that are damaged or made to do damage: each costs its own answer."""

from __future__ import annotations

import os
import random
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import bombs, wcag
from .harness.faults import RED_COLOR, ask_badly, refused

if TYPE_CHECKING:
    from .harness.daemon import Daemon

FIXTURES = Path(__file__).parents[1] / "UndertoneDecodingTests/Fixtures"


# Files of nothing but these bytes, and the code that they get.
NO_PICTURES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "decode_failed"),
    "byte": (b"\x89", "unsupported_format"),
    "png": (b"\x89PNG\r\n\x1a\n", "decode_failed"),
    "jpeg": (b"\xff\xd8\xff", "decode_failed"),
    "gif": (b"GIF89a", "decode_failed"),
    "webp": (b"RIFF\0\0\0\0WEBP", "decode_failed"),
    "tiff": (b"II*\0", "decode_failed"),
    "pnm": (b"P6\n", "decode_failed"),
    "avif": (b"\0\0\0\x1cftypavif", "decode_failed"),
    "heic": (b"\0\0\0\x1cftypheic", "decode_failed"),
    # So little could be anything.
    "bmp": (b"BM", "unsupported_format"),
    "ico": (b"\0\0\1\0", "unsupported_format"),
    "svg": (b"<svg", "unsupported_format"),
    "random": (random.Random(1).randbytes(100_000), "unsupported_format"),
    "text": (b"It is a text, whatever its name says.\n" * 99, "unsupported_format"),
}


@pytest.mark.parametrize("name", NO_PICTURES)
def test_what_is_no_picture(shared: Daemon, directory: Path, name: str) -> None:
    data, code = NO_PICTURES[name]
    path = directory / "x.png"
    path.write_bytes(data)
    refused(shared, {code}, path=str(path))


SAVED: dict[str, dict[str, object]] = {
    "x.png": {},
    "x.jpg": {"quality": 90},
    "progressive.jpg": {"quality": 90, "progressive": True},
    "x.gif": {},
    "x.webp": {"quality": 90},
    "lossless.webp": {"lossless": True},
    "x.tif": {},
    "x.bmp": {},
    "x.ico": {"sizes": [(64, 64)], "bitmap_format": "bmp"},
    "x.ppm": {},
}
MADE = ["picture.avif", "picture.heic"]


@pytest.mark.parametrize("part", ["10 %", "50 %", "90 %", "99 %", "all but a byte"])
@pytest.mark.parametrize("name", [*SAVED, *MADE])
def test_a_cut_picture(shared: Daemon, directory: Path, name: str, part: str) -> None:
    if name.rpartition(".")[2] in {"avif", "heic", "webp"}:
        formats = shared.status()["formats"]
        if name.rpartition(".")[2] not in formats:
            pytest.skip(f"the loader of {name} is not installed")
    path = directory / name
    if name in SAVED:
        # Red grows to the right, the same in every row, so whichever rows are left have its mean.
        row = np.linspace(20, 230, 64).astype(np.uint8)
        picture = np.zeros((64, 64, 3), dtype=np.uint8)
        picture[..., 0] = row
        picture[..., 2] = 90
        Image.fromarray(picture).save(path, **SAVED[name])
        red, blue = float(row.mean()), 90.0
    else:
        path.write_bytes((FIXTURES / name).read_bytes())
        red, blue = 127, 64
    size = path.stat().st_size
    left = size - 1 if "byte" in part else size * int(part.split()[0]) // 100
    os.truncate(path, left)
    reply = ask_badly(shared, path=str(path))
    if "error" in reply:
        # Twelve bytes tell every format from the others.
        expected = "decode_failed" if left >= 12 else "unsupported_format"
        assert reply["error"]["code"] == expected
        return
    answer = reply["result"]
    sent = wcag.parse(answer["average"]["simple"])
    assert abs(sent[0] - red) < 4, (sent, red)
    assert abs(sent[2] - blue) < 4, (sent, blue)
    # What follows the pixels may be missing without any harm.
    assert not answer["image"]["complete"] or left > size * 0.98


def test_a_bad_checksum(shared: Daemon, directory: Path) -> None:
    path = directory / "x.png"
    whole = bombs.png(8, 8)
    header = bombs.png_header(8, 8)
    # Of the header: nothing after it can be believed.
    path.write_bytes(header[:-1] + bytes([header[-1] ^ 1]) + whole[len(header) :])
    refused(shared, {"decode_failed"}, path=str(path))
    # Of the pixels.
    rows = (b"\0" + bytes([200, 20, 20]) * 8) * 8
    pixels = bombs.chunk(b"IDAT", zlib.compress(rows), crc=1)
    path.write_bytes(header + pixels + bombs.chunk(b"IEND"))
    reply = ask_badly(shared, path=str(path))
    if "error" in reply:
        assert reply["error"]["code"] == "decode_failed"
    else:
        assert reply["result"]["background"] == RED_COLOR
        assert reply["result"]["image"]["complete"] is False


@pytest.mark.parametrize("kind", ["zTXt", "iCCP", "tEXt", "many tEXt"])
def test_what_a_png_carries_beside_its_pixels(shared: Daemon, directory: Path, kind: str) -> None:
    if kind in {"zTXt", "iCCP"}:
        # Hundreds of megabytes, in a few hundred kilobytes.
        more = bombs.chunk(kind.encode(), b"name\0\0" + bombs.zeros(600 << 20))
    elif kind == "tEXt":
        more = bombs.chunk(b"tEXt", b"name\0" + b"x" * (64 << 20))
    else:
        more = bombs.chunk(b"tEXt", b"name\0x") * 200_000
    path = directory / "x.png"
    path.write_bytes(bombs.png(8, 8, more))
    reply = ask_badly(shared, path=str(path))
    # It is no reason not to show the picture, nor to believe that it is whole.
    if "error" in reply:
        assert reply["error"]["code"] == "decode_failed"
    else:
        assert reply["result"]["background"] == RED_COLOR
