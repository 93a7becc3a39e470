"""What is promised of themes, verified on what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from .harness import generated, oklab, wcag
from .harness.generated import PICTURES, save

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from .harness.connection import Reply
    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.int64]

# The angles in OKLCh within which each of the terminal's hues is, in the order of its colours.
WINDOWS = [(15, 45), (140, 165), (80, 110), (250, 280), (315, 345), (195, 220)]


def check_theme(result: Reply) -> None:
    """Fails unless everything holds that is promised of a theme."""
    background = wcag.parse(result["background"])
    colors = [wcag.parse(result["colors"][f"color{index}"]) for index in range(16)]
    roles = {name: wcag.parse(color) for name, color in result["roles"].items()}
    assert colors[0] == background
    assert colors[15] == wcag.parse(result["foreground"])
    # What is legible on the surface is so on the background, which is farther from all texts.
    grounds = [background, roles["surface"]]

    def lowest(color: wcag.RGB) -> float:
        return min(wcag.contrast(color, ground) for ground in grounds)

    ratios = [lowest(color) for color in colors]
    assert min(ratios[1:8] + ratios[9:]) >= 4.5
    assert ratios[8] >= 3
    assert ratios[15] >= 7
    texts = [roles[name] for name in ["accent", "muted", "error", "success", "warning", "info"]]
    legible = [lowest(color) for color in texts]
    assert min(legible) >= 4.5
    assert wcag.truncated(min(ratios[1:8] + ratios[9:] + legible), result["lowest"])
    assert oklab.closest(colors) >= 0.05
    for index, (low, high) in enumerate(WINDOWS, 1):
        for color in [colors[index], colors[index + 8]]:
            hue, chroma = oklab.hue_and_chroma(color)
            assert low <= hue <= high
            assert chroma > 0.06
    is_dark = wcag.contrast(wcag.WHITE, background) > wcag.contrast(wcag.BLACK, background)
    assert result["scheme"] == ("dark" if is_dark else "light")


def degenerate() -> Iterator[generated.Pixels]:
    """Yields a hundred pictures on which themes tend to fail."""
    for value in range(0, 256, 15):
        yield generated.flat(value, value, value, height=1, width=1)
    for index in range(24):
        lab = [[0.1 * step, 0, 0] for step in range(1, 10)]
        angle = np.radians(15 * index)
        hue = np.array([[0, 0.3 * np.cos(angle), 0.3 * np.sin(angle)]])
        shades = np.clip(np.rint(oklab.srgb(np.array(lab) + hue)), 0, 255).astype(np.uint8)
        yield shades[None]
        yield shades[None, 4:5]
    for seed in range(12):
        yield generated.noise(1, 2, seed=seed)
        yield generated.noise(3, 4, 0, 8, seed=seed)
        yield generated.noise(3, 4, 248, 256, seed=seed)


def random_pictures() -> Iterator[generated.Pixels]:
    """Yields a thousand small pictures of several kinds."""
    for seed in range(250):
        yield generated.noise(6, 6, seed=seed)
        yield generated.landscape(seed, 8, 8)
        low = seed % 200
        yield generated.noise(6, 6, low, low + 50, seed=seed)
        yield generated.noise(6, 6, channels=4, seed=seed)


@pytest.mark.parametrize(
    ("pictures", "count"),
    [(degenerate, 100), (random_pictures, 1000)],
    ids=lambda value: str(value),
)
def test_every_themes_promises_hold(
    shared: Daemon,
    directory: Path,
    pictures: Callable[[], Iterator[generated.Pixels]],
    count: int,
) -> None:
    paths = [
        save(pixels, directory / f"{index}.png", compress_level=1)
        for index, pixels in enumerate(pictures())
    ]
    assert len(paths) >= count
    with shared.connect(timeout=120) as connection:
        for start in range(0, len(paths), 16):
            part = paths[start : start + 16]
            for path in part:
                for scheme in ["dark", "light"]:
                    connection.send(op="theme", path=str(path), scheme=scheme)
            for _ in part:
                for scheme in ["dark", "light"]:
                    result = connection.receive()["result"]
                    assert result["scheme"] == scheme
                    check_theme(result)


def test_a_grey_pictures_theme_is_grey_but_for_muted_hues(shared: Daemon, directory: Path) -> None:
    path = save(PICTURES["grey-gradient"], directory / "x.png")
    for scheme in ["dark", "light"]:
        result = shared.ask(op="theme", path=str(path), scheme=scheme)["result"]
        colors, roles = result["colors"], result["roles"]
        others = [colors[f"color{index}"] for index in [0, 7, 8, 15]]
        others += [roles[name] for name in ["accent", "surface", "muted", "border"]]
        for color in [*others, result["cursor"]]:
            assert color[1:3] == color[3:5] == color[5:7]
        for index in range(1, 7):
            assert oklab.hue_and_chroma(wcag.parse(colors[f"color{index}"]))[1] < 0.09


def test_pywals_shape_is_the_same_theme(shared: Daemon, directory: Path) -> None:
    path = save(PICTURES["landscape-1"], directory / "a (b) ü.png")
    theme = shared.ask(op="theme", path=str(path))["result"]
    pywal = shared.ask(op="theme", path=str(path), format="pywal")["result"]
    special = {name: theme[name] for name in ["background", "foreground", "cursor"]}
    assert pywal == {
        "wallpaper": str(path),
        "alpha": "100",
        "special": special,
        "colors": theme["colors"],
    }
