"""The plugin for Eye of GNOME: its header bar can be read, and it can be switched off."""

from __future__ import annotations

import pytest

from .desktop import SCREEN, Desktop, Window, require, wait_until
from .test_viewers import BLACK, EOG, start_eog, switch_plugin
from .viewers import (
    Places,
    focus,
    follow,
    install,
    make_pictures,
    press,
    still,
    text_contrasts,
    wait_for_colors,
)


def bar_box(window: Window) -> tuple[int, int, int, int]:
    """The header bar without its edges, in a window that has a frame of five pixels."""
    return window.x + 8, window.y + 8, window.x + window.width - 8, window.y + EOG.bar - 3


@pytest.mark.usefixtures("daemon")
def test_the_header_bar_can_be_read(desktop: Desktop) -> None:
    """Every text and symbol in it, with and without the focus."""
    require("eog", "feh")
    install(desktop, "eog")
    # The first two are the greys with which black and white text are hardest to tell apart.
    colors = [(117, 117, 117), (118, 118, 118), (16, 20, 90), (250, 240, 190)]
    names = [b"a.png", b"b.png", b"c.png", b"d.png"]
    folder = make_pictures(desktop, dict(zip(names, colors, strict=True)))
    window = start_eog(desktop, folder)
    for color in colors:
        wait_for_colors(desktop, EOG.places(window), color, color)
        desktop.wait_for_pixel(bar_box(window)[:2], color)
        contrasts = text_contrasts(still(desktop, bar_box(window)))
        # Zoom, title, full screen, menu and three for the window.
        assert len(contrasts) >= 7, color
        assert min(contrasts) >= 4.5, color
        if color != colors[-1]:
            press(desktop, window, EOG.next)

    desktop.spawn("feh", "--title", "other", "--geometry", "50x50+0+0", folder)
    focus(desktop, desktop.window("^other$"))
    assert text_contrasts(still(desktop, bar_box(window))) == contrasts


@pytest.mark.usefixtures("daemon")
def test_is_off_when_it_is_disabled(desktop: Desktop) -> None:
    """A window has its own colours back at once, and the user's settings were never touched."""
    require("eog")
    install(desktop, "eog")
    view = "org.gnome.eog.view"
    # No colour of the user's: the theme's then.
    desktop.run("gsettings", "set", view, "use-background-color", "false")
    color = (200, 20, 20)
    folder = make_pictures(desktop, {b"a picture.png": color})
    window = start_eog(desktop, folder, on=False)
    settings = desktop.run("gsettings", "list-recursively", view)
    where = EOG.places(window)
    desktop.wait_for_pixel(where.picture, color)
    focus(desktop, window)
    own_bar = still(desktop, bar_box(window)).tobytes()
    own = desktop.pixel(where.around)
    assert own not in (color, BLACK)

    for _ in range(2):
        switch_plugin(desktop, on=True)
        wait_for_colors(desktop, where, color, color)
        assert still(desktop, bar_box(window)).tobytes() != own_bar
        assert desktop.run("gsettings", "list-recursively", view) == settings
        switch_plugin(desktop, on=False)
        wait_for_colors(desktop, where, color, own)
        assert still(desktop, bar_box(window)).tobytes() == own_bar
    assert desktop.run("gsettings", "list-recursively", view) == settings
    follow(desktop, "eog", "Undo")
    assert not list((desktop.home / ".local/share/eog/plugins").iterdir())
    press(desktop, window, "ctrl+w")
    wait_until(lambda: "eog" not in desktop.processes().values(), what="eog has ended")
    assert "Traceback" not in desktop.log("eog")


@pytest.mark.usefixtures("daemon")
def test_leaves_the_full_screen_black(desktop: Desktop) -> None:
    """As eog has it; the window's colours are there again after that, those of the picture then."""
    require("eog")
    install(desktop, "eog")
    first, second = (200, 20, 20), (20, 120, 20)
    window = start_eog(desktop, make_pictures(desktop, {b"a.png": first, b"b.png": second}))
    where = EOG.places(window)
    wait_for_colors(desktop, where, first, first)
    press(desktop, window, "F11")
    middle = (SCREEN[0] // 2, SCREEN[1] // 2)
    corner = (30, SCREEN[1] - 30)
    wait_for_colors(desktop, Places(middle, corner), first, BLACK)
    press(desktop, window, EOG.next)
    wait_for_colors(desktop, Places(middle, corner), second, BLACK)
    press(desktop, window, "F11")
    wait_for_colors(desktop, where, second, second)
