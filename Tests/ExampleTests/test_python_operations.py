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
    Rectangle,
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


def test_theme_in_the_shape_of_pywal(
    undertone: Undertone, picture: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The same colours under pywal's names, and an error where it has no way to say none."""
    theme = undertone.theme(picture, scheme="light").colors
    assert theme is not None
    pywal = undertone.pywal_theme(picture, scheme="light")
    assert pywal["wallpaper"] == str(picture)
    assert pywal["special"] == {
        "background": theme.background,
        "foreground": theme.foreground,
        "cursor": theme.cursor,
    }
    assert list(pywal["colors"].values()) == theme.terminal
    Image.new("RGBA", (4, 4)).save(tmp_path / "clear.png")
    with pytest.raises(UndertoneError, match="^decode_failed: ") as error:
        undertone.pywal_theme(tmp_path / "clear.png")
    assert error.value.code == "decode_failed"


def test_options_of_other_questions_are_refused(
    undertone: Undertone, picture: pathlib.Path
) -> None:
    """By Python itself: a misspelt name never means the default."""
    with pytest.raises(TypeError, match="contrst"):
        undertone.color(picture, contrst=7)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="count"):
        undertone.theme(picture, count=5)  # type: ignore[call-arg]


def test_every_question_has_a_priority(undertone: Undertone, picture: pathlib.Path) -> None:
    """It reaches the daemon, which knows two, and changes no answer."""
    assert undertone.color(picture, priority="idle") == undertone.color(picture)
    assert undertone.palette(picture, priority="idle") == undertone.palette(picture)
    assert undertone.indicator(picture, priority="idle") == undertone.indicator(picture)
    assert undertone.theme(picture, priority="idle") == undertone.theme(picture)
    ends = ("#000000", picture)
    assert undertone.transition(*ends, priority="idle") == undertone.transition(*ends)
    with undertone.watch(picture, priority="idle") as watch:
        assert next(watch) == undertone.color(picture)
    with pytest.raises(UndertoneError, match="invalid_request: .*priority"):
        undertone.color(picture, priority="urgent")  # type: ignore[arg-type]
    with (
        undertone.watch(picture, priority="urgent") as watch,  # type: ignore[call-overload]
        pytest.raises(UndertoneError, match="invalid_request: .*priority"),
    ):
        next(watch)


def test_indicator_is_typed(
    undertone: Undertone, picture: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The lower edge is dark blue: white text on it needs no layer."""
    glyph = tmp_path / b"gl\xffph.png".decode(errors="surrogateescape")
    Image.new("RGBA", (8, 8), "#ffffff").save(tmp_path / "glyph.png")
    (tmp_path / "glyph.png").rename(glyph)
    indicator = undertone.indicator(picture, area=Edge("bottom", 0.25), glyph=glyph)
    strip = indicator.strip
    assert strip is not None
    assert (strip.base, strip.background, strip.scheme) == ("#101040", "#101040", "dark")
    assert strip.average.simple == "#101040"
    assert strip.material == Layer("#000000", 0)
    assert strip.labels.active.color == "#ffffff"
    assert strip.labels.active.contrast >= 7
    assert 4.5 <= strip.labels.others.contrast < 4.7
    assert 4.5 <= strip.dots.current.contrast < 4.7
    assert 3 <= strip.dots.others.contrast < 3.2
    assert indicator.glyph is not None
    assert indicator.glyph.image.width == 8
    assert indicator.glyph.drawing is not None
    assert indicator.glyph.drawing.style == "original"
    assert indicator.glyph.drawing.reason == "opaqueBlock"
    assert indicator.glyph.drawing.color.color == "#ffffff"


def test_indicator_passes_every_option(undertone: Undertone, picture: pathlib.Path) -> None:
    """Each option changes the answer as it says."""
    area = Rectangle(0, 0, 1, 1)
    plain = undertone.indicator(picture, area=area).strip
    light = undertone.indicator(picture, area=area, scheme="light", average="linear").strip
    over = undertone.indicator(picture, over="image", scheme="light", sampling="exact")
    assert plain is not None
    assert light is not None
    assert over.strip is not None
    assert light.scheme == "light"
    assert light.base == light.average.linear != plain.base
    # Black text on dark blue needs more white than on the mean.
    assert over.strip.material.opacity > light.material.opacity
    assert over.image.sampling == "exact"
    assert over.glyph is None
    with pytest.raises(UndertoneError, match="invalid_request: .*backdrop"):
        undertone.indicator(picture, backdrop="red")


def test_transition_is_typed(undertone: Undertone, picture: pathlib.Path) -> None:
    """From a colour to a picture, whose name may look like nothing else."""
    transition = undertone.transition(
        "#000000", picture, frames=5, space="srgb", average="squareRoot", contrast=3
    )
    assert (transition.start.color, transition.start.image) == ("#000000", None)
    assert transition.end.image is not None
    assert transition.end.image.width == 40
    assert transition.space == "srgb"
    assert [frame.position for frame in transition.frames] == [0, 0.25, 0.5, 0.75, 1]
    assert transition.frames[0].background == "#000000"
    assert transition.frames[-1].background == transition.end.color
    assert transition.frames[0].foreground.color == "#ffffff"
    assert 3 <= transition.frames[0].secondary.contrast < 3.1
    assert transition.lowest is not None
    assert transition.lowest >= 4.58
    flip = undertone.transition("#000000", "#FFFFFF").flip
    assert flip is not None
    assert 0.5 < flip < 0.6
    with pytest.raises(UndertoneError, match="not_found: from: "):
        undertone.transition("#fff", "#000000")


def test_nothing_to_be_seen_is_none(undertone: Undertone, clear: pathlib.Path) -> None:
    """No colours are made up."""
    palette = undertone.palette(clear)
    assert (palette.opacity, palette.colors, palette.accent) == (0, [], None)
    assert undertone.theme(clear).colors is None
    indicator = undertone.indicator(clear, glyph=clear)
    assert indicator.strip is None
    assert indicator.glyph is not None
    assert indicator.glyph.drawing is None
    transition = undertone.transition(clear, "#ffffff")
    assert (transition.start.color, transition.flip, transition.lowest) == (None, None, None)
    assert transition.frames == []
    assert undertone.color(clear).over_image is None
