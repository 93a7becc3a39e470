"""Small files that ask for much: pictures as an enemy makes them."""

from __future__ import annotations

import struct
import zlib

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes = b"", crc: int | None = None) -> bytes:
    """Returns a PNG's chunk, with its own checksum or another one."""
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", crc or zlib.crc32(body))


def png_header(width: int, height: int, depth: int = 8, color: int = 2) -> bytes:
    """Returns a PNG's beginning; colour 0 is grey, 2 RGB, 6 RGBA."""
    data = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return PNG_SIGNATURE + chunk(b"IHDR", data)


def png(
    width: int, height: int, *extra: bytes, color: tuple[int, int, int] = (200, 20, 20)
) -> bytes:
    """Returns a whole PNG of one colour, with some more chunks before its pixels."""
    rows = (b"\0" + bytes(color) * width) * height
    pixels = chunk(b"IDAT", zlib.compress(rows))
    return png_header(width, height) + b"".join(extra) + pixels + chunk(b"IEND")


def zeros(count: int) -> bytes:
    """Returns so many zeros, compressed without ever being there at once."""
    packer = zlib.compressobj(1)
    block = bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(count >> 20)]
    return b"".join([*parts, packer.compress(bytes(count & 0xFFFFF)), packer.flush()])


def one_bit_png(side: int) -> bytes:
    """Returns a whole PNG of black pixels, 1 bit each."""
    data = chunk(b"IDAT", zeros(side * (1 + (side + 7) // 8)))
    return png_header(side, side, depth=1, color=0) + data + chunk(b"IEND")


def jpeg_segment(marker: int, data: bytes) -> bytes:
    """Returns a JPEG's segment."""
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def jpeg(side: int, scans: int | None = None) -> bytes:
    """Returns a grey JPEG: baseline with hardly any data, or progressive with so many scans.

    Each table has one code, of one bit. In the progressive one the first scan has a bit for each
    block (no difference), the others the longest runs of blocks without coefficients.
    """
    frame = struct.pack(">BHHB3B", 8, side, side, 1, 1, 0x11, 0)
    start = b"\xff\xd8" + jpeg_segment(0xDB, bytes([0]) + bytes([1] * 64))
    start += jpeg_segment(0xC0 if scans is None else 0xC2, frame)
    # The codes' lengths, and the only symbol: no difference; or a run of 2^14 and 14 more bits.
    start += jpeg_segment(0xC4, bytes([0x00, 1, *[0] * 15, 0]))
    start += jpeg_segment(0xC4, bytes([0x10, 1, *[0] * 15, 0xE0]))
    if scans is None:
        return start + jpeg_segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + bytes(64) + b"\xff\xd9"
    blocks = ((side + 7) // 8) ** 2
    first = jpeg_segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bytes((blocks + 7) // 8)
    bits = "".join("0" + format(run - 0x4000, "014b") for run in runs(blocks))
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    other = jpeg_segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + data
    return start + first + other * (scans - 1) + b"\xff\xd9"


def runs(blocks: int) -> list[int]:
    """Divides blocks into runs of 2^14 to 2^15 - 1."""
    count = -(-blocks // 0x7FFF)
    return [blocks * (number + 1) // count - blocks * number // count for number in range(count)]


def gif(width: int, height: int, frames: int = 0) -> bytes:
    """Returns a GIF of red frames of 8 pixels a side, for a screen of any size."""
    palette = bytes([200, 20, 20, 0, 0, 0])
    # A clear code before each pixel keeps the codes at three bits; 4 clears, 5 ends.
    codes = [code for _ in range(64) for code in (4, 0)] + [5]
    packed = sum(code << (3 * place) for place, code in enumerate(codes))
    data = packed.to_bytes((3 * len(codes) + 7) // 8, "little")
    frame = b"," + struct.pack("<HHHHB", 0, 0, 8, 8, 0) + bytes([2, len(data)]) + data + b"\0"
    return (
        b"GIF89a"
        + struct.pack("<HHBBB", width, height, 0x80, 0, 0)
        + palette
        + frame * frames
        + b";"
    )


def tiff(width: int, height: int, following: int = 0) -> bytes:
    """Returns a red RGB TIFF of one strip, whose directory says where the next one is.

    Only the first 64 pixels are there.
    """
    pixels = bytes([200, 20, 20]) * 64
    count = 10
    place = 8 + 2 + 12 * count + 4
    entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 3, place),
        (259, 3, 1, 1),
        (262, 3, 1, 2),
        (273, 4, 1, place + 6),
        (277, 3, 1, 3),
        (278, 4, 1, height),
        (279, 4, 1, min(3 * width * height, 0xFFFFFFFF)),
        (284, 3, 1, 1),
    ]
    directory = struct.pack("<H", count)
    for tag, kind, number, value in entries:
        directory += struct.pack("<HHII", tag, kind, number, value)
    bits = struct.pack("<HHH", 8, 8, 8)
    return (
        b"II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", following) + bits + pixels
    )


def bmp_header(width: int, height: int) -> bytes:
    """Returns the 40 bytes that describe a bitmap of 24 bits a pixel."""
    return struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)


def bmp(width: int, height: int) -> bytes:
    """Returns a BMP with a few of its pixels."""
    return b"BM" + struct.pack("<IHHI", 200, 0, 0, 54) + bmp_header(width, height) + bytes(146)


def ico(width: int, height: int) -> bytes:
    """Returns an ICO whose entry says 256 and whose bitmap says otherwise."""
    data = bmp_header(width, height) + bytes(200)
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 0, 0, 0, 0, 1, 24, len(data), 22) + data


def webp(width: int, height: int) -> bytes:
    """Returns the 30 bytes of a WebP that has a frame's header only."""
    frame = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
    chunk = b"VP8 " + struct.pack("<I", len(frame)) + frame
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk
