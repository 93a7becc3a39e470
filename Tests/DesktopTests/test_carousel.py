"""The carousel on a real screen: its strip is what the daemon says, to the pixel."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from EndToEndTests.harness import wcag
from PIL import Image

from .carousel import COLORS, FRAME, Carousel, flat_pictures, strip_color, text_contrasts
from .desktop import Daemon, Desktop, wait_until

FRAMES = 61


class Swipe:
    """What is seen while the second page comes in from the right."""

    def __init__(self, carousel: Carousel, frames: list[dict[str, Any]]) -> None:
        self.carousel = carousel
        self.frames = frames
        self.seen = "nothing"
        self.texts: set[str] = set()

    def is_right(self, share: float) -> bool:
        """Whether the page has come so far, and all of the strip is as it must be there."""
        shot = self.carousel.desktop.screenshot()
        position = self._position(shot)
        if position is None or abs(position - share) > 0.01:
            self.seen = f"position {position}"
            return False
        strip = self.carousel.strip(shot)
        background = strip.getpixel((strip.width - 1, strip.height - 1))
        contrasts = text_contrasts(strip, background)
        blank = strip.crop((strip.width - 200, 0, strip.width, strip.height))
        # Half a pixel of the carousel is 1/40 of a frame.
        near = {round((FRAMES - 1) * position + error) for error in (-0.03, 0.03)}
        expected = {wcag.parse(self.frames[number]["background"]) for number in near}
        self.seen = f"{position}: {background} for {expected}, contrasts {contrasts}"
        self.texts.add(self.frames[min(near)]["foreground"]["color"])
        return (
            background in expected
            and blank.getcolors() == [(200 * strip.height, background)]
            and len(contrasts) == 2
            and min(contrasts) >= 4.5
        )

    def _position(self, shot: Image.Image) -> float | None:
        """By where the second page's colour begins; None if there is anything else."""
        left, right = wcag.parse(COLORS[0]), wcag.parse(COLORS[1])
        row = [shot.getpixel((x, 200)) for x in range(FRAME, self.carousel.window.width - FRAME)]
        count = row.count(left)
        is_clean = row == [left] * count + [right] * (len(row) - count)
        return 1 - count / len(row) if is_clean else None


def test_the_strip_follows_a_swipe(desktop: Desktop, daemon: Daemon) -> None:
    """Held at five places, it is the frame of each, and what is written on it can be read."""
    paths = flat_pictures(desktop)
    carousel = Carousel(desktop, paths[0].parent, len(paths))
    start, end = (strip_color(daemon, path) for path in paths[:2])
    way = daemon.ask(**{"op": "transition", "from": start, "to": end, "frames": FRAMES})
    swipe = Swipe(carousel, way["result"]["frames"])
    carousel.wait_for(COLORS[0], start)
    desktop.run("xdotool", "mousemove", "1270", "300", "mousedown", "1")
    for share in (0, 0.25, 0.5, 0.75, 1):
        # Some way is needed before it counts as a drag, in steps that a hand would make.
        for part in (0.9, 0.95, 1):
            place = 1270 - round(share * part * carousel.room[0])
            desktop.run("xdotool", "mousemove", str(place), "300")
        try:
            wait_until(functools.partial(swipe.is_right, share))
        except AssertionError:
            pytest.fail(f"at {share}: {swipe.seen}")
    assert swipe.texts == {"#ffffff", "#000000"}
    desktop.run("xdotool", "mouseup", "1")
    carousel.wait_for(COLORS[1], end)
    carousel.end()
