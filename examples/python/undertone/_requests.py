"""What the daemon can be asked.

Options that are None are left to the daemon.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Average = Literal["simple", "squareRoot", "linear", "oklab"]
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


def picture(path: Path) -> dict[str, str]:
    """Names a picture, whatever bytes its path holds; a relative path is made absolute.

    Not by `os.path.abspath`, which takes `..` away, and so leads elsewhere after a symbolic link.
    Raises ValueError for a NUL, as `open` does.
    """
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    if name and not name.startswith(b"/"):
        name = os.getcwdb() + b"/" + name  # noqa: PTH109 (pathlib knows no bytes)
    try:
        return {"path": name.decode("utf-8")}
    except UnicodeDecodeError:
        return {"path_b64": base64.b64encode(name).decode("ascii")}


def _given(**options: object) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def color_request(
    *,
    average: Average | None = None,
    contrast: float | None = None,
    regions: Mapping[str, Region] | None = None,
    sampling: Sampling | None = None,
    backdrop: str | None = None,
) -> dict[str, Any]:
    """Asks for a picture's colours, all but the picture's name."""
    areas = {name: asdict(region) for name, region in (regions or {}).items()}
    return _given(
        average=average,
        contrast=contrast,
        regions=areas or None,
        sampling=sampling,
        backdrop=backdrop,
    )


def palette_request(
    *, count: int | None = None, contrast: float | None = None, sampling: Sampling | None = None
) -> dict[str, Any]:
    """Asks for a palette in the same way."""
    return _given(op="palette", count=count, contrast=contrast, sampling=sampling)


def indicator_request(
    *,
    area: Region | None = None,
    average: Average | None = None,
    scheme: SchemeChoice | None = None,
    over: Literal["background", "image"] | None = None,
    glyph: Path | None = None,
    sampling: Sampling | None = None,
    backdrop: str | None = None,
) -> dict[str, Any]:
    """Asks for the strip under a picture in the same way."""
    return _given(
        op="indicator",
        area=None if area is None else asdict(area),
        average=average,
        scheme=scheme,
        over=over,
        glyph=None if glyph is None else picture(glyph),
        sampling=sampling,
        backdrop=backdrop,
    )


def theme_request(
    *, scheme: SchemeChoice | None = None, sampling: Sampling | None = None
) -> dict[str, Any]:
    """Asks for a theme in the same way."""
    return _given(op="theme", scheme=scheme, sampling=sampling)


def transition_request(
    start: Path,
    end: Path,
    *,
    frames: int | None = None,
    space: Space | None = None,
    average: Average | None = None,
    contrast: float | None = None,
    sampling: Sampling | None = None,
) -> dict[str, Any]:
    """Asks for the way from one colour (text like `#1e90ff`) or picture to another."""
    ends = {
        name: path
        if isinstance(path, str) and re.fullmatch("#[0-9A-Fa-f]{6}", path)
        else picture(path)
        for name, path in (("from", start), ("to", end))
    }
    options = _given(
        frames=frames, space=space, average=average, contrast=contrast, sampling=sampling
    )
    return {"op": "transition", **ends, **options}
