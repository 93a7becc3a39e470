"""GTK and its kin, in the versions that the carousel is written for."""

from __future__ import annotations

from collections.abc import Callable

import gi

gi.require_version("Adw", "1")
gi.require_version("Gdk", "4.0")
gi.require_version("Gsk", "4.0")
gi.require_version("Gtk", "4.0")

from gi.repository import (  # noqa: E402 (only now it is known which)
    Adw,
    Gdk,
    GdkPixbuf,
    Gio,
    GLib,
    GObject,
    Graphene,
    Gsk,
    Gtk,
    Pango,
)

__all__ = [
    "Adw",
    "GLib",
    "GObject",
    "Gdk",
    "GdkPixbuf",
    "Gio",
    "Graphene",
    "Gsk",
    "Gtk",
    "Pango",
]


def on_main(function: Callable[[], None]) -> None:
    """Has a function called on the main thread, before anything is drawn."""
    GLib.idle_add(function, priority=GLib.PRIORITY_DEFAULT)


def rgba(color: str, opacity: float = 1) -> Gdk.RGBA:
    """A colour, `#rrggbb`, as GTK has it."""
    value = Gdk.RGBA()
    value.parse(color)
    value.alpha = opacity
    return value


def name_widget(widget: Gtk.Widget, name: str) -> None:
    """Tells a screen reader what a widget is."""
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
