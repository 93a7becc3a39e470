"""What the daemon answers, as typed values.

Fields that this module does not know are left out, as protocol 1 asks of its clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Image:
    """Facts about a picture; its size is that of the picture as displayed."""

    width: int
    height: int
    format: str
    orientation: int
    profile: str
    complete: bool
    sampling: str


@dataclass(frozen=True, slots=True)
class Averages:
    """The four averages, as `#rrggbb`."""

    simple: str
    square_root: str
    linear: str
    oklab: str


@dataclass(frozen=True, slots=True)
class TextColor:
    """A colour for text, with the contrast ratio that it is verified to reach."""

    color: str
    contrast: float
    meets: bool


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
class Area:
    """The colours of a picture or of a part of it; None where nothing of it can be seen."""

    opacity: float
    average: Averages | None
    background: str | None
    scheme: Literal["dark", "light"] | None
    foreground: TextColor | None
    secondary: TextColor | None
    luminance: Luminance | None


@dataclass(frozen=True, slots=True)
class Colors(Area):
    """The answer about a picture."""

    image: Image
    regions: dict[str, Area] = field(default_factory=dict)


def colors_from_wire(result: Mapping[str, Any]) -> Colors:
    """Takes the result of a `color` reply."""
    image = result["image"]
    return Colors(
        **_area_fields(result),
        image=Image(
            width=image["width"],
            height=image["height"],
            format=image["format"],
            orientation=image["orientation"],
            profile=image["profile"],
            complete=image["complete"],
            sampling=image["sampling"],
        ),
        regions={
            name: Area(**_area_fields(area)) for name, area in result.get("regions", {}).items()
        },
    )


def _area_fields(area: Mapping[str, Any]) -> dict[str, Any]:
    average = area["average"]
    luminance = area["luminance"]
    return {
        "opacity": area["opacity"],
        "average": average
        and Averages(
            simple=average["simple"],
            square_root=average["squareRoot"],
            linear=average["linear"],
            oklab=average["oklab"],
        ),
        "background": area["background"],
        "scheme": area["scheme"],
        "foreground": _text_color(area["foreground"]),
        "secondary": _text_color(area["secondary"]),
        "luminance": luminance
        and Luminance(
            mean=luminance["mean"],
            min=luminance["min"],
            p05=luminance["p05"],
            p50=luminance["p50"],
            p95=luminance["p95"],
            max=luminance["max"],
        ),
    }


def _text_color(text: Mapping[str, Any] | None) -> TextColor | None:
    if text is None:
        return None
    return TextColor(color=text["color"], contrast=text["contrast"], meets=text["meets"])
