"""The answer to `theme`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._answers import Image, Scheme, image_from_wire


@dataclass(frozen=True, slots=True)
class Roles:
    """Colours, `#rrggbb`, by what they are for in an interface."""

    accent: str
    surface: str
    muted: str
    border: str
    error: str
    success: str
    warning: str
    info: str


@dataclass(frozen=True, slots=True)
class ThemeColors:
    """Sixteen terminal colours and the roles of an interface.

    All are `#rrggbb`; `terminal` are the colours 0 to 15. `lowest`, 1 to 21, is the lowest ratio
    of all that is meant as text, on the background and on the surface.
    """

    scheme: Scheme
    background: str
    foreground: str
    cursor: str
    terminal: list[str]
    roles: Roles
    lowest: float


@dataclass(frozen=True, slots=True)
class Theme:
    """The answer about a picture; `colors` is None where nothing of it can be seen."""

    image: Image
    opacity: float
    colors: ThemeColors | None


def theme_from_wire(result: Mapping[str, Any]) -> Theme:
    """Takes the result of a `theme` reply."""
    return Theme(
        image=image_from_wire(result["image"]),
        opacity=result["opacity"],
        colors=None if result["background"] is None else _colors(result),
    )


def _colors(result: Mapping[str, Any]) -> ThemeColors:
    roles = result["roles"]
    return ThemeColors(
        scheme=result["scheme"],
        background=result["background"],
        foreground=result["foreground"],
        cursor=result["cursor"],
        terminal=[result["colors"][f"color{index}"] for index in range(16)],
        roles=Roles(
            accent=roles["accent"],
            surface=roles["surface"],
            muted=roles["muted"],
            border=roles["border"],
            error=roles["error"],
            success=roles["success"],
            warning=roles["warning"],
            info=roles["info"],
        ),
        lowest=result["lowest"],
    )
