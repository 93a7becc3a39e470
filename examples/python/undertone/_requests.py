"""What the daemon can be asked."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Unpack

from ._options import (
    ColorOptions,
    IndicatorOptions,
    PaletteOptions,
    Path,
    ThemeOptions,
    TransitionOptions,
)


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


def color_request(path: Path, **options: Unpack[ColorOptions]) -> dict[str, Any]:
    """Asks for a picture's colours."""
    request: dict[str, Any] = {**picture(path), **_given(ColorOptions, options)}
    if regions := options.get("regions"):
        request["regions"] = {name: asdict(region) for name, region in regions.items()}
    return request


def palette_request(path: Path, **options: Unpack[PaletteOptions]) -> dict[str, Any]:
    """Asks for a palette."""
    return {"op": "palette", **picture(path), **_given(PaletteOptions, options)}


def indicator_request(path: Path, **options: Unpack[IndicatorOptions]) -> dict[str, Any]:
    """Asks for the strip under a picture."""
    request: dict[str, Any] = {
        "op": "indicator",
        **picture(path),
        **_given(IndicatorOptions, options),
    }
    area, glyph = options.get("area"), options.get("glyph")
    if area is not None:
        request["area"] = asdict(area)
    if glyph is not None:
        request["glyph"] = picture(glyph)
    return request


def theme_request(path: Path, **options: Unpack[ThemeOptions]) -> dict[str, Any]:
    """Asks for a theme."""
    return {"op": "theme", **picture(path), **_given(ThemeOptions, options)}


def transition_request(
    start: Path, end: Path, **options: Unpack[TransitionOptions]
) -> dict[str, Any]:
    """Asks for the way from one colour (text like `#1e90ff`) or picture to another."""
    ends = {
        name: path
        if isinstance(path, str) and re.fullmatch("#[0-9A-Fa-f]{6}", path)
        else picture(path)
        for name, path in (("from", start), ("to", end))
    }
    return {"op": "transition", **ends, **_given(TransitionOptions, options)}


def _given(kind: type, options: Mapping[str, object]) -> dict[str, Any]:
    unknown = options.keys() - kind.__annotations__.keys()
    if unknown:
        raise TypeError(f"no such option: {', '.join(sorted(unknown))}")
    return {name: value for name, value in options.items() if value is not None}
