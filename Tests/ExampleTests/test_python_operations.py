"""What else the Python example client can ask, against a live daemon."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest
from conftest import Daemon
from PIL import Image
from undertone import (
    Edge,
    Layer,
    Undertone,
    UndertoneError,
)


@pytest.fixture
def undertone(daemon: Daemon) -> Iterator[Undertone]:
    """A connection to the live daemon."""
    with Undertone(daemon.socket) as undertone:
        yield undertone


@pytest.fixture
def picture(tmp_path: pathlib.Path) -> pathlib.Path:
    """A picture of which three quarters are red and the lowest one is dark blue."""
    image = Image.new("RGB", (40, 40), "#c81414")
    image.paste("#101040", (0, 30, 40, 40))
    image.save(tmp_path / "picture.png")
    return tmp_path / "picture.png"


@pytest.fixture
def clear(tmp_path: pathlib.Path) -> pathlib.Path:
    """A picture of which nothing can be seen."""
    Image.new("RGBA", (3, 2)).save(tmp_path / "clear.png")
    return tmp_path / "clear.png"


def test_over_image_is_typed(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """Black text on half black and half white needs a white scrim of 0.4588 at 4.5."""
    image = Image.new("RGB", (4, 4), "black")
    image.paste("white", (0, 2, 4, 4))
    image.save(tmp_path / "halves.png")
    over = undertone.color(tmp_path / "halves.png").over_image
    assert over is not None
    assert (over.color, over.contrast, over.meets) == ("#000000", 1, False)
    assert over.coverage == 0.5
    assert over.scrim == Layer("#ffffff", 0.458824)
    colors = undertone.color(tmp_path / "halves.png", regions={"top": Edge("top", 0.5)})
    top = colors.regions["top"].over_image
    assert top is not None
    assert (top.color, top.contrast, top.coverage, top.meets) == ("#ffffff", 21, 1, True)
    assert top.scrim.opacity == 0


def test_palette_is_typed(undertone: Undertone, picture: pathlib.Path) -> None:
    """A picture of two colours has two, the larger first."""
    palette = undertone.palette(picture)
    assert (palette.image.width, palette.opacity) == (40, 1)
    assert [(swatch.color, swatch.share) for swatch in palette.colors] == [
        ("#c81414", 0.75),
        ("#101040", 0.25),
    ]
    assert palette.colors[0].foreground.color == "#ffffff"
    assert palette.colors[0].foreground.meets
    assert palette.accent == palette.colors[0]


def test_palette_passes_every_option(undertone: Undertone, picture: pathlib.Path) -> None:
    """Each option changes the answer as it says."""
    palette = undertone.palette(picture, count=1, contrast=21, sampling="exact")
    assert len(palette.colors) == 1
    assert not palette.colors[0].foreground.meets
    assert palette.image.sampling == "exact"
    with pytest.raises(UndertoneError, match="invalid_request: .*count"):
        undertone.palette(picture, count=33)


def test_theme_is_typed(undertone: Undertone, picture: pathlib.Path) -> None:
    """All colours are there, by number and by role."""
    theme = undertone.theme(picture, scheme="light")
    assert theme.image.height == 40
    assert theme.colors is not None
    assert theme.colors.scheme == "light"
    assert len(theme.colors.terminal) == 16
    assert theme.colors.background == theme.colors.terminal[0]
    assert theme.colors.foreground == theme.colors.terminal[15]
    assert theme.colors.roles.error == theme.colors.terminal[1]
    assert theme.colors.lowest >= 4.5
    dark = undertone.theme(picture, scheme="dark", sampling="exact")
    assert dark.colors is not None
    assert dark.colors.scheme == "dark"
    assert dark.image.sampling == "exact"


def test_nothing_to_be_seen_is_none(undertone: Undertone, clear: pathlib.Path) -> None:
    """No colours are made up."""
    palette = undertone.palette(clear)
    assert (palette.opacity, palette.colors, palette.accent) == (0, [], None)
    assert undertone.theme(clear).colors is None
    assert undertone.color(clear).over_image is None
