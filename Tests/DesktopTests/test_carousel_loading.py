"""How the carousel decodes pictures: upright, and no larger than they are shown."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from EndToEndTests.harness.bombs import one_bit_png
from EndToEndTests.harness.daemon import ROOT
from PIL import Image, ImageChops, ImageOps, ImageStat

from .carousel import require_toolkit

ORIENTED = ROOT / "Tests/EndToEndTests/cases/26-exif-orientation-1-to-8"

# GTK stays out of the tests' own process.
PROGRAM = """
import os, sys
sys.path[:0] = sys.argv[1:3]
from carousel.loading import Wish, load
from carousel.toolkit import Gio
path, width, height, output = sys.argv[3:]
try:
    texture = load(Wish(os.fsencode(path), int(width), int(height)), Gio.Cancellable())
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
texture.save_to_png(output)
"""


@pytest.fixture(autouse=True)
def _toolkit() -> None:
    require_toolkit()


def shown(path: str | Path, size: tuple[int, int], output: Path) -> Image.Image | str:
    """What is shown of a picture in a place of this size, or the error instead."""
    modules = [str(ROOT / "examples" / name) for name in ("python", "carousel")]
    arguments = [*modules, str(path), *map(str, size), str(output)]
    environment = {name: os.environ[name] for name in os.environ if name != "DISPLAY"}
    done = subprocess.run(
        ["/usr/bin/python3", "-c", PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    with Image.open(output) as image:
        return image.convert("RGBA")


def far(one: Image.Image, other: Image.Image) -> float:
    """The mean distance of two pictures' pixels, 0 to 255."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    means: list[float] = ImageStat.Stat(difference).mean
    return max(means)


@pytest.mark.parametrize("orientation", [1, 2, 6, 7])
def test_pictures_are_upright(tmp_path: Path, orientation: int) -> None:
    """Whichever way the camera was held, at their own size and when they are made smaller."""
    path = ORIENTED / f"o{orientation}.jpg"
    with Image.open(path) as image:
        upright = ImageOps.exif_transpose(image)
    for size, expected in (((500, 500), upright.size), ((16, 100), (16, 32))):
        image = shown(path, size, tmp_path / "shown.png")
        assert isinstance(image, Image.Image), image
        assert image.size == expected
        assert far(image, upright.resize(expected, Image.Resampling.BOX)) < 6


def test_pictures_are_made_smaller_to_fit(tmp_path: Path) -> None:
    """Into either side, never larger, and never to nothing; with alpha as it is."""
    path = tmp_path / os.fsdecode(b"odd\n\xff.png")
    for size, place, expected in (
        ((90, 60), (45, 100), (45, 30)),
        ((90, 60), (100, 20), (30, 20)),
        ((90, 60), (90, 60), (90, 60)),
        ((2000, 1), (100, 100), (100, 1)),
    ):
        Image.new("RGBA", size, (200, 20, 40, 128)).save(path)
        image = shown(path, place, tmp_path / "shown.png")
        assert isinstance(image, Image.Image), image
        assert image.size == expected
        assert image.getcolors() == [(expected[0] * expected[1], (200, 20, 40, 128))]


def test_what_cannot_be_shown_is_said(tmp_path: Path) -> None:
    """Without waiting, and without taking all memory."""
    os.mkfifo(tmp_path / "fifo.png")
    (tmp_path / "bomb.png").write_bytes(one_bit_png(30000))
    (tmp_path / "empty.png").touch()
    output = tmp_path / "shown.png"
    assert shown(tmp_path / "fifo.png", (9, 9), output) == "UnshownError: It is not a file."
    assert "30000 by 30000 pixels" in str(shown(tmp_path / "bomb.png", (9, 9), output))
    assert "Unrecognized image file format" in str(shown(tmp_path / "empty.png", (9, 9), output))
    assert "FileNotFoundError" in str(shown(tmp_path / "missing.png", (9, 9), output))
    assert not output.exists()
