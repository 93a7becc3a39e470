"""The hooks for nsxiv: title, bar, and the key that gives window and bar a picture's colours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from .desktop import SCREEN, Desktop, Window, require, wait_until
from .test_viewers import BLACK
from .viewers import (
    HOSTILE,
    follow,
    install,
    make_pictures,
    places,
    press,
    still,
    stub_daemon,
    text_contrasts,
    wait_for_colors,
    without_client,
)

# The height of its bar, at the bottom.
BAR = 17


def start(desktop: Desktop, folder: Path, config: Path | None = None) -> Window:
    """Starts nsxiv where it was started before, which covers that one."""
    search = ("xdotool", "search", "--onlyvisible", "--class", "nsxiv")
    before = desktop.try_run(*search).stdout.split()
    config = config or desktop.home / ".config"
    desktop.spawn("nsxiv", "-g", "600x400+50+50", folder, XDG_CONFIG_HOME=str(config))
    return desktop.window(
        "png|nsxiv", when=lambda window: window.width == 600 and str(window.number) not in before
    )


def bar(window: Window) -> tuple[int, int, int, int]:
    """The left half of its bar."""
    bottom = window.y + window.height
    return window.x, bottom - BAR, window.x + window.width // 2, bottom


def words(desktop: Desktop, window: Window) -> list[float]:
    """The contrasts of the words in its bar now."""
    return text_contrasts(desktop.screenshot().crop(bar(window)))


def bars(desktop: Desktop, window: Window) -> list[Image.Image]:
    """Its bar for a picture, and for the thumbnail of it."""
    seen = []
    for count in (3, 2):  # Name, size and colour; a thumbnail has no size.

        def is_said(count: int = count) -> bool:
            return len(words(desktop, window)) == count

        wait_until(is_said, what=f"the bar has {count} words")
        seen.append(still(desktop, bar(window)))
        press(desktop, window, "Return")
    return seen


def test_title_and_bar_name_each_color(desktop: Desktop) -> None:
    """Whatever the pictures' names are; and the daemon is started for it."""
    require("nsxiv")
    install(desktop, "nsxiv")
    folder = make_pictures(desktop, HOSTILE)
    window = start(desktop, folder)
    shown = {}
    for number in range(1, len(HOSTILE) + 1):
        desktop.window(rf"\[{number}/{len(HOSTILE)}\]  #[0-9a-f]{{6}} (dark|light)$")
        # The bar is empty until its hook has answered, too.
        wait_until(lambda: bool(words(desktop, window)), what="the bar has words")
        shot = still(desktop, (0, 0, *SCREEN))
        title = re.search(r"#(\w+) (\w+)$", desktop.title(window))
        assert title
        color = shot.getpixel(places(window).picture)
        assert tuple(bytes.fromhex(title[1])) == color
        assert title[2] == ("light" if color == (232, 224, 192) else "dark")
        shown[color] = shot.crop(bar(window)).tobytes()
        press(desktop, window, "n")
    assert sorted(shown) == sorted(HOSTILE.values())
    assert len(set(shown.values())) == len(shown)
    assert "undertoned" in desktop.processes().values()


@pytest.mark.usefixtures("daemon")
def test_the_bar_says_what_it_should(desktop: Desktop) -> None:
    """As in an nsxiv whose hook prints the very words, for pictures and for thumbnails."""
    require("nsxiv")
    install(desktop, "nsxiv")
    folder = make_pictures(desktop, {b"a.png": (42, 106, 82)})
    other = desktop.home / "other/nsxiv/exec"
    other.mkdir(parents=True)
    size = "60\N{MULTIPLICATION SIGN}20"
    hooks = {"image-info": f"a.png  {size}  #2a6a52", "thumb-info": "a.png  #2a6a52"}
    for hook, text in hooks.items():
        (other / hook).write_text(f"#!/bin/sh\nprintf '%s' '{text}'\n")
        (other / hook).chmod(0o755)
    expected = bars(desktop, start(desktop, folder, other.parent.parent))
    seen = bars(desktop, start(desktop, folder))
    assert [bar.tobytes() for bar in seen] == [bar.tobytes() for bar in expected]
    assert expected[0].tobytes() != expected[1].tobytes()
    assert min(ratio for bar in expected for ratio in text_contrasts(bar)) >= 4.5


