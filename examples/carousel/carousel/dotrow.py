"""Where the dots of a row are; pages are counted from 0."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row of `pages` dots of which at most `most` are seen, scrolled to a position.

    Lengths are in dots' widths, and the row begins at 0. `position` is that of the current page and
    has a fraction between two pages.
    """

    pages: int
    position: float
    most: int = 9

    @property
    def length(self) -> int:
        """How long the row is."""
        return min(self.pages, self.most)

    @property
    def first(self) -> float:
        """The page at the left end; the current one is in the middle, but for the row's ends."""
        middle = self.position - (self.length - 1) / 2
        return max(0.0, min(middle, self.pages - self.length))

    def seen(self) -> range:
        """The pages of which something is seen."""
        return range(math.floor(self.first), math.ceil(self.first) + self.length)

    def place(self, page: float) -> float:
        """The middle of a page's dot."""
        return page - self.first + 0.5

    def scale(self, page: int) -> float:
        """How large a dot is, 0 to 1: smaller at an end beyond which there are more."""
        place = self.place(page)
        scale = 1.0
        if self.first > 0:
            scale = min(scale, (place + 0.5) / 2)
        if self.first < self.pages - self.length:
            scale = min(scale, (self.length - place + 0.5) / 2)
        return max(0.0, scale)

    def opacity(self, page: int) -> float:
        """How much of a dot is seen, 0 to 1: the current page's mark covers those that it nears."""
        return min(1.0, abs(page - self.position))
