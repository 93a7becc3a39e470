"""The wallpaper example: real programs take its colors, on the screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .desktop import ROOT, Argument, Desktop, require, rgb, wait_until
from .sway import Sway
from .wallpapers import theme, theme_of

pytestmark = pytest.mark.usefixtures("daemon")

# Pinned, so that a change of it elsewhere never fails one here.
PYWAL = "pywal16==3.8.15"


@pytest.fixture
def colors(desktop: Desktop, green: Path) -> dict[str, Any]:
    """What its theme is."""
    return theme_of(desktop, green)


@pytest.fixture(scope="session")
def wal() -> Path:
    """pywal, from PyPI, since Debian has none that is kept up."""
    venv = ROOT / ".build/desktop-venv"
    program = venv / "bin/wal"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        pip: list[Argument] = [
            venv / "bin/pip",
            "--quiet",
            "--disable-pip-version-check",
            "install",
            PYWAL,
        ]
        if subprocess.run(pip, check=False).returncode:
            pytest.skip(f"not to be had from PyPI: {PYWAL}")
    return program


def test_pywal_takes_it(desktop: Desktop, wal: Path, green: Path, colors: dict[str, Any]) -> None:
    """`wal --theme` makes its own files of it, all sixteen colors as they are."""
    theme(desktop, "--only", "pywal", green)
    made = desktop.home / ".cache/wal/colors.json"
    kept = made.rename(desktop.home / "theme.json")
    desktop.run(wal, "--theme", kept, "-n", "-s", "-t", "-e", "-q")
    lines = (desktop.home / ".cache/wal/colors").read_text().split()
    assert lines == [colors["colors"][f"color{index}"] for index in range(16)]
    assert colors["background"] in (desktop.home / ".cache/wal/colors-kitty.conf").read_text()


def test_kitty_takes_it(desktop: Desktop, green: Path, colors: dict[str, Any]) -> None:
    """Its window has the theme's background."""
    require("kitty")
    theme(desktop, "--only", "kitty", green)
    (desktop.home / ".config/kitty/kitty.conf").write_text("include undertone.conf\n")
    desktop.spawn("kitty", "--title", "a kitty", "sleep", "1000")
    window = desktop.window("a kitty")
    desktop.wait_for_pixel(window.middle, rgb(colors["background"]))


def test_foot_takes_it(desktop: Desktop, sway: Sway, green: Path, colors: dict[str, Any]) -> None:
    """It finds no fault with the file, and its window has the theme's background."""
    require("foot")
    theme(desktop, "--only", "foot", green)
    configuration = desktop.home / ".config/foot/foot.ini"
    configuration.write_text("[main]\ninclude=~/.config/foot/undertone.ini\n")
    desktop.run("foot", "--check-config")
    desktop.spawn("foot", "sleep", "1000")
    sway.wait_for_pixel((700, 500), rgb(colors["background"]))


def test_xterm_takes_its_resources(desktop: Desktop, green: Path, colors: dict[str, Any]) -> None:
    """Merged by xrdb, they color a new terminal, its sixteen colors too."""
    require("xterm", "xrdb")
    theme(desktop, "--only", "xresources", green)
    desktop.run("xrdb", "-merge", desktop.home / ".config/undertone/Xresources")
    # A screen full of blanks on color 2.
    paint = r"printf '\033[42m\033[2J'; exec sleep 1000"
    desktop.spawn("xterm", "-title", "plain", "-e", "sleep", "1000")
    plain = desktop.window("plain")
    desktop.wait_for_pixel(plain.middle, rgb(colors["background"]))
    desktop.spawn("xterm", "-title", "painted", "-e", "sh", "-c", paint)
    painted = desktop.window("painted")
    desktop.run("xdotool", "windowraise", str(painted.number))
    desktop.wait_for_pixel(painted.middle, rgb(colors["colors"]["color2"]))


def test_open_terminals_take_its_sequences(
    desktop: Desktop, green: Path, colors: dict[str, Any]
) -> None:
    """One that was open before gets its colors, and its own again when that is undone."""
    require("xterm")
    command = 'tty >"$HOME/tty"; exec sleep 1000'
    desktop.spawn("xterm", "-title", "open", "-bg", "#654321", "-e", "sh", "-c", command)
    place = desktop.window("open").middle
    desktop.wait_for_pixel(place, (0x65, 0x43, 0x21))
    tty = desktop.home / "tty"
    wait_until(lambda: tty.exists() and tty.read_text().endswith("\n"), what="xterm's name")
    only = ("--only", "sequences", "--tty", tty.read_text().strip())
    theme(desktop, *only, green)
    desktop.wait_for_pixel(place, rgb(colors["background"]))
    theme(desktop, *only, "--undo")
    desktop.wait_for_pixel(place, (0x65, 0x43, 0x21))


def test_waybar_takes_it(desktop: Desktop, sway: Sway, green: Path, colors: dict[str, Any]) -> None:
    """A style that imports the file has a bar in the accent, on the top of the screen."""
    require("waybar")
    theme(desktop, "--only", "waybar", green)
    folder = desktop.home / ".config/waybar"
    (folder / "config").write_text('{"layer": "top", "height": 30, "modules-center": ["clock"]}')
    (folder / "style.css").write_text(
        '@import "undertone.css";\nwindow#waybar { background: @accent; color: @background; }\n'
    )
    desktop.spawn("waybar", GDK_BACKEND="wayland")
    sway.wait_for_pixel((20, 15), rgb(colors["roles"]["accent"]))


APPLICATION = """
import gi

gi.require_version("Adw", "1")
from gi.repository import Adw, Gio, GLib, Gtk

faults = Gtk.CssProvider()
faults.connect("parsing-error", lambda _, where, error: print("FAULT", error.message, flush=True))
faults.load_from_path(GLib.get_user_config_dir() + "/gtk-4.0/gtk.css")


def activate(application):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.append(Adw.HeaderBar())
    window = Adw.ApplicationWindow(application=application, title="an application", content=box)
    window.set_default_size(400, 300)
    window.present()
    print("SHOWN", flush=True)


application = Adw.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", activate)
application.run()
"""


def test_gtk_takes_it(desktop: Desktop, green: Path, colors: dict[str, Any]) -> None:
    """GTK 4 finds no fault with the file, and an application of libadwaita has its colors."""
    probe = "import gi; gi.require_version('Adw', '1')"
    if desktop.try_run("python3", "-c", probe).returncode:
        pytest.skip("not installed: gir1.2-adw-1")
    theme(desktop, "--only", "gtk", green)
    (desktop.home / ".config/gtk-4.0/gtk.css").write_text('@import url("undertone.css");\n')
    desktop.spawn("python3", "-c", APPLICATION)
    window = desktop.window("an application", lambda window: window.width >= 400)
    desktop.wait_for_pixel(window.middle, rgb(colors["background"]))
    log = desktop.log("python3")
    assert "SHOWN" in log
    assert "FAULT" not in log
