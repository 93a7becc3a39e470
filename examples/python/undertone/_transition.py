"""The answer to `transition`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._answers import Image, TextColor, image_from_wire, text_from_wire


@dataclass(frozen=True, slots=True)
class End:
    """Where a transition begins or ends.

    `color` is None where nothing can be seen, and `image` where it is no picture.
    """

    color: str | None
    image: Image | None


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame, `position` (0 to 1) of the way along: the first is at 0, the last at 1.

    `background` is `#rrggbb`, and both texts are verified on it.
    """

    position: float
    background: str
    foreground: TextColor
    secondary: TextColor


@dataclass(frozen=True, slots=True)
class Transition:
    """The way from one background to another.

    `flip`, 0 to 1, is where the text changes between black and white, None where it stays as it is,
    and `lowest`, 1 to 21, the lowest ratio of any frame's foreground. Where an end cannot be seen
    both are None, and there are no frames; else there are 2 to 240.
    """

    start: End
    end: End
    space: str
    flip: float | None
    lowest: float | None
    frames: list[Frame]


def transition_from_wire(result: Mapping[str, Any]) -> Transition:
    """Takes the result of a `transition` reply."""
    return Transition(
        start=_end(result["from"]),
        end=_end(result["to"]),
        space=result["space"],
        flip=result["flip"],
        lowest=result["lowest"],
        frames=[
            Frame(
                position=frame["position"],
                background=frame["background"],
                foreground=text_from_wire(frame["foreground"]),
                secondary=text_from_wire(frame["secondary"]),
            )
            for frame in result["frames"]
        ],
    )


def _end(end: Mapping[str, Any]) -> End:
    image = end.get("image")
    return End(color=end["color"], image=image and image_from_wire(image))