def test_asks_ahead_and_does_not_wait(desktop: Desktop) -> None:
    """The page can be turned while an answer is awaited, and the neighbours are asked about."""
    require("nsxiv")
    install(desktop, "nsxiv")
    own = {b"a.png": (90, 0, 0), b"b.png": (0, 90, 0), b"c.png": (0, 0, 90)}
    folder = make_pictures(desktop, own)
    answers = {"a.png": "#101112", "b.png": "#202122", "c.png": "#303132"}
    with stub_daemon(desktop, answers) as stub:
        stub.hold("b.png")
        window = start(desktop, folder)
        where = places(window)
        desktop.window(r"^a\.png \[1/3\]  #101112 dark$")
        stub.wait_asked("b.png", "idle")
        press(desktop, window, "n")
        wait_for_colors(desktop, where, own[b"b.png"], BLACK)
        stub.wait_asked("b.png")
        press(desktop, window, "n")
        wait_for_colors(desktop, where, own[b"c.png"], BLACK)
        desktop.window(r"^c\.png \[3/3\]  #303132 dark$")
        stub.release("b.png")
        stub.wait_done()
        wait_until(
            lambda: not {"undertone", "win-title"} & set(desktop.processes().values()),
            what="nobody waits for an answer",
        )
        assert desktop.title(window) == "c.png [3/3]  #303132 dark"


@pytest.mark.usefixtures("daemon")
def test_a_key_gives_window_and_bar_the_colors(desktop: Desktop) -> None:
    """From the next start on, and another key takes them back."""
    require("nsxiv", "xrdb")
    install(desktop, "nsxiv")
    # The one with a newline comes first, and is the one that is shown.
    names = {b"a\nb.png": (232, 224, 192), b"c.png": (32, 48, 128)}
    folder = make_pictures(desktop, names)
    desktop.run("sh", "-c", "echo 'Other.background: red' | xrdb -merge")
    window = start(desktop, folder)
    wait_for_colors(desktop, places(window), (232, 224, 192), BLACK)
    press(desktop, window, "ctrl+x")
    press(desktop, window, "b")
    wait_until(lambda: "Nsxiv.mark" in desktop.run("xrdb", "-query"), what="there are colors")
    window = start(desktop, folder)
    wait_for_colors(desktop, places(window), (232, 224, 192), (232, 224, 192))
    wait_until(lambda: len(words(desktop, window)) >= 2, what="there are words in the bar")
    shown = still(desktop, bar(window))
    assert max(shown.getcolors(9999))[1] == (232, 224, 192)
    contrasts = text_contrasts(shown)
    assert len(contrasts) >= 2
    assert min(contrasts) >= 4.5
    press(desktop, window, "ctrl+x")
    press(desktop, window, "B")
    wait_until(
        lambda: desktop.run("xrdb", "-query") == "Other.background:\tred\n",
        what="only what there was before is left",
    )
    follow(desktop, "nsxiv", "Undo")
    assert not list((desktop.home / ".config/nsxiv/exec").iterdir())


def test_is_as_ever_without_undertone(desktop: Desktop) -> None:
    """Title and bar still name the picture."""
    require("nsxiv")
    install(desktop, "nsxiv")
    without_client(desktop)
    window = start(desktop, make_pictures(desktop, {b"a.png": (90, 0, 0)}))
    wait_for_colors(desktop, places(window), (90, 0, 0), BLACK)
    desktop.window(r"^a\.png \[1/1\]$")
