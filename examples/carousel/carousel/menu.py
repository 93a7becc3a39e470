"""The menu, the keys and the style."""

from __future__ import annotations

from .toolkit import Gio, GLib, Gtk

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
    "win.open": ["<Control>o"],
    "win.fullscreen": ["F11"],
    "window.close": ["<Control>w", "<Control>q"],
}

# Those that mean something to buttons and menus, too, which come first where they have the focus.
PLAIN_KEYS = {
    ("win.turn", 1): ["Right", "space", "Page_Down"],
    ("win.turn", -1): ["Left", "<Shift>space", "BackSpace", "Page_Up"],
    ("win.first", None): ["Home"],
    ("win.last", None): ["End"],
    ("win.unfullscreen", None): ["Escape"],
    ("window.close", None): ["q"],
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


def plain_keys() -> Gtk.ShortcutController:
    """The keys without Control."""
    controller = Gtk.ShortcutController()
    for (action, argument), keys in PLAIN_KEYS.items():
        for key in keys:
            shortcut = Gtk.Shortcut.new(
                Gtk.ShortcutTrigger.parse_string(key), Gtk.NamedAction.new(action)
            )
            if argument is not None:
                shortcut.set_arguments(GLib.Variant("i", argument))
            controller.add_shortcut(shortcut)
    return controller
