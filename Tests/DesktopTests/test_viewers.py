"""The hooks of viewers that take another colour for each picture: eog, imv and mpv."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from .desktop import Color, Desktop, Window, require, wait_until
from .viewers import (
    HOSTILE,
    Places,
    install,
    make_pictures,
    places,
    press,
    stub_daemon,
    wait_for_colors,
    wears_each,
    without_client,
)

BLACK = (0, 0, 0)


@dataclass(frozen=True)
class Viewer:
    """A viewer: how it is started on a folder, what turns the page, and how high its bar is."""

    name: str
    program: str
    start: Callable[[Desktop, Path], Window]
    next: str
    bar: int = 0

    def places(self, window: Window) -> Places:
        """Where to look at in its window."""
        return places(window, self.bar)


def switch_plugin(desktop: Desktop, on: bool) -> None:
    """Ticks eog's plugin, or unticks it, as its preferences do."""
    plugins = "['undertone_colors']" if on else "[]"
    desktop.run("gsettings", "set", "org.gnome.eog.plugins", "active-plugins", plugins)


def start_eog(desktop: Desktop, folder: Path, on: bool = True) -> Window:
    """Starts eog, with the plugin on or off, and nothing beside the picture."""
    switch_plugin(desktop, on)
    desktop.run("gsettings", "set", "org.gnome.eog.ui", "sidebar", "false")
    desktop.spawn("eog", folder)
    return desktop.window("png", when=lambda window: window.width > 200)


def start_imv(desktop: Desktop, folder: Path) -> Window:
    """Starts imv on X11."""
    desktop.spawn("imv-x11", folder)
    # Its own size is the screen's.
    return desktop.window("png|imv", when=lambda window: window.width > 200)


def start_mpv(desktop: Desktop, folder: Path) -> Window:
    """Starts mpv as a slide show without an end."""
    desktop.spawn(
        *("mpv", "--image-display-duration=inf", "--loop-playlist", "--geometry=600x400+50+50"),
        *("--gpu-sw=yes", folder),
    )
    return desktop.window("mpv$", when=lambda window: window.width == 600)


EOG = Viewer("eog", "eog", start_eog, "Right", bar=46)
IMV = Viewer("imv", "imv-x11", start_imv, "Right")
MPV = Viewer("mpv", "mpv", start_mpv, "greater")

each = pytest.mark.parametrize("viewer", [EOG, IMV, MPV], ids=["eog", "imv", "mpv"])


@each
def test_surrounds_each_picture_with_its_color(desktop: Desktop, viewer: Viewer) -> None:
    """Whatever its name is; and the daemon is started for it."""
    require(viewer.program)
    install(desktop, viewer.name)
    folder = make_pictures(desktop, HOSTILE)
    window = viewer.start(desktop, folder)
    wears_each(
        desktop,
        viewer.places(window),
        list(HOSTILE.values()),
        turn=lambda: press(desktop, window, viewer.next),
    )
    assert "undertoned" in desktop.processes().values()
    # What the names say was not done.
    assert sorted(desktop.home.glob("*")) == sorted(
        desktop.home / name
        for name in [".cache", ".config", ".local", "pictures"]
        if (desktop.home / name).exists()
    )


@each
def test_does_not_wait_and_takes_no_late_answer(desktop: Desktop, viewer: Viewer) -> None:
    """A picture whose answer is slow is shown plain, and the next one keeps its color."""
    require(viewer.program)
    install(desktop, viewer.name)
    own: dict[bytes, Color] = {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0), b"c.png": (0, 0, 90)}
    folder = make_pictures(desktop, own)
    answers = {"a.png": "#101112", "b.png": "#202122", "c.png": "#303132"}
    with stub_daemon(desktop, answers) as stub:
        stub.hold("b.png")
        window = viewer.start(desktop, folder)
        where = viewer.places(window)
        wait_for_colors(desktop, where, own[b"a.png"], (0x10, 0x11, 0x12))
        # Asked about before it is shown, where that delays nobody.
        stub.wait_asked("b.png", "idle")
        first = stub.connections("a.png", "normal")
        assert not set(first) & set(stub.connections("b.png", "idle"))
        press(desktop, window, viewer.next)
        wait_for_colors(desktop, where, own[b"b.png"], BLACK)
        press(desktop, window, viewer.next)
        wait_for_colors(desktop, where, own[b"c.png"], (0x30, 0x31, 0x32))
        # The one before, too.
        stub.wait_asked("b.png", "idle", times=2)
        stub.release("b.png")
        stub.wait_done()
        wait_until(
            lambda: not {"undertone", "undertone-imv"} & set(desktop.processes().values()),
            what="nobody waits for an answer",
        )
        wait_for_colors(desktop, where, own[b"c.png"], (0x30, 0x31, 0x32))


@each
def test_is_as_ever_without_undertone(desktop: Desktop, viewer: Viewer) -> None:
    """Nothing is missed where the hook is installed, and Undertone is not."""
    require(viewer.program)
    install(desktop, viewer.name)
    without_client(desktop)
    folder = make_pictures(desktop, {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0)})
    window = viewer.start(desktop, folder)
    wait_for_colors(desktop, viewer.places(window), (90, 0, 0), BLACK)
    press(desktop, window, viewer.next)
    wait_for_colors(desktop, viewer.places(window), (0, 90, 0), BLACK)
    assert "Traceback" not in desktop.log(viewer.program)
