"""What the schema refuses: replies that the specification does not allow."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import jsonschema
import pytest

from .harness.schema import check_reply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .harness.connection import Json

IMAGE: dict[str, Json] = {
    "width": 8,
    "height": 6,
    "format": "png",
    "orientation": 1,
    "profile": "none",
    "complete": True,
    "sampling": "auto",
}
TEXT: dict[str, Json] = {"color": "#ffffff", "contrast": 5.8, "meets": True}
AVERAGE: dict[str, Json] = dict.fromkeys(["simple", "squareRoot", "linear", "oklab"], "#c81414")
LAYER: dict[str, Json] = {"color": "#000000", "opacity": 0.4}
SWATCH: dict[str, Json] = {"color": "#c81414", "share": 1, "foreground": TEXT}
FRAME: dict[str, Json] = {
    "position": 0,
    "background": "#c81414",
    "foreground": TEXT,
    "secondary": TEXT,
}
AREA: dict[str, Json] = {
    "average": AVERAGE,
    "background": "#c81414",
    "scheme": "dark",
    "foreground": TEXT,
    "secondary": TEXT,
    "luminance": dict.fromkeys(["mean", "min", "p05", "p50", "p95", "max"], 0.1),
    "overImage": {**TEXT, "coverage": 1, "scrim": LAYER},
}
STRIP: dict[str, Json] = {
    "average": AVERAGE,
    "base": "#c81414",
    "scheme": "dark",
    "material": LAYER,
    "background": "#780c0c",
    "labels": {"active": TEXT, "others": TEXT},
    "dots": {"current": TEXT, "others": TEXT},
}
DRAWING: dict[str, Json] = {"style": "tint", "reason": "shapeOnly", **TEXT}
THEME: dict[str, Json] = {
    "scheme": "dark",
    "background": "#101010",
    "foreground": "#ffffff",
    "cursor": "#ffffff",
    "colors": {f"color{index}": "#c8c8c8" for index in range(16)},
    "roles": dict.fromkeys(
        ["accent", "surface", "muted", "border", "error", "success", "warning", "info"], "#c8c8c8"
    ),
    "lowest": 4.5,
}


def unseen(members: dict[str, Json]) -> dict[str, Json]:
    """The same members where nothing can be seen."""
    return dict.fromkeys(members)


def transition(frames: int, *, seen: bool) -> dict[str, Json]:
    return {
        "from": {"color": "#c81414"},
        "to": {"color": "#000000" if seen else None, "image": IMAGE},
        "space": "oklab",
        "flip": None,
        "lowest": 5.8 if seen else None,
        "frames": [FRAME] * frames,
    }


PICTURE: dict[str, Json] = {"image": IMAGE, "opacity": 1}
CLEAR: dict[str, Json] = {"image": IMAGE, "opacity": 0}
RIGHT: dict[str, dict[str, Json]] = {
    "color": {
        **PICTURE,
        **AREA,
        "regions": {"bar": {"opacity": 1, **AREA}, "hole": {"opacity": 0, **unseen(AREA)}},
    },
    "color, unseen": {**CLEAR, **unseen(AREA)},
    "palette": {**PICTURE, "colors": [SWATCH], "accent": SWATCH},
    "palette, grey": {**PICTURE, "colors": [SWATCH], "accent": None},
    "palette, unseen": {**CLEAR, "colors": [], "accent": None},
    "indicator": {**PICTURE, **STRIP, "glyph": {"image": IMAGE, **DRAWING}},
    "indicator, unseen": {**CLEAR, **unseen(STRIP), "glyph": {"image": IMAGE, **unseen(DRAWING)}},
    "transition": transition(2, seen=True),
    "transition, longest": transition(240, seen=True),
    "transition, unseen": transition(0, seen=False),
    "theme": {**PICTURE, **THEME},
    "theme, unseen": {**CLEAR, **unseen(THEME)},
}


def replaced(value: Json, path: Sequence[str | int], new: Json) -> Json:
    """A copy in which another value stands at a place."""
    changed = copy.deepcopy(value)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = new
    return changed


WRONG: list[tuple[str, Sequence[str | int], Json]] = [
    ("palette", ["colors", 0, "foreground"], None),
    ("palette", ["colors", 0, "share"], 0),
    ("palette", ["accent", "foreground"], None),
    ("palette, unseen", ["accent"], SWATCH),
    ("transition", ["frames", 1, "foreground"], None),
    ("transition", ["frames", 1, "secondary"], None),
    ("transition", ["frames"], []),
    ("transition", ["frames"], [FRAME]),
    ("transition", ["frames"], [FRAME] * 241),
    ("transition", ["lowest"], None),
    ("transition", ["to", "color"], None),
    ("transition, unseen", ["to", "color"], "#000000"),
    ("transition, unseen", ["flip"], 0.5),
    ("transition, unseen", ["lowest"], 5.8),
    ("transition, unseen", ["frames"], [FRAME] * 2),
    ("indicator", ["labels", "active"], None),
    ("indicator", ["labels", "others"], None),
    ("indicator", ["dots", "current"], None),
    ("indicator", ["dots", "others"], None),
    *[("color", [name], None) for name in AREA],
    *[("color, unseen", [name], value) for name, value in AREA.items()],
    *[("color", ["regions", "bar", name], None) for name in AREA],
    *[("color", ["regions", "hole", name], value) for name, value in AREA.items()],
    *[("indicator", [name], None) for name in STRIP],
    *[("indicator, unseen", [name], value) for name, value in STRIP.items()],
    *[("indicator", ["glyph", name], None) for name in DRAWING],
    *[("indicator, unseen", ["glyph", name], value) for name, value in DRAWING.items()],
    *[("theme", [name], None) for name in THEME],
    *[("theme, unseen", [name], value) for name, value in THEME.items()],
]


@pytest.mark.parametrize("name", RIGHT)
def test_right_replies_pass(name: str) -> None:
    """So that what is refused below is refused for what is wrong with it."""
    check_reply({"id": 1, "result": RIGHT[name]})


@pytest.mark.parametrize(
    ("name", "path", "new"),
    [
        pytest.param(*wrong, id=f"{wrong[0]} {wrong[1]} {index}")
        for index, wrong in enumerate(WRONG)
    ],
)
def test_wrong_replies_are_refused(name: str, path: Sequence[str | int], new: Json) -> None:
    """A member that is null alone, or stands alone among nulls, is no answer."""
    reply = {"id": 1, "result": replaced(RIGHT[name], path, new)}
    with pytest.raises(jsonschema.ValidationError):
        check_reply(reply)
