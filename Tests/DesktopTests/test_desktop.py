"""The desktop itself: what its tests believe of it is so."""

from __future__ import annotations

import pytest
from PIL import Image

from .desktop import SCREEN, Daemon, Desktop, require, wait_until


def test_sees_the_pixels_of_a_window(desktop: Desktop) -> None:
    """A picture's color is on the screen where its window is, and nowhere else."""
    require("feh")
    picture = desktop.home / "picture.png"
    Image.new("RGB", (120, 80), (200, 20, 120)).save(picture)
    desktop.run("xsetroot", "-solid", "#123456")
    desktop.spawn("feh", "--title", "a picture", "--geometry", "120x80+300+200", picture)
    window = desktop.window("^a picture$")
    assert (window.width, window.height) == (120, 80)
    assert desktop.title(window) == "a picture"
    desktop.wait_for_pixel(window.middle, (200, 20, 120))
    # It is where it is said to be, to the pixel.
    last = window.x + window.width - 1, window.y + window.height - 1
    for corner in [(window.x, window.y), last]:
        assert desktop.pixel(corner) == (200, 20, 120)
    assert desktop.pixel((window.x - 1, window.y)) != (200, 20, 120)
    assert desktop.pixel((last[0], last[1] + 1)) != (200, 20, 120)
    shot = desktop.screenshot()
    assert shot.size == SCREEN
    assert shot.getpixel((SCREEN[0] - 1, SCREEN[1] - 1)) == (0x12, 0x34, 0x56)


def test_says_what_a_pixel_is_instead(desktop: Desktop) -> None:
    """A wait that is in vain ends, and tells what there was."""
    desktop.run("xsetroot", "-solid", "#123456")
    with pytest.raises(AssertionError, match=r"it is \(18, 52, 86\)"):
        desktop.wait_for_pixel((5, 5), (0, 0, 0), seconds=1)


def test_has_a_bus_and_settings_of_its_own(desktop: Desktop) -> None:
    """A setting is kept on this desktop, in its own home."""
    require("gsettings")
    key = ("org.gnome.desktop.background", "picture-uri")
    desktop.run("gsettings", "set", *key, "file:///tmp/of%20this%20test.png")
    assert desktop.run("gsettings", "get", *key) == "'file:///tmp/of%20this%20test.png'\n"
    assert (desktop.home / ".config/glib-2.0/settings/keyfile").exists()


def test_asks_the_daemon(desktop: Desktop, daemon: Daemon) -> None:
    """Programs on it find the daemon without being told."""
    picture = desktop.home / "picture.png"
    Image.new("RGB", (8, 8), (200, 20, 20)).save(picture)
    assert '"background":"#c81414"' in desktop.run("undertone", picture).replace(" ", "")
    assert daemon.counters()["requests"] > 0


def test_ends_what_ran_on_it(desktop: Desktop) -> None:
    """Even what has left its parent, and listens to no polite signal."""
    desktop.run("sh", "-c", "trap '' TERM; setsid sleep 1000 </dev/null >/dev/null 2>&1 &")
    wait_until(lambda: "sleep" in desktop.processes().values(), what="sleep runs")
    desktop.close()
    assert desktop.processes() == {}
