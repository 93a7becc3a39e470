"""Asks undertoned what colour a picture is, and what can be read on top of it.

    with Undertone() as undertone:
        colors = undertone.color("beach.jpg")
        print(colors.background, colors.foreground.color)

Needs nothing but the standard library.
"""

from ._answers import Area, Averages, Colors, Image, Luminance, TextColor
from ._client import Undertone
from ._errors import UndertoneClosedError, UndertoneError
from ._requests import Average, Edge, Rectangle, Region, Sampling

__all__ = [
    "Area",
    "Average",
    "Averages",
    "Colors",
    "Edge",
    "Image",
    "Luminance",
    "Rectangle",
    "Region",
    "Sampling",
    "TextColor",
    "Undertone",
    "UndertoneClosedError",
    "UndertoneError",
]
