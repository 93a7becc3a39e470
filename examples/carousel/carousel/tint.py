"""The arithmetic of tinting."""

from __future__ import annotations


def tinted(pixels: bytes, color: str) -> bytes:
    """Gives every pixel of an RGBA image one colour, `#rrggbb`, and leaves it its alpha."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    result = bytearray(pixels)
    count = len(pixels) // 4
    result[0::4] = bytes([red]) * count
    result[1::4] = bytes([green]) * count
    result[2::4] = bytes([blue]) * count
    return bytes(result)
