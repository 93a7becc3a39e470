"""The place that pictures are shown in."""

from __future__ import annotations

from collections.abc import Callable

from .toolkit import Adw, GLib, Gtk, name_widget


class Room(Gtk.Widget):
    """Holds the carousel, and tells how many pixels of the display it has for a picture.

    At once when it is first known, then when it has changed and does so no more. While the pointer
    is over it, it shows a button at each side.
    """

    # Milliseconds without another change.
    QUIET = 150

    def __init__(self, carousel: Adw.Carousel, set_room: Callable[[int, int], None]) -> None:
        super().__init__(hexpand=True, vexpand=True)
        self._set_room = set_room
        self._timer = 0
        self._told = (0, 0)
        self._overlay = Gtk.Overlay(child=carousel)
        self._overlay.set_parent(self)
        self._buttons = [
            self._add_button("go-previous-symbolic", "Previous Picture", "win.turn(-1)", "START"),
            self._add_button("go-next-symbolic", "Next Picture", "win.turn(1)", "END"),
        ]
        pointer = Gtk.EventControllerMotion()
        pointer.connect("enter", lambda *_: self._reveal(True))
        pointer.connect("leave", lambda *_: self._reveal(False))
        self.add_controller(pointer)

    def _add_button(self, icon: str, name: str, action: str, side: str) -> Gtk.Revealer:
        button = Gtk.Button(
            icon_name=icon,
            tooltip_text=name,
            # So that Space goes on.
            focus_on_click=False,
            css_classes=["osd", "circular"],
        )
        button.set_detailed_action_name(action)
        name_widget(button, name)
        revealer = Gtk.Revealer(
            child=button,
            transition_type=Gtk.RevealerTransitionType.CROSSFADE,
            halign=getattr(Gtk.Align, side),
            valign=Gtk.Align.CENTER,
            margin_start=18,
            margin_end=18,
        )
        self._overlay.add_overlay(revealer)
        return revealer

    def _reveal(self, is_wanted: bool) -> None:
        for revealer in self._buttons:
            revealer.set_reveal_child(is_wanted)

    def do_measure(self, orientation: Gtk.Orientation, for_size: int) -> tuple[int, int, int, int]:
        """As large as what it holds."""
        smallest, natural, _, _ = self._overlay.measure(orientation, for_size)
        return smallest, natural, -1, -1

    def do_size_allocate(self, width: int, height: int, baseline: int) -> None:
        """Gives all of it to what it holds."""
        self._overlay.allocate(width, height, baseline, None)
        scale = self.get_scale_factor()
        room = (width * scale, height * scale)
        if room != self._told:
            if self._timer:
                GLib.source_remove(self._timer)
            # Not from here: the carousel must not be moved while it is given its place.
            wait = self.QUIET if any(self._told) else 0
            self._timer = GLib.timeout_add(wait, self._tell, room)

    def _tell(self, room: tuple[int, int]) -> bool:
        self._timer = 0
        self._told = room
        self._set_room(*room)
        return bool(GLib.SOURCE_REMOVE)
