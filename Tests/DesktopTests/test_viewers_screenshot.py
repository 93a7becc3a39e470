"""The pictures of the viewers' pages: photographs, in the colours that the daemon gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from EndToEndTests.harness.wcag import parse
from PIL import Image

from .desktop import Color, Daemon, Desktop, Window, box_of, require, wait_until
from .test_viewers import EOG, switch_plugin
from .test_viewers_nsxiv import bar as nsxiv_bar
from .viewers import focus, install, places, press, still, text_contrasts

PHOTOGRAPHS = Path("/usr/share/backgrounds")
SIZE = (640, 430)
GEOMETRY = f"{SIZE[0]}x{SIZE[1]}+60+60"


def prepare(
    desktop: Desktop, daemon: Daemon, viewer: str, source: str, name: str
) -> tuple[Path, Color]:
    """Installs a viewer's hooks; returns a smaller copy of a photograph, and its background."""
    photograph = PHOTOGRAPHS / source
    if not photograph.exists():
        pytest.skip(f"not installed: {photograph}")
    install(desktop, viewer)
    picture = desktop.home / "pictures" / name
    picture.parent.mkdir()
    image = Image.open(photograph)
    image.thumbnail((1200, 1200))
    image.save(picture, quality=92)
    return picture, parse(daemon.color(picture)["background"])


def keep(desktop: Desktop, name: str, window: Window, title: int = 20) -> None:
    """Keeps a window, with the title that the window manager has given it."""
    box = (window.x, window.y - title, window.x + window.width, window.y + window.height)
    desktop.keep(f"viewers-{name}", still(desktop, box))


def test_screenshot_of_eog(desktop: Desktop, daemon: Daemon) -> None:
    """A red bowl on grey stone."""
    require("eog")
    source = "Picture_0B_by_freespace.jpg"
    picture, color = prepare(desktop, daemon, "eog", source, "A bowl and a fig.jpg")
    switch_plugin(desktop, on=True)
    desktop.run("gsettings", "set", "org.gnome.eog.ui", "sidebar", "false")
    desktop.spawn("eog", picture)
    window = desktop.window("bowl", when=lambda window: window.width > 200)
    desktop.run("xdotool", "windowsize", "--sync", str(window.number), *map(str, SIZE))
    window = desktop.window("bowl", when=lambda window: window.width == SIZE[0])
    desktop.wait_for_pixel(EOG.places(window).around, color)
    focus(desktop, window)
    bar = (window.x + 8, window.y + 8, window.x + window.width - 8, window.y + 46)
    assert min(text_contrasts(still(desktop, bar))) >= 4.5
    keep(desktop, "eog", window, title=0)


def test_screenshot_of_imv(desktop: Desktop, daemon: Daemon) -> None:
    """Dandelions against the sun."""
    require("imv-x11")
    source = "seeding_by_Clements_Engelhardt.jpg"
    picture, color = prepare(desktop, daemon, "imv", source, "dandelions.jpg")
    with (desktop.home / ".config/imv/config").open("a") as config:
        config.write(f"[options]\nwidth = {SIZE[0]}\nheight = {SIZE[1]}\n")
    desktop.spawn("imv-x11", picture)
    window = desktop.window(f"#{bytes(color).hex()}")
    desktop.wait_for_pixel(places(window).around, color)
    keep(desktop, "imv", window)


def test_screenshot_of_mpv(desktop: Desktop, daemon: Daemon) -> None:
    """A sunset, and a text on the screen."""
    require("mpv")
    source = "sunset_by_Aitzol_Berasategi.jpg"
    picture, color = prepare(desktop, daemon, "mpv", source, "sunset.jpg")
    # Higher than the photograph is in that width.
    options = [
        f"--geometry={SIZE[0]}x500+60+60",
        "--no-keepaspect-window",
        "--image-display-duration=inf",
    ]
    message = ["--osd-playing-msg=A sunset in ${width} columns", "--osd-duration=600000"]
    desktop.spawn("mpv", "--gpu-sw=yes", *options, *message, picture)
    window = desktop.window("sunset", when=lambda window: window.width == SIZE[0])
    desktop.wait_for_pixel(places(window).around, color)
    box = (window.x, window.y, window.x + window.width, window.y + window.height)
    shown = still(desktop, box)
    text = shown.crop(box_of(shown, color))
    assert min(text_contrasts(text.crop((0, 0, text.width, 60)))) >= 4.5
    keep(desktop, "mpv", window)


def test_screenshot_of_nsxiv(desktop: Desktop, daemon: Daemon) -> None:
    """A path in the mountains, once the key has been pressed that takes its colours."""
    require("nsxiv", "xrdb")
    source = "picosdeeuropa_by_Aitzol_Berasategi.jpg"
    picture, color = prepare(desktop, daemon, "nsxiv", source, "mountains.jpg")
    desktop.spawn("nsxiv", picture)
    window = desktop.window(r"^mountains.jpg \[1/1\]  #")
    press(desktop, window, "ctrl+x")
    press(desktop, window, "b")
    wait_until(lambda: "Nsxiv.mark" in desktop.run("xrdb", "-query"), what="there are colors")
    desktop.spawn("nsxiv", "-g", "560x480+60+60", "-sf", picture)
    window = desktop.window("mountains", when=lambda window: window.width == 560)
    desktop.wait_for_pixel(places(window).around, color)
    bar = still(desktop, nsxiv_bar(window))
    assert len(text_contrasts(bar)) == 3
    assert min(text_contrasts(bar)) >= 4.5
    keep(desktop, "nsxiv", window)


def test_screenshot_of_feh(desktop: Desktop, daemon: Daemon) -> None:
    """Brushes, whose average is a grey."""
    require("feh")
    source = "Picture_1A_by_freespace.jpg"
    picture, color = prepare(desktop, daemon, "feh", source, "brushes.jpg")
    options = ["--geometry", GEOMETRY, "--scale-down", "--auto-zoom", "--font", "yudit/14"]
    desktop.spawn("undertone-feh", *options, "--title", "feh [%u of %l] - %n", picture)
    window = desktop.window("^feh", when=lambda window: window.width == SIZE[0])
    desktop.wait_for_pixel(places(window).around, color)
    bottom = window.y + window.height
    words = (window.x, bottom - 20, window.x + 40, bottom)

    def is_named() -> bool:
        if text_contrasts(still(desktop, words)):
            return True
        press(desktop, window, "r")
        return False

    wait_until(is_named, what="the color is in the corner")
    assert min(text_contrasts(still(desktop, words))) >= 4.5
    keep(desktop, "feh", window)
