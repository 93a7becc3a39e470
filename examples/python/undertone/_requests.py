"""What the daemon can be asked."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Average = Literal["simple", "squareRoot", "linear", "oklab"]
Sampling = Literal["auto", "exact", "thumbnail"]
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


def picture(path: Path) -> dict[str, str]:
    """Names a picture, whatever bytes its path holds; a relative path is made absolute.

    Not by `os.path.abspath`, which takes `..` away, and so leads elsewhere after a symbolic link.
    """
    name = os.fsencode(path)
    if name and not name.startswith(b"/"):
        name = os.getcwdb() + b"/" + name  # noqa: PTH109 (pathlib knows no bytes)
    try:
        return {"path": name.decode("utf-8")}
    except UnicodeDecodeError:
        return {"path_b64": base64.b64encode(name).decode("ascii")}


def color_options(
    average: Average | None,
    contrast: float | None,
    regions: Mapping[str, Region] | None,
    sampling: Sampling | None,
    backdrop: str | None,
) -> dict[str, Any]:
    """Collects the options that were given; the others are left to the daemon."""
    areas: dict[str, Any] = {name: asdict(region) for name, region in (regions or {}).items()}
    options: dict[str, Any] = {
        "average": average,
        "contrast": contrast,
        "regions": areas or None,
        "sampling": sampling,
        "backdrop": backdrop,
    }
    return {name: value for name, value in options.items() if value is not None}
