"""Asks undertoned what colour a picture is, and what can be read on top of it.

    with Undertone() as undertone:
        colors = undertone.color("beach.jpg")
        print(colors.background, colors.foreground.color)

Needs nothing but the standard library.
"""

from ._answers import Averages, Image, Layer, TextColor
from ._cache import Cache, DiskCache, MemoryCache
from ._client import Undertone
from ._colors import Area, Colors, Luminance, OverImage
from ._errors import UndertoneClosedError, UndertoneError, UndertoneRefusedError
from ._indicator import Dots, Drawing, Glyph, Indicator, Labels, Strip
from ._options import (
    Average,
    ColorOptions,
    Edge,
    IndicatorOptions,
    PaletteOptions,
    Rectangle,
    Region,
    Sampling,
    ThemeOptions,
    TransitionOptions,
)
from ._palette import Palette, Swatch
from ._theme import Roles, Theme, ThemeColors
from ._transition import End, Frame, Transition
from ._watch import Watch

__all__ = [
    "Area",
    "Average",
    "Averages",
    "Cache",
    "ColorOptions",
    "Colors",
    "DiskCache",
    "Dots",
    "Drawing",
    "Edge",
    "End",
    "Frame",
    "Glyph",
    "Image",
    "Indicator",
    "IndicatorOptions",
    "Labels",
    "Layer",
    "Luminance",
    "MemoryCache",
    "OverImage",
    "Palette",
    "PaletteOptions",
    "Rectangle",
    "Region",
    "Roles",
    "Sampling",
    "Strip",
    "Swatch",
    "TextColor",
    "Theme",
    "ThemeColors",
    "ThemeOptions",
    "Transition",
    "TransitionOptions",
    "Undertone",
    "UndertoneClosedError",
    "UndertoneError",
    "UndertoneRefusedError",
    "Watch",
]
