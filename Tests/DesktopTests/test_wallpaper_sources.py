"""The wallpaper example: it follows what the desktop shows."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from .desktop import Daemon, Desktop, require, rgb, wait_until
from .sway import Sway
from .wallpapers import GREEN, NOWHERE, ORANGE, SCRIPT, draw, theme, theme_of

from wallpaper.sources import image_argument, path_of  # isort: skip (found by the line before)

BACKGROUND = "org.gnome.desktop.background"
INTERFACE = "org.gnome.desktop.interface"
# Quotes of each kind, a line's end, a percent sign, and what is special to shells and in URIs.
ODD = "a 'b\" %41 #1?\n$(x) é.png"


@contextmanager
def following(desktop: Desktop, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs the script while something changes; it must go on, and end when it is told to."""
    script = desktop.spawn(SCRIPT, *NOWHERE, "--follow", "--only", "kitty", *options)
    yield script
    assert script.poll() is None, desktop.log(SCRIPT)
    script.send_signal(signal.SIGTERM)
    assert script.wait(timeout=60) == 128 + signal.SIGTERM
    wait_until(lambda: "gsettings" not in desktop.processes().values(), what="its monitors end")


def wait_for_theme(desktop: Desktop, picture: Path, scheme: str = "auto") -> None:
    """Waits until kitty's colors are those of a picture."""
    file = desktop.home / ".config/kitty/undertone.conf"
    line = f"background {theme_of(desktop, picture, scheme)['background']}\n"
    wait_until(lambda: file.exists() and line in file.read_text(), what=f"{file} has {line}")


@pytest.fixture
def pictures(desktop: Desktop) -> tuple[Path, Path]:
    """A green picture with an odd name, and an orange one."""
    return draw(desktop.home / ODD, GREEN), draw(desktop.home / "orange.png", ORANGE)


def set_uri(desktop: Desktop, key: str, picture: Path) -> None:
    """Sets GNOME's wallpaper, as its settings write it."""
    desktop.run("gsettings", "set", BACKGROUND, key, f"file://{quote(str(picture))}")


@pytest.mark.usefixtures("daemon")
def test_follows_gnome(desktop: Desktop, pictures: tuple[Path, Path]) -> None:
    """Another wallpaper, the dark style with one of its own, and a new file of the same name."""
    require("gsettings")
    green, orange = pictures
    set_uri(desktop, "picture-uri", green)
    set_uri(desktop, "picture-uri-dark", orange)
    with following(desktop, "--from", "gnome"):
        wait_for_theme(desktop, green)
        set_uri(desktop, "picture-uri", orange)
        wait_for_theme(desktop, orange)
        set_uri(desktop, "picture-uri-dark", green)
        desktop.run("gsettings", "set", INTERFACE, "color-scheme", "prefer-dark")
        wait_for_theme(desktop, green, "dark")
        draw(green, "#40104a")
        wait_for_theme(desktop, green, "dark")
        desktop.run("gsettings", "set", INTERFACE, "color-scheme", "prefer-light")
        wait_for_theme(desktop, orange, "light")


@pytest.mark.usefixtures("daemon")
def test_finds_gnome_by_itself(desktop: Desktop, pictures: tuple[Path, Path]) -> None:
    """In GNOME's session its wallpaper counts, not what feh has left."""
    require("gsettings", "feh")
    green, orange = pictures
    desktop.run("feh", "--bg-fill", orange)
    theme(desktop, "--only", "kitty")
    wait_for_theme(desktop, orange)
    set_uri(desktop, "picture-uri", green)
    desktop.environment["XDG_CURRENT_DESKTOP"] = "ubuntu:GNOME"
    theme(desktop, "--only", "kitty")
    wait_for_theme(desktop, green)


@pytest.mark.usefixtures("daemon")
def test_follows_feh(desktop: Desktop, pictures: tuple[Path, Path]) -> None:
    """feh's own script tells what it shows, whatever the picture's name."""
    require("feh")
    green, orange = pictures
    with following(desktop, "--from", "feh"):
        for picture in (green, orange, green):
            desktop.run("feh", "--bg-fill", picture)
            wait_for_theme(desktop, picture)


