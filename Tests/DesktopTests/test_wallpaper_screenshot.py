"""The wallpaper example: a whole desktop in the colors of a photograph, as its page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .desktop import Desktop, require, rgb
from .wallpapers import theme, theme_of

PHOTOGRAPH = Path("/usr/share/backgrounds/seeding_by_Clements_Engelhardt.jpg")

TABLE = r"""
printf '\033[?25l\n   \033[1mtheme-from-wallpaper --follow\033[0m\n\n'
for color in 1 2 3 4 5 6 7; do
    printf '   \033[3%dm color %2d   \033[9%dm color %2d \033[0m  ' \
        $color $color $color $((color + 8))
    printf '\033[4%dm        \033[10%dm        \033[0m\n' $color $color
done
exec sleep 1000
"""

APPLICATION = """
import gi

gi.require_version("Adw", "1")
from gi.repository import Adw, Gio, Gtk


def activate(application):
    group = Adw.PreferencesGroup(title="Made from the wallpaper")
    for margin in ("top", "bottom", "start", "end"):
        group.set_property(f"margin-{margin}", 24)
    for title, subtitle in (("Follow the wallpaper", "Whenever it changes"), ("Letterbox", "")):
        row = Adw.ActionRow(title=title, subtitle=subtitle)
        row.add_suffix(Gtk.Switch(active=not title.startswith("L"), valign=Gtk.Align.CENTER))
        group.add(row)
    button = Gtk.Button(label="Apply", halign=Gtk.Align.CENTER)
    button.add_css_class("suggested-action")
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.append(Adw.HeaderBar())
    box.append(group)
    box.append(button)
    window = Adw.ApplicationWindow(application=application, title="an application", content=box)
    window.set_default_size(400, 320)
    window.present()


application = Adw.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", activate)
application.run()
"""


@pytest.mark.usefixtures("daemon")
def test_screenshot_of_a_whole_desktop(desktop: Desktop) -> None:
    """A terminal and an application before the photograph, both in its colors."""
    require("feh", "xterm", "xrdb")
    if not PHOTOGRAPH.exists():
        pytest.skip(f"not installed: {PHOTOGRAPH}")
    if desktop.try_run("python3", "-c", "import gi; gi.require_version('Adw', '1')").returncode:
        pytest.skip("not installed: gir1.2-adw-1")
    desktop.run("feh", "--bg-fill", PHOTOGRAPH)
    theme(desktop, "--from", "feh", "--scheme", "dark", "--only", "xresources,gtk")
    background = rgb(theme_of(desktop, PHOTOGRAPH, "dark")["background"])
    desktop.run("xrdb", "-merge", desktop.home / ".config/undertone/Xresources")
    (desktop.home / ".config/gtk-4.0/gtk.css").write_text('@import url("undertone.css");\n')
    font = ("-fa", "DejaVu Sans Mono", "-fs", "11")
    place = ("-geometry", "56x13+90+120")
    desktop.spawn("xterm", "-title", "a terminal", *font, *place, "-e", "sh", "-c", TABLE)
    desktop.spawn("python3", "-c", APPLICATION)
    terminal = desktop.window("a terminal")
    application = desktop.window("an application", lambda window: window.width >= 400)
    desktop.run("xdotool", "windowmove", str(application.number), "420", "250")
    application = desktop.window("an application", lambda window: window.x >= 410)
    # Where the terminal is not covered, and beside the application's button.
    desktop.wait_for_pixel((terminal.x + 6, terminal.middle[1]), background)
    corner = (application.x + application.width - 30, application.y + application.height - 30)
    desktop.wait_for_pixel(corner, background)
    desktop.keep("wallpaper", desktop.screenshot().crop((40, 90, 840, 590)))
