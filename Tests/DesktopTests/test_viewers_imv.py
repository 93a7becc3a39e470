"""The hook for imv: the title names the colour, and is made only when there is something new."""

from __future__ import annotations

import time

import pytest
from PIL import Image

from .desktop import Daemon, Desktop, require
from .test_viewers import BLACK, IMV, start_imv
from .viewers import follow, install, make_pictures, press, wait_for_colors


@pytest.mark.usefixtures("daemon")
def test_draws_once_for_each_picture(desktop: Desktop) -> None:
    """A new background makes imv draw, and drawing makes a title: that must not go on and on."""
    require("imv-x11")
    install(desktop, "imv")
    # Around the hook, one that counts.
    hook, runs = desktop.home / ".local/bin/undertone-imv", desktop.home / "runs"
    hook.rename(hook.with_name("the-hook"))
    hook.write_text('#!/bin/sh\necho >>"$HOME/runs"\nexec the-hook "$@"\n')
    hook.chmod(0o755)
    folder = make_pictures(desktop, {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0)})
    window = start_imv(desktop, folder)
    for name, color in [("a", (90, 0, 0)), ("b", (0, 90, 0))]:
        wait_for_colors(desktop, IMV.places(window), color, color)
        desktop.window(rf"^{name}\.png \[[12]/2\]  #{bytes(color).hex()}")
        before = runs.stat().st_size
        # A condition that must not come about has to be given time.
        time.sleep(0.7)
        assert runs.stat().st_size == before <= 40
        press(desktop, window, IMV.next)


@pytest.mark.usefixtures("daemon")
def test_names_a_picture_that_has_no_color(desktop: Desktop) -> None:
    """A picture of which nothing can be seen is named, on the ground that was asked for."""
    require("imv-x11")
    install(desktop, "imv")
    config = desktop.home / ".config/imv/config"
    config.write_text(config.read_text().replace("undertone-imv", "undertone-imv 102030"))
    folder = make_pictures(desktop, {b"b.png": (90, 0, 0)})
    Image.new("RGBA", (60, 20)).save(folder / "a.png")
    window = start_imv(desktop, folder)
    wait_for_colors(desktop, IMV.places(window), (0x10, 0x20, 0x30), (0x10, 0x20, 0x30))
    desktop.window(r"^a\.png \[1/2\] ?$")
    press(desktop, window, IMV.next)
    wait_for_colors(desktop, IMV.places(window), (90, 0, 0), (90, 0, 0))


def test_leaves_nothing_behind(desktop: Desktop, daemon: Daemon) -> None:
    """The README's way back leads back."""
    require("imv-x11")
    install(desktop, "imv")
    follow(desktop, "imv", "Undo")
    assert not list((desktop.home / ".local/bin").iterdir())
    folder = make_pictures(desktop, {b"a.png": (90, 0, 0)})
    window = start_imv(desktop, folder)
    wait_for_colors(desktop, IMV.places(window), (90, 0, 0), BLACK)
    assert daemon.counters()["decodes"] == 0
