"""The hook for imv: the title names the colour, and is made only when there is something new."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PIL import Image

from .desktop import Daemon, Desktop, require, wait_until
from .sway import Sway
from .test_viewers import BLACK, IMV, start_imv
from .viewers import follow, install, make_pictures, press, stub_daemon, wait_for_colors


def wrap(desktop: Desktop, program: str, real: str) -> Path:
    """Has a program's arguments written down, a run a line, before the real one runs."""
    log = desktop.home / f"{program}.log"
    wrapper = desktop.home / ".local/bin" / program
    wrapper.write_text(f'#!/bin/sh\necho "$*" >>"$HOME/{log.name}"\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    return log


@pytest.mark.usefixtures("daemon")
def test_draws_once_for_each_picture(desktop: Desktop) -> None:
    """A new background makes imv draw, and drawing makes a title: that must not go on and on."""
    require("imv-x11")
    install(desktop, "imv")
    hook = desktop.home / ".local/bin/undertone-imv"
    hook.rename(hook.with_name("the-hook"))
    runs = wrap(desktop, "undertone-imv", "the-hook")
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


def test_says_nothing_late(desktop: Desktop) -> None:
    """An answer about a picture that is not shown any more is not even sent to imv."""
    require("imv-x11")
    install(desktop, "imv")
    said = wrap(desktop, "imv-msg", "/usr/bin/imv-msg")
    own = {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0)}
    folder = make_pictures(desktop, own)
    with stub_daemon(desktop, {"a.png": "#101112", "b.png": "#202122"}) as stub:
        stub.hold("a.png")
        window = start_imv(desktop, folder)
        wait_until(said.exists, what="there is no color in time")
        press(desktop, window, IMV.next)
        wait_for_colors(desktop, IMV.places(window), own[b"b.png"], (0x20, 0x21, 0x22))
        stub.release("a.png")
        stub.wait_done()
        wait_until(
            lambda: "undertone-imv" not in desktop.processes().values(),
            what="nobody waits for an answer",
        )
    messages = [line.partition(" ")[2] for line in said.read_text().splitlines()]
    assert messages[-1] == "background 202122"
    assert set(messages) <= {"background 000000", "background 202122"}


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
    # The other viewers share this one.
    assert [path.name for path in (desktop.home / ".local/bin").iterdir()] == ["undertone-of"]
    folder = make_pictures(desktop, {b"a.png": (90, 0, 0)})
    window = start_imv(desktop, folder)
    wait_for_colors(desktop, IMV.places(window), (90, 0, 0), BLACK)
    assert daemon.counters()["decodes"] == 0


@pytest.mark.usefixtures("daemon")
def test_surrounds_each_picture_under_wayland(desktop: Desktop, sway: Sway) -> None:
    """The same hook, in the program for Wayland."""
    require("imv-wayland", "imv-msg")
    install(desktop, "imv")
    folder = make_pictures(desktop, {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0)})
    viewer = desktop.spawn("imv-wayland", folder)
    for color in [(90, 0, 0), (0, 90, 0)]:
        # The picture fills the middle, and its color the rest.
        for place in [(400, 300), (20, 20)]:
            sway.wait_for_pixel(place, color)
        desktop.run("imv-msg", str(viewer.pid), "next")
