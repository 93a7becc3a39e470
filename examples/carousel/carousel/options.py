"""What can be said on the command line."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from .questions import Average, Choice, Material

GLYPHS = Path(__file__).resolve().parent.parent / "glyphs"


@dataclass(frozen=True, slots=True)
class Options:
    """What a window begins with; `page` counts from 1, None where it is the picture named."""

    place: bytes | None
    page: int | None
    glyph: bytes | None
    average: Average
    material: Material
    glyph_style: Choice
    color_scheme: str
    is_fullscreen: bool


def parse(arguments: list[str], folder: bytes) -> Options:
    """Reads the command line, of which relative paths are below `folder`.

    Exits with a message where it cannot be understood, or where help is asked for.
    """
    parser = argparse.ArgumentParser(
        prog="undertone-carousel",
        description="Shows the pictures of a folder above a strip that takes their colours.",
    )
    parser.add_argument("place", nargs="?", metavar="FOLDER|PICTURE")
    parser.add_argument("--page", type=positive, metavar="N", help="begin with the Nth picture")
    parser.add_argument(
        "--glyph",
        default=str(GLYPHS / "balloon.svg"),
        metavar="IMAGE",
        help="what marks the current page (a balloon; 'none' for a dot)",
    )
    for name, choices, meaning in (
        ("average", ["simple", "squareRoot"], "which average colours the strip"),
        ("material", ["auto", "light", "dark"], "the layer over it (auto: the thinner one)"),
        ("glyph-style", ["automatic", "original", "tint"], "how the image is drawn"),
        ("color-scheme", ["system", "light", "dark"], "that of the window"),
    ):
        parser.add_argument(f"--{name}", choices=choices, default=choices[0], help=meaning)
    parser.add_argument("--fullscreen", action="store_true", help="pictures and strip alone")
    given = parser.parse_args(arguments)

    def absolute(path: str) -> bytes:
        return os.path.join(folder, os.fsencode(path))  # noqa: PTH118 (pathlib knows no bytes)

    return Options(
        place=absolute(given.place) if given.place else None,
        page=given.page,
        glyph=None if given.glyph == "none" else absolute(given.glyph),
        average=given.average,
        material=given.material,
        glyph_style=given.glyph_style,
        color_scheme=given.color_scheme,
        is_fullscreen=given.fullscreen,
    )


def positive(text: str) -> int:
    """A whole number from 1; raises ValueError otherwise."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
