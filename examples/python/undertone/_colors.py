"""The answer to `color`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
class Luminance:
    """The relative luminance of the pixels, 0 to 1."""

    mean: float
    min: float
    p05: float
    p50: float
    p95: float
    max: float


@dataclass(frozen=True, slots=True)
class OverImage(TextColor):
    """A colour for text on the pixels themselves, with its ratio at the worst of them.

    `coverage` is the share of the pixels on which it reaches the ratio asked for; with `scrim`
    between picture and text it does on all.
    """

    coverage: float
    scrim: Layer


@dataclass(frozen=True, slots=True)
class Area:
    """The colours of a picture or of a part of it; None where nothing of it can be seen."""

    opacity: float
    average: Averages | None
    background: str | None
    scheme: Scheme | None
    foreground: TextColor | None
    secondary: TextColor | None
    luminance: Luminance | None
    over_image: OverImage | None


@dataclass(frozen=True, slots=True)
class Colors(Area):
    """The answer about a picture."""

    image: Image
    regions: dict[str, Area] = field(default_factory=dict)


def colors_from_wire(result: Mapping[str, Any]) -> Colors:
    """Takes the result of a `color` reply."""
    return Colors(
        **_area_fields(result),
        image=image_from_wire(result["image"]),
        regions={
            name: Area(**_area_fields(area)) for name, area in result.get("regions", {}).items()
        },
    )


def _area_fields(area: Mapping[str, Any]) -> dict[str, Any]:
    average = area["average"]
    luminance = area["luminance"]
    foreground = area["foreground"]
    secondary = area["secondary"]
    over = area["overImage"]
    return {
        "opacity": area["opacity"],
        "average": average and averages_from_wire(average),
        "background": area["background"],
        "scheme": area["scheme"],
        "foreground": foreground and text_from_wire(foreground),
        "secondary": secondary and text_from_wire(secondary),
        "luminance": luminance
        and Luminance(
            mean=luminance["mean"],
            min=luminance["min"],
            p05=luminance["p05"],
            p50=luminance["p50"],
            p95=luminance["p95"],
            max=luminance["max"],
        ),
        "over_image": over
        and OverImage(
            color=over["color"],
            contrast=over["contrast"],
            meets=over["meets"],
            coverage=over["coverage"],
            scrim=layer_from_wire(over["scrim"]),
        ),
    }
