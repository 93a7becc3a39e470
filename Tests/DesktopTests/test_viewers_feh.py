"""The command that starts feh: ground, text in the corner, and the wallpaper."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import viewers
from .desktop import Color, Desktop, Window, require, wait_until
from .test_viewers import BLACK

GEOMETRY = ("--geometry", "600x400+50+50")


def start(desktop: Desktop, *arguments: str | Path | bytes) -> Window:
    """Starts feh through the command, always in the same place."""
    desktop.spawn("undertone-feh", *GEOMETRY, *arguments)
    return desktop.window("^feh", when=lambda window: window.width == 600)


def close(desktop: Desktop, window: Window) -> None:
    """Ends feh by its key."""
    viewers.press(desktop, window, "q")
    wait_until(lambda: "feh" not in desktop.processes().values(), what="feh has ended")


def corner(window: Window) -> tuple[int, int, int, int]:
    """Where the text is: it may be as wide as that."""
    bottom = window.y + window.height
    return window.x, bottom - 40, window.x + 240, bottom


def test_shows_pictures_on_the_first_ones_color(desktop: Desktop) -> None:
    """Whatever its name is; and the daemon is started for it."""
    require("feh")
    viewers.install(desktop, "feh")
    folder = viewers.make_pictures(desktop, viewers.HOSTILE)
    for name, color in viewers.HOSTILE.items():
        window = start(desktop, bytes(folder) + b"/" + name)
        viewers.wait_for_colors(desktop, viewers.places(window), color, color)
        close(desktop, window)
    assert "undertoned" in desktop.processes().values()
    # Of a folder it is the first one, by name.
    window = start(desktop, folder)
    color = viewers.HOSTILE[min(viewers.HOSTILE)]
    viewers.wait_for_colors(desktop, viewers.places(window), color, color)


@pytest.mark.usefixtures("daemon")
def test_the_corner_names_each_color(desktop: Desktop) -> None:
    """As if feh had been told the very words, and it can be read."""
    require("feh")
    viewers.install(desktop, "feh")
    folder = viewers.make_pictures(desktop, viewers.HOSTILE)
    expected: dict[Color, bytes] = {}
    ground: Color = viewers.HOSTILE[min(viewers.HOSTILE)]
    for name, color in viewers.HOSTILE.items():
        words = f"#{bytes(color).hex()}, text {'#000000' if color[0] > 220 else '#ffffff'}"
        desktop.spawn(
            *("feh", *GEOMETRY, "--draw-tinted", "--image-bg", f"#{bytes(ground).hex()}"),
            *("--info", f"printf %%s '{words}'", bytes(folder) + b"/" + name),
        )
        window = desktop.window("^feh", when=lambda window: window.width == 600)
        viewers.wait_for_colors(desktop, viewers.places(window), color, ground)
        text = viewers.still(desktop, corner(window))
        assert min(viewers.text_contrasts(text.crop((0, 15, 100, 40)))) >= 4.5
        expected[color] = text.tobytes()
        close(desktop, window)
    assert len(set(expected.values())) == len(viewers.HOSTILE)

    window = start(desktop, folder)
    left = dict(expected)

    def was_another() -> bool:
        shot = desktop.screenshot()
        color = shot.getpixel(viewers.places(window).picture)
        if left.get(color) == shot.crop(corner(window)).tobytes():
            del left[color]
        # Where a slow machine has had no text in time, it has the next time round.
        viewers.press(desktop, window, "n")
        return not left

    wait_until(was_another, what="each text was in the corner")


@pytest.mark.usefixtures("daemon")
def test_a_key_makes_a_wallpaper_on_its_own_color(desktop: Desktop) -> None:
    """As large as fits, and the picture that is shown stays."""
    require("feh")
    viewers.install(desktop, "feh")
    names = {b"a.png": (32, 48, 128), b"it's $(a) %F\nwallpaper.png": (200, 20, 20)}
    folder = viewers.make_pictures(desktop, names)
    window = start(desktop, folder)
    viewers.wait_for_colors(desktop, viewers.places(window), (32, 48, 128), (32, 48, 128))
    viewers.press(desktop, window, "n")
    viewers.wait_for_colors(desktop, viewers.places(window), (200, 20, 20), (32, 48, 128))
    viewers.press(desktop, window, "1")
    # The picture is flat: what tells the ground from it is where it is.
    desktop.wait_for_pixel((1270, 10), (200, 20, 20))
    assert desktop.pixel(viewers.places(window).picture) == (200, 20, 20)
    fehbg = (desktop.home / ".fehbg").read_text()
    assert "--image-bg '#c81414'" in fehbg
    assert "--bg-max" in fehbg
    viewers.follow(desktop, "feh", "Undo")
    # The other viewers share this one.
    assert [path.name for path in (desktop.home / ".local/bin").iterdir()] == ["undertone-of"]


def test_asks_ahead_and_goes_without_a_late_answer(desktop: Desktop) -> None:
    """A picture whose answer is slow is shown all the same."""
    require("feh")
    viewers.install(desktop, "feh")
    own = {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0)}
    folder = viewers.make_pictures(desktop, own)
    with viewers.stub_daemon(desktop, {"a.png": "#101112", "b.png": "#202122"}) as stub:
        stub.hold("b.png")
        window = start(desktop, folder)
        where = viewers.places(window)
        viewers.wait_for_colors(desktop, where, own[b"a.png"], (0x10, 0x11, 0x12))
        stub.wait_asked("b.png", "idle")
        viewers.press(desktop, window, "n")
        viewers.wait_for_colors(desktop, where, own[b"b.png"], (0x10, 0x11, 0x12))
        stub.wait_asked("b.png")


def test_is_as_ever_without_undertone(desktop: Desktop) -> None:
    """On feh's own ground."""
    require("feh")
    viewers.install(desktop, "feh")
    viewers.without_client(desktop)
    folder = viewers.make_pictures(desktop, {b"a.png": (90, 0, 0)})
    window = start(desktop, "--image-bg", "#000000", folder)
    viewers.wait_for_colors(desktop, viewers.places(window), (90, 0, 0), BLACK)
