#!/usr/bin/env python3
"""Makes the pictures in this folder, which the tests cannot write themselves.

Needs Pillow 11.3 or newer with WebP and AVIF, NumPy, and the programs `cjpeg`
(libjpeg-turbo-progs) and `heif-enc` (libheif-examples). Run it in this folder:

    python3 generate.py

Every picture but the flat ones is `ramp`: red grows from left to right, green
from top to bottom, blue is 64 (or 64 on average), so that a test can tell from
a mean which rows it is of.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image


def ramp(width: int, height: int) -> Image.Image:
    """A picture whose red grows from left to right, and its green from top to bottom."""
    y, x = np.mgrid[0:height, 0:width]
    red = x * 255 // (width - 1)
    green = y * 255 // (height - 1)
    return Image.fromarray(np.dstack([red, green, np.full_like(x, 64)]).astype(np.uint8))


def noise(side: int) -> Image.Image:
    """Gray noise that no encoder makes small, of which each column has a mean of 128."""
    random = np.random.default_rng(2)
    upper = random.integers(64, 193, (side // 2, side))
    return Image.fromarray(np.vstack([upper, 256 - upper]).astype(np.uint8))


def cjpeg(image: Image.Image, name: str, *options: str) -> None:
    """Writes a JPEG with libjpeg-turbo's own options; `-scans` comes first, with a script."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source.ppm")
        image.save(source)
        scans = Path(folder, "scans.txt")
        if options and options[0] == "-scans":
            scans.write_text(options[1])
            options = ("-scans", str(scans), *options[2:])
        Path(name).write_bytes(subprocess.check_output(["cjpeg", *options, str(source)]))


def first_coefficients() -> None:
    """Progressive JPEGs of blocks that differ much, whose first coefficients come in all ways."""
    random = np.random.default_rng(1)
    blocks = random.integers(0, 256, (16, 21, 3)).repeat(8, 0).repeat(8, 1)[:123, :163]
    y, x = np.mgrid[0:123, 0:163]
    slope = (x * 3 + y * 5) % 16 - 8
    picture = Image.fromarray(np.clip(blocks + slope[..., None], 0, 255).astype(np.uint8))
    rest = "".join(f"{component}: 1-63, 0, 0;\n" for component in range(3))
    refined = "".join(
        f"{component}: 0-0, {high}, {high - 1};\n" for high in (2, 1) for component in range(3)
    )
    alone = "0: 0-0, 0, 2;\n2: 0-0, 0, 2;\n1: 0-0, 0, 2;\n"
    pairs = "1 2: 0-0, 0, 1;\n0: 0-0, 0, 0;\n1 2: 0-0, 1, 0;\n"
    variants: dict[str, tuple[str, ...]] = {
        "420": ("-progressive", "-sample", "2x2"),
        "444-alone": ("-scans", alone + refined + rest, "-sample", "1x1"),
        "420-alone": ("-scans", alone + refined + rest, "-sample", "2x2"),
        "420-pairs": ("-scans", pairs + rest, "-sample", "2x2"),
        "422-restart": ("-progressive", "-sample", "2x1", "-restart", "1"),
        "420-alone-restart": ("-scans", alone + refined + rest, "-restart", "7B"),
        "411": ("-progressive", "-sample", "4x1", "-restart", "2B"),
        "410": ("-progressive", "-sample", "4x2"),
        "440": ("-progressive", "-sample", "1x2"),
        "wide-colors": ("-progressive", "-sample", "1x1,2x1,1x2"),
        "gray": ("-progressive", "-grayscale", "-sample", "2x2", "-restart", "5B"),
        # Of 1, its quantization has steps of two bytes.
        "coarse": ("-progressive",),
        "fine": ("-progressive",),
    }
    for name, options in variants.items():
        quality = {"coarse": "1", "fine": "95"}.get(name, "40")
        cjpeg(picture, f"first-{name}.jpg", *options, "-quality", quality)
    # The program makes no pictures of inks.
    inks = Image.merge("CMYK", (*picture.split(), picture.getchannel(0).rotate(180)))
    file = Path("first-cmyk.jpg")
    inks.save(file, quality=40, progressive=True, subsampling="4:2:0")
    data = file.read_bytes()
    transform = data.index(b"Adobe") + 11
    Path("first-ycck.jpg").write_bytes(data[:transform] + b"\2" + data[transform + 1 :])


