"""The carousel in use: keys and clicks, the mark, odd pictures, and a slow or missing daemon."""

from __future__ import annotations

import os
import signal

from EndToEndTests.harness import wcag
from PIL import Image

from .carousel import (
    COLORS,
    FRAME,
    PROGRAM,
    Carousel,
    flat_pictures,
    require_toolkit,
    strip_color,
    text_contrasts,
)
from .desktop import Daemon, Desktop

# The theme's own bar, light and dark.
NEUTRAL = {"light": "#ebebeb", "dark": "#303030"}


def test_keys_and_clicks_turn_the_pages(desktop: Desktop, daemon: Daemon) -> None:
    """Each leads to the page that it says: picture and strip are that page's."""
    paths = flat_pictures(desktop)
    strips = [strip_color(daemon, path) for path in paths]
    carousel = Carousel(desktop, paths[1], len(paths))

    def is_at(page: int) -> None:
        carousel.wait_for(COLORS[page], strips[page])

    is_at(1)
    for key, page in (
        ("Right", 2),
        ("space", 3),
        ("End", 4),
        ("Left", 3),
        ("Home", 0),
    ):
        carousel.press(key)
        is_at(page)
    for page in (4, 1):
        carousel.click(carousel.dot(page))
        is_at(page)
    carousel.choose("material", "dark")
    dark = strip_color(daemon, paths[1], scheme="dark")
    assert dark != strips[1]
    carousel.wait_for(COLORS[1], dark)
    carousel.end()


def test_averages_differ(desktop: Desktop, daemon: Daemon) -> None:
    """Black and white in equal parts: the root of the mean square is lighter than the mean."""
    picture = desktop.home / "folder/halves.png"
    picture.parent.mkdir()
    image = Image.new("RGB", (40, 40), "black")
    image.paste("white", (0, 20, 40, 40))
    image.save(picture)
    simple, root = (strip_color(daemon, picture, average=name) for name in ("simple", "squareRoot"))
    assert root == "#b4b4b4" != simple
    carousel = Carousel(desktop, picture, 1, "--average", "squareRoot")
    carousel.wait_for(None, root)
    carousel.leave_fullscreen()
    # The first in the menu, which has the keys until it is closed.
    carousel.press("F10")
    carousel.press("Home", "space", "Escape")
    carousel.wait_for(None, simple)
    carousel.end()


def test_the_mark_keeps_its_colors_or_is_tinted(desktop: Desktop, daemon: Daemon) -> None:
    """As the daemon says for each strip; by hand, whatever it says."""
    paths = flat_pictures(desktop)
    glyph = desktop.home / "glyph.png"
    # Of two bright colors: several where it is dark, too pale where it is light.
    image = Image.new("RGBA", (24, 24), "#ffd23f")
    image.paste("#8fffe0", (0, 0, 24, 12))
    image.save(glyph)
    drawings = [
        daemon.ask(op="indicator", path=str(path), glyph={"path": str(glyph)})["result"]
        for path in paths[:2]
    ]
    assert [drawing["glyph"]["style"] for drawing in drawings] == ["original", "tint"]
    primaries = [wcag.parse(drawing["labels"]["active"]["color"]) for drawing in drawings]
    carousel = Carousel(desktop, paths[0].parent, len(paths), "--glyph", str(glyph))

    def is_drawn(page: int, upper: tuple[int, int, int], lower: tuple[int, int, int]) -> None:
        x, y = carousel.dot(page)
        desktop.wait_for_pixel((x, y - 6), upper)
        desktop.wait_for_pixel((x, y + 6), lower)

    own = (wcag.parse("#8fffe0"), wcag.parse("#ffd23f"))
    is_drawn(0, *own)
    carousel.press("Right")
    is_drawn(1, primaries[1], primaries[1])
    carousel.choose("glyph", "original")
    is_drawn(1, *own)
    carousel.choose("glyph", "tint")
    carousel.press("Left")
    is_drawn(0, primaries[0], primaries[0])
    carousel.choose("glyph", "automatic")
    is_drawn(0, *own)
    carousel.end()


def test_everything_has_a_name(desktop: Desktop, daemon: Daemon) -> None:
    """For a screen reader, odd file names and a picture that is none included."""
    folder = desktop.home / "odd"
    folder.mkdir()
    for name in (b"line\nbreak.png", b"not \xff utf-8.png", b"z.png"):
        picture = os.fsencode(folder) + b"/" + name
        Image.new("RGB", (60, 40), "#16324f").save(os.fsdecode(picture))
    (folder / "broken.png").write_bytes(b"no picture")
    carousel = Carousel(desktop, folder, 4)
    # The broken one has no color, and keeps none of the others from having theirs.
    carousel.wait_for(None, NEUTRAL["light"])
    carousel.press("End")
    carousel.wait_for("#16324f", strip_color(daemon, folder / "z.png"))
    carousel.press("Home")
    carousel.wait_for(None, NEUTRAL["light"])
    carousel.leave_fullscreen()
    found = carousel.read_out("Main Menu")
    named: dict[str, list[str]] = {}
    for one in found:
        named.setdefault(one["role"], []).append(one["name"])
    assert named["page tab"] == [
        *("1: broken.png", "2: line�break.png", "3: not � utf-8.png", "4: z.png"),
    ]
    buttons = {"Open a Folder", "Main Menu", "Previous Picture", "Next Picture"}
    assert buttons <= set(named["push button"])
    for role in ("push button", "page tab", "page tab list"):
        assert all(named[role]), named[role]
    assert {"broken.png", "1 of 4", "Cannot Show This Picture"} <= set(named["label"])
    assert any("Unrecognized image file format" in name for name in named["label"])
    current = next(one for one in found if one["role"] == "page tab")
    assert "Tinted: nobody could tell" in current["description"]
    carousel.end()


