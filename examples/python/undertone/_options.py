"""The options that questions have; the daemon's own is used for one that is None or left out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

Average = Literal["simple", "squareRoot", "linear", "oklab"]
Priority = Literal["normal", "idle"]
Sampling = Literal["auto", "exact", "thumbnail"]
SchemeChoice = Literal["dark", "light", "auto"]
Space = Literal["oklab", "srgb"]
Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A part of a picture as displayed, in fractions of its width and height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Edge:
    """The strip along an edge that takes up `size`, 0 to 1, of the picture."""

    edge: Literal["top", "bottom", "left", "right"]
    size: float


Region = Rectangle | Edge


class CommonOptions(TypedDict, total=False):
    """What every question takes.

    With the `priority` idle, which is for what is asked ahead, it waits behind all others' normal
    ones. Answers keep their order on a connection, so such questions want one of their own.
    """

    priority: Priority | None


class ColorOptions(CommonOptions, total=False):
    """What `color` takes.

    `contrast`, 1 to 21, is the ratio that text is to reach. `regions`, at most 16, are answered
    beside the whole picture. `backdrop`, `#rrggbb`, lies behind what is transparent.
    """

    average: Average | None
    contrast: float | None
    regions: Mapping[str, Region] | None
    sampling: Sampling | None
    backdrop: str | None


class PaletteOptions(CommonOptions, total=False):
    """What `palette` takes: `count`, 1 to 32, and the `contrast` of text on each colour."""

    count: int | None
    contrast: float | None
    sampling: Sampling | None


class IndicatorOptions(CommonOptions, total=False):
    """What `indicator` takes.

    `area` is the part of the picture under the strip, by default all of it; `glyph` is another
    picture, to be drawn on the strip.
    """

    area: Region | None
    average: Average | None
    scheme: SchemeChoice | None
    over: Literal["background", "image"] | None
    glyph: Path | None
    sampling: Sampling | None
    backdrop: str | None


class ThemeOptions(CommonOptions, total=False):
    """What `theme` takes."""

    scheme: SchemeChoice | None
    sampling: Sampling | None


class TransitionOptions(CommonOptions, total=False):
    """What `transition` takes: `frames`, 2 to 240, and the `contrast` of text on each, 1 to 21."""

    frames: int | None
    space: Space | None
    average: Average | None
    contrast: float | None
    sampling: Sampling | None
