"""What the strip looks like at any place between two pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from undertone import Strip, Transition

# From one picture to the next. Odd, so that there is one half-way.
FRAMES = 61


@dataclass(frozen=True, slots=True)
class Look:
    """The strip's colours, `#rrggbb`, each verified on `background`.

    `primary` and `secondary` are for text; `current` is the dot of the page shown, `others` are
    those beside it.
    """

    background: str
    primary: str
    secondary: str
    current: str
    others: str


Way = tuple[str, str]
"""Two backgrounds: where the strip comes from, and where it goes."""


def look_from_strip(strip: Strip) -> Look:
    """Takes the answer to `indicator`."""
    return Look(
        background=strip.background,
        primary=strip.labels.active.color,
        secondary=strip.labels.others.color,
        current=strip.dots.current.color,
        others=strip.dots.others.color,
    )


def looks_from_transitions(texts: Transition, dots: Transition) -> tuple[Look, ...]:
    """Takes two answers to `transition` about one way: with contrast 4.5 for texts, 3 for dots.

    Those are the ratios that `indicator` gives them, so that the ends are its strips.
    """
    return tuple(
        Look(
            background=text.background,
            primary=text.foreground.color,
            secondary=text.secondary.color,
            current=text.secondary.color,
            others=dot.secondary.color,
        )
        for text, dot in zip(texts.frames, dots.frames, strict=True)
    )


class Looks:
    """The looks of all pages and the ways between them, as far as they are known.

    A page whose picture has no colour, or about which nobody can be asked, looks neutral.
    """

    def __init__(self, neutral: Look) -> None:
        self.neutral = neutral
        self._pages: dict[int, Look | None] = {}
        self._ways: dict[Way, tuple[Look, ...]] = {}

    def __contains__(self, page: int) -> bool:
        return page in self._pages

    def set_page(self, page: int, look: Look | None) -> None:
        """Tells a page's look; None is neutral."""
        self._pages[page] = look

    def set_way(self, way: Way, frames: tuple[Look, ...]) -> None:
        """Tells the frames of a way; none where there are none to be had."""
        self._ways[way] = frames

    def forget(self, page: int) -> None:
        """Forgets a page, and the ways that could not be had: they are to be asked for again."""
        self._pages.pop(page, None)
        self._ways = {way: frames for way, frames in self._ways.items() if frames}

    def page(self, page: int) -> Look | None:
        """A page's look, None where it is not known yet."""
        if page not in self._pages:
            return None
        return self._pages[page] or self.neutral

    def way(self, start: Look, end: Look) -> tuple[Look, ...] | None:
        """The frames from one look to another, None where they are not known yet.

        None at all are needed where the background stays, or there are none to be had.
        """
        if start.background == end.background:
            return ()
        return self._ways.get((start.background, end.background))

    def at(self, position: float) -> Look | None:
        """The look at a position, 0 being the first page; None where nothing is known of it.

        Beside a page that is not known yet the other one's look stays, and where the frames are not
        known, that of the nearer page: it is legible everywhere.
        """
        page = math.floor(position)
        frame = round((position - page) * (FRAMES - 1))
        start, end = self.page(page), self.page(page + 1)
        if frame == 0 or end is None:
            return start
        if frame == FRAMES - 1 or start is None:
            return end
        if frames := self.way(start, end):
            return frames[frame]
        return start if frame < FRAMES // 2 else end

    def ways_wanted(self, position: float) -> list[Way]:
        """The ways to the neighbours of a position that are still to be asked for."""
        page = round(position)
        wanted = []
        for near, far in ((page, page + 1), (page - 1, page)):
            start, end = self.page(near), self.page(far)
            if start and end and self.way(start, end) is None:
                wanted.append((start.background, end.background))
        return wanted
