"""What the menu and the keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .coloring import Coloring
from .options import Options
from .questions import Average, Choice, Material
from .show import Show
from .toolkit import Gio, GLib, Gtk


def add_actions(
    window: Gtk.ApplicationWindow, pages: Show, coloring: Coloring, options: Options
) -> None:
    """Gives a window its actions, but for that of opening."""

    def fullscreen() -> None:
        if window.is_fullscreen():
            window.unfullscreen()
        else:
            window.fullscreen()

    simple: dict[str, Callable[[], None]] = {
        "first": lambda: pages.go_to(0),
        "last": lambda: pages.go_to(pages.last()),
        "fullscreen": fullscreen,
        "unfullscreen": window.unfullscreen,
    }
    for name, function in simple.items():
        action = Gio.SimpleAction.new(name, None)
        action.connect("activate", lambda *_, function=function: function())
        window.add_action(action)
    turn = Gio.SimpleAction.new("turn", GLib.VariantType.new("i"))
    turn.connect("activate", lambda _, step: pages.turn(step.get_int32()))
    window.add_action(turn)

    def average(value: Average) -> None:
        coloring.average = value
        coloring.ask_anew()

    def material(value: Material) -> None:
        coloring.material = value
        coloring.ask_anew()

    def glyph(value: Choice) -> None:
        coloring.choice = value
        coloring.show_mark()

    add_choice(window, "average", options.average, average)
    add_choice(window, "material", options.material, material)
    add_choice(window, "glyph", options.glyph_style, glyph)


def add_choice(group: Gio.ActionMap, name: str, value: str, change: Callable[[Any], None]) -> None:
    """Adds an action whose state is one of several names."""
    action = Gio.SimpleAction.new_stateful(
        name, GLib.VariantType.new("s"), GLib.Variant("s", value)
    )

    def changed(action: Gio.SimpleAction, state: GLib.Variant) -> None:
        action.set_state(state)
        change(state.get_string())

    action.connect("change-state", changed)
    group.add_action(action)
