"""Text over pictures, against every pixel of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import wcag
from .harness.generated import PICTURES
from .harness.oklab import LINEAR

if TYPE_CHECKING:
    import numpy.typing as npt

    from .harness.connection import Reply
    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.int64]
    Ratios = npt.NDArray[np.float64]

# Where lomiri-wallpapers-16.04 has its photographs, installed or unpacked by scripts/photos.
PHOTOGRAPHS = sorted(
    [
        *Path("/usr/share/backgrounds").glob("*_by_*.jpg"),
        *(Path(__file__).parents[2] / ".build/photos").glob("**/*_by_*.jpg"),
    ]
)[:8]
TARGETS = [3, 4.5, 7, 12]
TEXTS = {"#000000": 0, "#ffffff": 255}
# Name, what is asked, and the same as left, top, right and bottom.
REGIONS = {
    "bar": ({"edge": "bottom", "size": 0.23}, (0, 0.77, 1, 1)),
    "side": ({"edge": "left", "size": 0.61}, (0, 0, 0.61, 1)),
    "box": ({"x": 0.13, "y": 0.07, "width": 0.54, "height": 0.66}, (0.13, 0.07, 0.67, 0.73)),
}
WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def mixed(colors: Pixels, other: int | Pixels, steps: Pixels | int) -> Pixels:
    """Moves colours steps/255 of the way to another, in eight bits, to the nearest."""
    # 255 is odd, so there are no halves.
    return (colors * (255 - steps) + other * steps + 127) // 255


def ratios(colors: Pixels, text: int) -> Ratios:
    """Returns the contrast ratios of colours with black (0) or white (255)."""
    luminance = LINEAR[colors] @ WEIGHTS
    lighter, darker = (1.0, luminance) if text else (luminance, 0.0)
    return np.asarray((lighter + 0.05) / (darker + 0.05))


def inside(image: Pixels, bounds: tuple[float, float, float, float]) -> Pixels:
    """Returns the pixels whose centres are within bounds, or the one in the middle, one a row."""
    left, top, right, bottom = bounds

    def within(count: int, start: float, end: float) -> Pixels:
        centres = (np.arange(count) + 0.5) / count
        found = np.flatnonzero((centres >= start) & (centres < end))
        return found if len(found) else np.array([int((start + end) / 2 * count)])

    rows, columns = within(image.shape[0], top, bottom), within(image.shape[1], left, right)
    part: Pixels = image[rows][:, columns].reshape(-1, image.shape[2])
    return part


class Judge:
    """What text of a colour meets on an area, by all its visible pixels."""

    def __init__(self, area: Pixels, text: int, backdrop: tuple[int, ...] | None) -> None:
        """Composites the pixels on the backdrop; without one, on what is worse for the text."""
        alpha = area[:, 3:]
        behind = np.array(backdrop or [text] * 3)
        visible = mixed(area[:, :3], behind, 255 - alpha)[alpha[:, 0] > 0]
        self.ratios = ratios(visible, text)
        colors = np.unique(visible, axis=0)
        # Every colour under every step of the scrim.
        steps = np.arange(256)[:, None, None]
        self.lowest = ratios(mixed(colors[None], 255 - text, steps), text).min(axis=1)

    def coverage(self, target: float) -> float:
        """The share of the pixels that reach a ratio."""
        return float((self.ratios >= target).mean())

    def scrim(self, target: float) -> int:
        """The first step with which all of them do; 255 if none."""
        reached = np.flatnonzero(self.lowest >= target)
        return int(reached[0]) if len(reached) else 255


def check(answer: Reply, area: Pixels, backdrop: tuple[int, ...] | None, target: float) -> None:
    """Fails unless an area's answer is that of every pixel."""
    if not (area[:, 3] > 0).any():
        assert answer["overImage"] is None
        return
    over = answer["overImage"]
    judges = {text: Judge(area, value, backdrop) for text, value in TEXTS.items()}
    lowest = {text: float(judge.lowest[0]) for text, judge in judges.items()}
    judge = judges[over["color"]]
    assert lowest[over["color"]] == max(lowest.values())
    if lowest["#000000"] == lowest["#ffffff"]:
        shares = {text: judge.coverage(target) for text, judge in judges.items()}
        assert shares[over["color"]] >= max(shares.values()) - 0.01
    assert wcag.truncated(lowest[over["color"]], over["contrast"])
    assert over["meets"] == (lowest[over["color"]] >= target)
    assert over["coverage"] == pytest.approx(judge.coverage(target), abs=0.005)
    assert (over["coverage"] == 1) == over["meets"]
    step = judge.scrim(target)
    assert round(over["scrim"]["opacity"] * 255) == step
    assert over["scrim"]["opacity"] >= step / 255
    assert over["scrim"]["color"] == ("#000000" if over["color"] == "#ffffff" else "#ffffff")


def test_there_are_thirty_pictures() -> None:
    assert len(PICTURES) == 30


@pytest.mark.parametrize("name", [*PICTURES, *(path.stem for path in PHOTOGRAPHS)])
def test_over_the_picture_is_that_of_every_pixel(
    shared: Daemon, directory: Path, name: str
) -> None:
    path = directory / "x.png"
    if name in PICTURES:
        drawn = Image.fromarray(PICTURES[name])
    else:
        with Image.open(next(path for path in PHOTOGRAPHS if path.stem == name)) as photograph:
            drawn = photograph.convert("RGB").resize((96, 64))
    drawn.save(path)
    image: Pixels = np.asarray(drawn.convert("RGBA")).astype(np.int64)
    regions = {name: area for name, (area, _) in REGIONS.items()}
    has_alpha = drawn.mode == "RGBA"
    for backdrop in [None, (30, 60, 90)] if has_alpha else [None]:
        options = {"backdrop": "#1e3c5a"} if backdrop else {}
        for target in TARGETS:
            answer = shared.color(
                path, sampling="exact", contrast=target, regions=regions, **options
            )
            check(answer, image.reshape(-1, 4), backdrop, target)
            for region, (_, bounds) in REGIONS.items():
                check(answer["regions"][region], inside(image, bounds), backdrop, target)
