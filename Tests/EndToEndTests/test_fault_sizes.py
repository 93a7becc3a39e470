"""Pictures that are too large, or say that they are: refused before anything is allocated."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from .harness import bombs
from .harness.faults import RED_COLOR, Peak, refused, unharmed, witness

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .harness.daemon import Daemon

# What a child may hold while it refuses: the libraries and the file, but no picture.
REFUSAL_BYTES = 64 << 20

LARGE = "image_too_large"
BAD = "decode_failed"


def header_only(width: int, height: int) -> bytes:
    return bombs.png_header(width, height, color=6) + bombs.chunk(b"IEND")


SIZES: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "png 50000 of 1 bit": (lambda: bombs.one_bit_png(50_000), {LARGE}),
    "png 60000 without pixels": (lambda: header_only(60_000, 60_000), {LARGE}),
    "png 0": (lambda: header_only(0, 0), {BAD}),
    "png 2^31 - 1": (lambda: header_only(0x7FFFFFFF, 0x7FFFFFFF), {LARGE}),
    "png 2^31": (lambda: header_only(1 << 31, 1 << 31), {BAD, LARGE}),
    "png 2^31 high": (lambda: header_only(1, 1 << 31), {BAD, LARGE}),
    "png one above the cap": (lambda: header_only(5_882_353, 17), {LARGE}),
    "jpeg 65500": (lambda: bombs.jpeg(65_500), {LARGE}),
    "progressive jpeg 65500": (lambda: bombs.jpeg(65_500, scans=2), {LARGE}),
    "gif 65535": (lambda: bombs.gif(65_535, 65_535), {LARGE}),
    "gif 65535 with a frame": (lambda: bombs.gif(65_535, 65_535, 1), {LARGE}),
    "tiff 50000": (lambda: bombs.tiff(50_000, 50_000), {LARGE}),
    "tiff 2^32 - 1": (lambda: bombs.tiff(0xFFFFFFFF, 0xFFFFFFFF), {LARGE, BAD}),
    "ppm 60000": (lambda: b"P6 60000 60000 255\n" + bytes(100), {LARGE}),
    "ppm 2^31": (lambda: b"P6 2147483648 2147483648 255\n" + bytes(100), {LARGE, BAD}),
    "bmp 65535": (lambda: bombs.bmp(65_535, 65_535), {LARGE}),
    "bmp 2^31 - 1": (lambda: bombs.bmp(0x7FFFFFFF, 0x7FFFFFFF), {LARGE, BAD}),
    "ico 60000": (lambda: bombs.ico(60_000, 120_000), {LARGE, BAD}),
    "webp 16383": (lambda: bombs.webp(16_383, 16_383), {LARGE}),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_giant_is_refused(shared: Daemon, directory: Path, name: str) -> None:
    make, codes = SIZES[name]
    path = directory / "giant"
    path.write_bytes(make())
    with Peak(shared) as peak:
        refused(shared, codes, path=str(path))
    assert peak.bytes < REFUSAL_BYTES


def test_a_giant_is_refused_by_its_beginning(shared: Daemon, directory: Path) -> None:
    path = directory / "giant"
    path.write_bytes(header_only(60_000, 60_000))
    os.truncate(path, 200 << 20)
    with Peak(shared) as peak:
        refused(shared, {LARGE}, path=str(path))
    # The rest of the file was never in memory.
    assert peak.bytes < REFUSAL_BYTES


def test_the_detector_of_memory_detects(shared: Daemon, directory: Path) -> None:
    path = directory / "allowed"
    # 64 million grey pixels, kept as coefficients of two bytes each.
    path.write_bytes(bombs.jpeg(8000, scans=20))
    with Peak(shared) as peak:
        shared.ask(path=str(path), sampling="exact")
    assert peak.bytes > REFUSAL_BYTES


def test_what_is_just_allowed_is_begun(shared: Daemon, directory: Path) -> None:
    path = directory / "cap"
    # As many pixels as are allowed, none of them there.
    path.write_bytes(bombs.png_header(10_000, 10_000, depth=1, color=0))
    refused(shared, {BAD}, path=str(path))


def test_a_thousand_scans(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    path = directory / "scans.jpg"
    path.write_bytes(bombs.jpeg(8000, scans=1000))
    # Every pixel of every scan: it is late, and nobody waits for it longer.
    impatient = make_daemon(arguments=["--deadline", "2"]).start()
    refused(impatient, {"timeout"}, path=str(path), sampling="exact")
    # For the mean the first scan is enough.
    patient = make_daemon(arguments=["--deadline", "60"]).start()
    with patient.connect(timeout=60) as connection:
        assert connection.ask(path=str(path))["result"]["background"] == "#808080"


def test_sixty_four_thousand_frames(shared: Daemon, directory: Path) -> None:
    path = directory / "frames.gif"
    path.write_bytes(bombs.gif(8, 8, 64_000))
    with unharmed(shared), shared.connect() as connection:
        connection.send(path=str(path))
        witness(shared)
        assert connection.receive()["result"]["background"] == RED_COLOR


def test_a_directory_that_follows_itself(shared: Daemon, directory: Path) -> None:
    path = directory / "loop.tif"
    path.write_bytes(bombs.tiff(8, 8, following=8))
    with unharmed(shared), shared.connect() as connection:
        connection.send(path=str(path))
        witness(shared)
        assert connection.receive()["result"]["background"] == RED_COLOR