@pytest.mark.usefixtures("daemon")
def test_colors_the_letterbox(desktop: Desktop) -> None:
    """Around a picture in the middle of the screen is its own average, until that is undone."""
    require("feh")
    corner, middle = (3, 3), (640, 400)
    upright = draw(desktop.home / ODD, GREEN, (40, 400))
    desktop.run("feh", "--bg-center", "--image-bg", "#808080", upright)
    assert desktop.pixel(corner) == (128, 128, 128)
    theme(desktop, "--from", "feh", "--letterbox", "--only", "letterbox")
    desktop.wait_for_pixel(corner, rgb(GREEN))
    draw(upright, ORANGE, (40, 400))
    theme(desktop, "--from", "feh", "--letterbox", "--only", "letterbox")
    desktop.wait_for_pixel(corner, rgb(ORANGE))
    assert desktop.pixel(middle) == rgb(ORANGE)
    assert "#808080" in (desktop.home / ".fehbg").read_text()
    theme(desktop, "--from", "feh", "--undo=all")
    desktop.wait_for_pixel(corner, (128, 128, 128))


@pytest.mark.usefixtures("daemon")
def test_draws_a_named_picture_with_its_letterbox(desktop: Desktop) -> None:
    """Without a wallpaper of feh's the picture becomes one, as large as there is room."""
    require("feh")
    upright = draw(desktop.home / "upright.png", GREEN, (200, 800))
    theme(desktop, "--letterbox", upright)
    desktop.wait_for_pixel((3, 3), rgb(GREEN))


@pytest.mark.usefixtures("daemon")
def test_follows_swaybg(desktop: Desktop, sway: Sway, pictures: tuple[Path, Path]) -> None:
    """The one that was started last counts, and its successor when it ends."""
    require("swaybg")
    green, orange = pictures
    first = desktop.spawn("swaybg", "-m", "fill", "-i", green)
    sway.wait_for_pixel((400, 300), rgb(GREEN))
    with following(desktop):
        wait_for_theme(desktop, green)
        second = desktop.spawn("swaybg", "--mode=fill", f"--image={orange.name}")
        first.terminate()
        sway.wait_for_pixel((400, 300), rgb(ORANGE))
        wait_for_theme(desktop, orange)
        desktop.spawn("swaybg", "-i", green, "-o", "*")
        wait_for_theme(desktop, green)
        second.terminate()


def test_follows_a_link_and_outlives_the_daemon(
    desktop: Desktop, daemon: Daemon, pictures: tuple[Path, Path]
) -> None:
    """A link that leads elsewhere is a change, as for the daemon that the script starts itself."""
    green, orange = pictures
    link = desktop.home / "wallpaper"
    link.symlink_to(green)

    def turn(picture: Path) -> None:
        new = desktop.home / "new"
        new.symlink_to(picture)
        new.rename(link)

    with following(desktop, str(link)):
        wait_for_theme(desktop, green)
        turn(orange)
        wait_for_theme(desktop, orange)
        daemon.kill()
        # The first one may still be asked for when the daemon is missed, the others are told.
        for picture in (green, orange, green):
            turn(picture)
            wait_for_theme(desktop, picture)


def test_reads_arguments_and_uris() -> None:
    """Those of swaybg, in each of its spellings, and what GNOME's settings may hold."""
    assert image_argument([b"-o", b"*", b"-i", b"/a b", b"-m", b"fill"]) == b"/a b"
    assert image_argument([b"-i", b"/a", b"-o", b"DP-1", b"--image", b"/b"]) == b"/b"
    assert image_argument([b"--image=/a=b"]) == b"/a=b"
    assert image_argument([b"-i/a"]) == b"/a"
    assert image_argument([b"-c", b"#ffffff"]) is None
    assert image_argument([b"-i"]) is None
    assert path_of("file:///a%20b%ff") == b"/a b\xff"
    assert path_of("file://localhost/a") == b"/a"
    assert path_of("/plain/path%20") == b"/plain/path%20"
    assert path_of("/a\udcff") == os.fsencode("/a\udcff")
    for uri in ["", "none", "http://host/a", "file://"]:
        assert path_of(uri) is None
