"""Pictures that differ in what matters to colours and contrast, the same in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Pixels = npt.NDArray[np.uint8]


def noise(
    height: int, width: int, low: int = 0, high: int = 256, channels: int = 3, seed: int = 1
) -> Pixels:
    """Returns independent random values."""
    random = np.random.default_rng(seed)
    return random.integers(low, high, (height, width, channels), dtype=np.uint8)


def landscape(seed: int, height: int = 60, width: int = 90) -> Pixels:
    """Returns soft shapes of several sizes, as photographs have them."""
    random = np.random.default_rng(seed)
    total = np.zeros((height, width, 3))
    for size in [2, 5, 11, 23]:
        grid = random.random((size, size, 3))
        rows = np.linspace(0, size - 1.001, height)
        columns = np.linspace(0, size - 1.001, width)
        y, x = rows.astype(int), columns.astype(int)
        fy, fx = (rows - y)[:, None, None], (columns - x)[None, :, None]
        top = grid[y][:, x] * (1 - fx) + grid[y][:, x + 1] * fx
        bottom = grid[y + 1][:, x] * (1 - fx) + grid[y + 1][:, x + 1] * fx
        total += (top * (1 - fy) + bottom * fy) / size**0.5
    total -= total.min()
    values: Pixels = (total / total.max() * 255).astype(np.uint8)
    return values


def flat(*color: int, height: int = 6, width: int = 8) -> Pixels:
    """Returns one colour."""
    return np.full((height, width, len(color)), color, dtype=np.uint8)


def with_alpha(image: Pixels, alpha: npt.NDArray[np.float64]) -> Pixels:
    """Returns a picture with an alpha of 0…1."""
    return np.dstack([image, np.rint(alpha * 255).astype(np.uint8)])


def _gradient(height: int, width: int) -> npt.NDArray[np.float64]:
    return np.linspace(0, 1, height)[:, None] * np.ones(width)


def _disc(side: int) -> npt.NDArray[np.float64]:
    """A disc with a softened edge."""
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    alpha: npt.NDArray[np.float64] = np.clip(side / 3 - np.hypot(x, y) + 0.5, 0, 1)
    return alpha


def pictures() -> Iterator[tuple[str, Pixels]]:
    """Yields thirty pictures by name, the last eight with alpha."""
    yield "noise", noise(50, 70)
    yield "dark-noise", noise(40, 40, 0, 90)
    yield "light-noise", noise(40, 40, 150, 256)
    blue = noise(20, 20)
    blue[..., :2] = 0
    # The darkest pixel is not the one that needs the most white.
    blue[3, 4] = 0x4C
    yield "blue", blue
    ramp = np.rint(_gradient(64, 48) * 255).astype(np.uint8)
    yield "grey-gradient", np.dstack([ramp] * 3)
    yield "colour-gradient", np.dstack([ramp, ramp[::-1], np.full_like(ramp, 90)])
    yield "two-colours", np.where(noise(30, 30, 0, 3) % 2 == 0, flat(20, 40, 90)[0, 0], 200)
    yield "grey", flat(119, 119, 119)
    yield "white", flat(255, 255, 255)
    yield "black", flat(0, 0, 0)
    yield "pixel", flat(200, 120, 40, height=1, width=1)
    yield "column", noise(9, 1)
    yield "row", noise(1, 11)
    yield "six-pixels", noise(2, 3)
    checks = (np.indices((24, 24)).sum(axis=0) % 2 * 255).astype(np.uint8)
    yield "checks", np.dstack([checks] * 3)
    yield "shades", noise(40, 50, 100, 130)
    for seed in range(4):
        yield f"landscape-{seed}", landscape(seed)
    page = flat(255, 255, 255, height=60, width=60).copy()
    page[::7, 3:50:2] = 0
    yield "page", page
    night = flat(3, 4, 8, height=70, width=70).copy()
    night[10, 12] = (250, 240, 200)
    yield "night", night
    yield "alpha-noise", noise(30, 40, channels=4)
    yield "alpha-gradient", with_alpha(landscape(7, 40, 40), _gradient(40, 40))
    yield "disc", with_alpha(flat(30, 120, 200, height=40, width=40), _disc(40))
    yield "bright-disc", with_alpha((landscape(8, 40, 40) // 4 + 190).astype(np.uint8), _disc(40))
    lone = np.zeros((20, 20, 4), dtype=np.uint8)
    lone[9, 7] = (90, 160, 30, 255)
    yield "lone-pixel", lone
    yield "holes", with_alpha(noise(30, 30), (noise(30, 30)[..., 0] > 127).astype(np.float64))
    yield "veil", flat(240, 240, 240, 64)
    yield "glass", with_alpha(landscape(9, 30, 50), np.full((30, 50), 0.7))


PICTURES = dict(pictures())


def save(pixels: Pixels, path: Path, **options: object) -> Path:
    """Writes a picture, in the format that the name ends in."""
    Image.fromarray(pixels).save(path, **options)
    return path
