"""The menu, the keys and the style."""

from __future__ import annotations

from .toolkit import Gio

CHOICES = {
    "Average Color": ("win.average", {"simple": "Mean", "squareRoot": "Square Root"}),
    "Material": ("win.material", {"auto": "Thinnest", "light": "Light", "dark": "Dark"}),
    "Page Mark": (
        "win.glyph",
        {"automatic": "Automatic", "original": "Own Colors", "tint": "Tinted"},
    ),
    "Appearance": (
        "app.color-scheme",
        {"system": "Follow System", "light": "Light", "dark": "Dark"},
    ),
}

KEYS = {
    "win.turn(1)": ["Right", "space", "Page_Down"],
    "win.turn(-1)": ["Left", "<Shift>space", "BackSpace", "Page_Up"],
    "win.first": ["Home"],
    "win.last": ["End"],
    "win.open": ["<Control>o"],
    "win.fullscreen": ["F11"],
    "win.unfullscreen": ["Escape"],
    "window.close": ["q", "<Control>w", "<Control>q"],
}

STYLE = b"""
.dot, .dot:hover, .dot:active {
  background: none; box-shadow: none; border: none; padding: 0; min-width: 0; min-height: 0;
}
"""


def main_menu() -> Gio.Menu:
    """The menu of the header bar."""
    menu = Gio.Menu()
    for title, (action, labels) in CHOICES.items():
        section = Gio.Menu()
        for target, label in labels.items():
            section.append(label, f"{action}::{target}")
        menu.append_section(title, section)
    return menu
