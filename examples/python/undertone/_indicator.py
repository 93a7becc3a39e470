"""The answer to `indicator`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._answers import (
    Averages,
    Image,
    Layer,
    Scheme,
    TextColor,
    averages_from_wire,
    image_from_wire,
    layer_from_wire,
    text_from_wire,
)


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of the tabs."""

    active: TextColor
    others: TextColor


@dataclass(frozen=True, slots=True)
class Dots:
    """The dots of the pages."""

    current: TextColor
    others: TextColor


@dataclass(frozen=True, slots=True)
class Strip:
    """The strip under a picture: `base`, an average, under `material` is `background`."""

    average: Averages
    base: str
    scheme: Scheme
    material: Layer
    background: str
    labels: Labels
    dots: Dots


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a glyph is drawn: in its own colours, or through its alpha in `color` alone.

    Of a glyph in its own colours `color` is the heaviest that reaches 3. `reason` says why;
    there may be newer reasons than severalColors, opaqueBlock, tooLittleContrast and shapeOnly.
    """

    style: Literal["tint", "original"]
    reason: str
    color: TextColor


@dataclass(frozen=True, slots=True)
class Glyph:
    """A small picture on the strip; `drawing` is None where nothing of it can be seen."""

    image: Image
    drawing: Drawing | None


@dataclass(frozen=True, slots=True)
class Indicator:
    """The answer about a picture; `strip` is None where nothing of it can be seen."""

    image: Image
    opacity: float
    strip: Strip | None
    glyph: Glyph | None


def indicator_from_wire(result: Mapping[str, Any]) -> Indicator:
    """Takes the result of an `indicator` reply."""
    glyph = result.get("glyph")
    return Indicator(
        image=image_from_wire(result["image"]),
        opacity=result["opacity"],
        strip=None if result["background"] is None else _strip(result),
        glyph=glyph and _glyph(glyph),
    )


def _strip(result: Mapping[str, Any]) -> Strip:
    labels = result["labels"]
    dots = result["dots"]
    return Strip(
        average=averages_from_wire(result["average"]),
        base=result["base"],
        scheme=result["scheme"],
        material=layer_from_wire(result["material"]),
        background=result["background"],
        labels=Labels(text_from_wire(labels["active"]), text_from_wire(labels["others"])),
        dots=Dots(text_from_wire(dots["current"]), text_from_wire(dots["others"])),
    )


def _glyph(glyph: Mapping[str, Any]) -> Glyph:
    drawing = None
    if glyph["style"] is not None:
        drawing = Drawing(glyph["style"], glyph["reason"], text_from_wire(glyph))
    return Glyph(image_from_wire(glyph["image"]), drawing)
