"""The answer to `palette`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._answers import Image, TextColor, image_from_wire, text_from_wire


@dataclass(frozen=True, slots=True)
class Swatch:
    """A colour of a picture, what share of it (0 to 1) it stands for, and text on it."""

    color: str
    share: float
    foreground: TextColor


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours that a picture is made of, most of it first.

    `accent` is the most characteristic one that has a hue, None where there is none. Where nothing
    can be seen there are no colours.
    """

    image: Image
    opacity: float
    colors: list[Swatch]
    accent: Swatch | None


def palette_from_wire(result: Mapping[str, Any]) -> Palette:
    """Takes the result of a `palette` reply."""
    accent = result["accent"]
    return Palette(
        image=image_from_wire(result["image"]),
        opacity=result["opacity"],
        colors=[_swatch(color) for color in result["colors"]],
        accent=accent and _swatch(accent),
    )


def _swatch(swatch: Mapping[str, Any]) -> Swatch:
    return Swatch(
        color=swatch["color"],
        share=swatch["share"],
        foreground=text_from_wire(swatch["foreground"]),
    )
