"""Line art in JPEG, whose mean a decoder at a fraction of the size gets wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from .harness import wcag

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.float64]

PANGRAM = "The quick brown fox jumps over the lazy dog 0123456789 "
BLACK, WHITE, RED = (0, 0, 0), (255, 255, 255), (255, 0, 0)


def write_page(
    path: Path,
    size: tuple[int, int],
    ink: tuple[int, int, int],
    paper: tuple[int, int, int],
    *,
    quality: int,
    progressive: bool = False,
) -> None:
    """Fills a picture with small print."""
    image = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(image)
    text = PANGRAM * (size[0] // 300)
    for y in range(0, size[1], 12):
        draw.text((5, y), text, font=ImageFont.load_default(), fill=ink)
    image.save(path, quality=quality, subsampling=2, progressive=progressive)


def mean(path: Path, fraction: int = 1) -> Pixels:
    """Returns the mean colour of all pixels, or of a fraction of them along each axis."""
    with Image.open(path) as image:
        if fraction > 1:
            image.draft("RGB", (image.width // fraction, image.height // fraction))
        pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    color: Pixels = pixels.reshape(-1, 3).mean(axis=0)
    return color


@pytest.mark.parametrize(
    ("size", "fraction", "progressive"),
    [((1928, 800), 4, False), ((3840, 640), 8, False), ((3840, 640), 8, True)],
)
@pytest.mark.parametrize(
    ("ink", "paper"), [(BLACK, WHITE), (WHITE, BLACK), (RED, BLACK), (RED, WHITE)]
)
def test_simple_is_the_mean_of_a_page_of_text(
    shared: Daemon,
    directory: Path,
    size: tuple[int, int],
    fraction: int,
    progressive: bool,
    ink: tuple[int, int, int],
    paper: tuple[int, int, int],
) -> None:
    path = directory / "page.jpg"
    write_page(path, size, ink, paper, quality=40, progressive=progressive)
    expected = mean(path)
    # Otherwise this would test nothing.
    assert np.abs(mean(path, fraction) - expected).max() > 1.5

    with shared.connect(timeout=60) as connection:
        answer = connection.ask(path=str(path))["result"]
    assert answer["image"]["complete"]
    assert answer["image"]["sampling"] == "auto"
    sent = np.array(wcag.parse(answer["average"]["simple"]))
    assert np.abs(sent - expected).max() <= 1


@pytest.mark.parametrize("width", [1, 2, 5, 12])
@pytest.mark.parametrize("subsampling", [1, 2])
@pytest.mark.parametrize(
    "colors",
    [(BLACK, (255, 255, 0)), (WHITE, (28, 0, 255)), (RED, (255, 211, 255)), ((0, 67, 194), WHITE)],
)
def test_simple_is_the_mean_of_a_pattern(
    shared: Daemon,
    directory: Path,
    width: int,
    subsampling: int,
    colors: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> None:
    path = directory / "pattern.jpg"
    y, x = np.mgrid[0:900, 0:1100]
    checks = (x // width + y // width) % 2
    pixels = np.array(colors, dtype=np.uint8)[checks]
    Image.fromarray(pixels).save(path, quality=92, subsampling=subsampling)
    with shared.connect(timeout=60) as connection:
        answer = connection.ask(path=str(path))["result"]
    sent = np.array(wcag.parse(answer["average"]["simple"]))
    assert np.abs(sent - mean(path)).max() <= 1


def test_a_region_of_text_on_a_calm_picture(shared: Daemon, directory: Path) -> None:
    path = directory / "page.jpg"
    write_page(path, (1928, 1600), BLACK, WHITE, quality=40)
    with Image.open(path) as image:
        page = image.convert("RGB")
    page.paste((90, 110, 130), (0, 80, 1928, 1600))
    page.save(path, quality=40)
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    expected = pixels[:80].reshape(-1, 3).mean(axis=0)
    with shared.connect(timeout=60) as connection:
        answer = connection.ask(path=str(path), regions={"top": {"edge": "top", "size": 0.05}})
    sent = np.array(wcag.parse(answer["result"]["regions"]["top"]["average"]["simple"]))
    assert np.abs(sent - expected).max() <= 1.5