def display_p3() -> bytes:
    """A version 4 matrix profile of Display P3: D65 primaries adapted to D50, sRGB's curve."""

    def s15(*values: float) -> bytes:
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    curve = b"para\0\0\0\0" + struct.pack(">HH", 3, 0)
    curve += s15(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

    def text(string: str) -> bytes:
        body = string.encode("utf-16-be")
        return b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(body), 28) + body

    def xyz(*values: float) -> bytes:
        return b"XYZ \0\0\0\0" + s15(*values)

    tags = [
        (b"desc", text("Display P3")),
        (b"cprt", text("CC0")),
        (b"wtpt", xyz(0.9642, 1.0, 0.82491)),
        (b"rXYZ", xyz(0.51512, 0.2412, -0.00105)),
        (b"gXYZ", xyz(0.29198, 0.69225, 0.04189)),
        (b"bXYZ", xyz(0.1571, 0.06657, 0.78407)),
        (b"rTRC", curve),
        (b"gTRC", curve),
        (b"bTRC", curve),
    ]
    table = struct.pack(">I", len(tags))
    data = b""
    start = 128 + 4 + 12 * len(tags)
    for tag, body in tags:
        body += bytes(-len(body) % 4)
        table += tag + struct.pack(">II", start + len(data), len(body))
        data += body
    size = struct.pack(">I4sI", start + len(data), b"\0\0\0\0", 0x04300000)
    header = size + b"mntrRGB XYZ " + struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp"
    header += bytes(28) + s15(0.9642, 1.0, 0.82491)
    return header + bytes(128 - len(header)) + table + data


def main() -> None:
    """Writes all the pictures."""
    picture = ramp(128, 96)
    quality = ("-quality", "85")
    cjpeg(picture, "baseline.jpg", *quality)
    cjpeg(picture, "restart.jpg", *quality, "-restart", "1")
    cjpeg(picture, "progressive.jpg", *quality, "-progressive")
    cjpeg(picture, "gray.jpg", *quality, "-grayscale")
    cjpeg(picture, "arithmetic.jpg", *quality, "-arithmetic")
    # More than the 64 KiB that the loader hands on at once.
    cjpeg(noise(352), "large-arithmetic.jpg", "-quality", "90", "-arithmetic")
    cjpeg(picture, "sequential-scans.jpg", "-scans", "0;\n1;\n2;\n", *quality)
    cjpeg(
        picture,
        "separate-first-scans.jpg",
        "-scans",
        "0: 0-0, 0, 1;\n1: 0-0, 0, 1;\n2: 0-0, 0, 1;\n"
        "0: 1-63, 0, 0;\n1: 1-63, 0, 0;\n2: 1-63, 0, 0;\n"
        "0: 0-0, 1, 0;\n1: 0-0, 1, 0;\n2: 0-0, 1, 0;\n",
        *quality,
    )
    # Large enough to be decoded at a quarter and at an eighth of the size, which divide no side.
    cjpeg(ramp(1921, 257), "quarter.jpg", "-quality", "40")
    y, x = np.mgrid[0:515, 0:3847]
    stairs = Image.fromarray(((x // 64 * 4 + y // 64 * 8) % 256).astype(np.uint8))
    cjpeg(stairs, "eighth-progressive.jpg", "-quality", "60", "-grayscale", "-progressive")
    Image.new("CMYK", (16, 16), (128, 64, 0, 51)).save("cmyk.jpg", quality=95)
    first_coefficients()

    picture.save("lossy.webp", quality=80)
    noisy = np.array(picture)
    y, x = np.mgrid[0:96, 0:128]
    noisy[..., 2] = (x * 7919 + y * 104729 + x * y * 31) % 129
    Image.fromarray(noisy).save("lossless.webp", lossless=True)
    half = np.zeros((16, 16, 4), np.uint8)
    half[:, :8] = (255, 0, 0, 128)
    half[:, 8:] = (0, 0, 255, 255)
    Image.fromarray(half).save("alpha.webp", lossless=True, exact=True)
    Image.fromarray(half).save("alpha.avif", quality=100, subsampling="4:4:4")

    frames = [Image.new("RGB", (40, 30), c) for c in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    more: dict[str, Any] = {"save_all": True, "append_images": frames[1:]}
    frames[0].save("animation.webp", lossless=True, **more)
    frames[0].save("animation.gif", **more)
    frames[0].save("sequence.avif", quality=90, **more)
    indexed = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=64)
    indexed.save("picture.gif", interlace=0)
    indexed.save("interlaced.gif", interlace=1)

    picture.save("picture.avif", quality=80)
    profile = display_p3()
    Path("display-p3.icc").write_bytes(profile)
    flat = Image.new("RGB", (16, 16), (210, 90, 60))
    flat.save("display-p3.avif", quality=100, subsampling="4:4:4", icc_profile=profile)
    turned = ramp(64, 48).rotate(90, expand=True)
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save("turned.avif", quality=90, subsampling="4:4:4", exif=exif)

    with tempfile.TemporaryDirectory() as folder:
        heics: tuple[tuple[str, Image.Image, dict[str, Any]], ...] = (
            ("picture.heic", picture, {}),
            ("display-p3.heic", flat.resize((64, 64)), {"icc_profile": profile}),
        )
        for name, image, options in heics:
            source = Path(folder, "source.png")
            image.save(source, **options)
            subprocess.check_call(["heif-enc", "-q", "80", str(source), "-o", name])


if __name__ == "__main__":
    main()
