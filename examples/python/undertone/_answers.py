"""What several of the daemon's answers hold, as typed values.

Fields that this module does not know are left out, as protocol 1 asks of its clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Scheme = Literal["dark", "light"]


@dataclass(frozen=True, slots=True)
class Image:
    """Facts about a picture; its size, in pixels, is that of the picture as displayed.

    `orientation` is EXIF's, 1 to 8. `profile` is none, converted or unusable: what became of the
    colour profile. `complete` is False where the file ends before the picture does. `sampling` is
    auto, exact or thumbnail: the last only if a thumbnail was used.
    """

    width: int
    height: int
    format: str
    orientation: int
    profile: str
    complete: bool
    sampling: str


@dataclass(frozen=True, slots=True)
class TextColor:
    """A colour for text, `#rrggbb`, with the contrast ratio that it is verified to reach.

    `contrast` is WCAG's, 1 to 21, rounded down to four decimals; `meets` tells whether it is what
    was asked for.
    """

    color: str
    contrast: float
    meets: bool


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of black or white, 0 to 1 opaque, over a picture or a background."""

    color: str
    opacity: float


@dataclass(frozen=True, slots=True)
class Averages:
    """The four averages, as `#rrggbb`."""

    simple: str
    square_root: str
    linear: str
    oklab: str


def image_from_wire(image: Mapping[str, Any]) -> Image:
    """Takes the member `image` of a result."""
    return Image(
        width=image["width"],
        height=image["height"],
        format=image["format"],
        orientation=image["orientation"],
        profile=image["profile"],
        complete=image["complete"],
        sampling=image["sampling"],
    )


def text_from_wire(text: Mapping[str, Any]) -> TextColor:
    """Takes a text colour."""
    return TextColor(color=text["color"], contrast=text["contrast"], meets=text["meets"])


def layer_from_wire(layer: Mapping[str, Any]) -> Layer:
    """Takes a scrim or a material."""
    return Layer(color=layer["color"], opacity=layer["opacity"])


def averages_from_wire(average: Mapping[str, Any]) -> Averages:
    """Takes the member `average` of a result."""
    return Averages(
        simple=average["simple"],
        square_root=average["squareRoot"],
        linear=average["linear"],
        oklab=average["oklab"],
    )