def test_it_turns_while_the_daemon_does_not_answer(desktop: Desktop, daemon: Daemon) -> None:
    """Pages come, the strip stays; and follows once there is an answer."""
    paths = flat_pictures(desktop)
    strips = [strip_color(daemon, path) for path in paths]
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        carousel = Carousel(desktop, paths[0].parent, len(paths))
        carousel.wait_for(COLORS[0], NEUTRAL["light"])
        carousel.press("Right")
        carousel.wait_for(COLORS[1], NEUTRAL["light"])
    finally:
        os.kill(daemon.pid, signal.SIGCONT)
    carousel.wait_for(COLORS[1], strips[1])
    daemon.kill()
    carousel.press("End")
    # From its successor, which the carousel has started.
    carousel.wait_for(COLORS[-1], strips[-1])
    carousel.end()


def test_it_starts_the_daemon(desktop: Desktop) -> None:
    """Where none runs."""
    paths = flat_pictures(desktop)
    carousel = Carousel(desktop, paths[0].parent, len(paths))
    # Dark enough for white text without any layer.
    carousel.wait_for(COLORS[0], COLORS[0])
    assert "undertoned" in desktop.processes().values()
    carousel.end()


def test_without_a_daemon_it_has_the_colors_of_the_theme(desktop: Desktop) -> None:
    """Light and dark, with text that can be read; and no complaint."""
    paths = flat_pictures(desktop, (100, 100))
    carousel = Carousel(
        desktop, paths[0].parent, len(paths), "--color-scheme", "dark", PATH="/usr/bin:/bin"
    )
    carousel.wait_for(COLORS[0], NEUTRAL["dark"])
    beside = (FRAME + 40, 200)
    assert wcag.luminance(desktop.pixel(beside)) < 0.1
    carousel.choose("color-scheme", "light", "/org/undertone/Carousel")
    carousel.wait_for(COLORS[0], NEUTRAL["light"])
    shot = desktop.screenshot()
    assert wcag.luminance(shot.getpixel(beside)) > 0.9
    assert min(text_contrasts(carousel.strip(shot), wcag.parse(NEUTRAL["light"]))) >= 4.5
    carousel.press("Right")
    carousel.wait_for(COLORS[1], NEUTRAL["light"])
    carousel.end()
    assert desktop.log("undertone-carousel") == ""


def test_nothing_slides_where_less_motion_is_wanted(desktop: Desktop, daemon: Daemon) -> None:
    """Whenever it is looked at, it is at one page or another, strip included."""
    settings = desktop.home / ".config/gtk-4.0/settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[Settings]\ngtk-enable-animations=0\n")
    paths = flat_pictures(desktop)
    strips = [strip_color(daemon, path) for path in paths[:2]]
    carousel = Carousel(desktop, paths[0].parent, len(paths))
    carousel.wait_for(COLORS[0], strips[0])
    # Both are known then.
    for key, page in (("Right", 1), ("Left", 0)):
        carousel.press(key)
        carousel.wait_for(COLORS[page], strips[page])
    whole = {(wcag.parse(COLORS[page]), wcag.parse(strips[page])) for page in (0, 1)}
    for key in ("Right", "Left", "Right"):
        # Without waiting for the key to have come.
        desktop.spawn("xdotool", "key", key)
        for _ in range(3):
            shot = desktop.screenshot()
            seen = {
                (shot.getpixel((x, 200)), shot.getpixel(carousel.empty_spot))
                for x in range(FRAME, carousel.window.width - FRAME)
            }
            assert len(seen) == 1
            assert seen <= whole
    carousel.wait_for(COLORS[1], strips[1])
    carousel.end()


def test_an_empty_folder_says_so(desktop: Desktop, daemon: Daemon) -> None:
    """As does one that is not there; neither asks the daemon anything."""
    (desktop.home / "nothing").mkdir()
    before = daemon.counters()["requests"]
    carousel = Carousel(desktop, desktop.home / "nothing", 0)
    found = carousel.read_out("No Pictures")
    assert "There are none in this folder." in {one["name"] for one in found}
    carousel.end()
    # And what it asks for that by is counted itself.
    assert daemon.counters()["requests"] == before + 1


def test_says_that_there_is_no_display(desktop: Desktop) -> None:
    """On one line, and fails: nobody else would see that there is no window."""
    require_toolkit()
    hidden = ("env", "--unset=DISPLAY", "--unset=WAYLAND_DISPLAY")
    done = desktop.try_run(*hidden, PROGRAM)
    assert done.returncode == 1
    assert done.stderr == "undertone-carousel: there is no display to open a window on\n"
