"""The strip under the pictures, which takes their colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dots import Dots, rectangle
from .looks import Look
from .toolkit import Adw, Gtk, Pango, rgba


class Strip(Gtk.CenterBox):
    """The name of the picture, its number, and the dots, in the colours of a look."""

    # Milliseconds for a change of colour that no swipe leads through.
    FADE = 250

    def __init__(self, go_to: Callable[[int], None]) -> None:
        super().__init__(height_request=64)
        self.look: Look | None = None
        # What a fade leads to.
        self.target: Look | None = None
        self.dots = Dots(go_to)
        self._fade: Any = None
        self._name = label("heading")
        self._number = label("caption", "numeric")
        texts = Gtk.Box(
            orientation=Gtk.Orientation.VERTICAL,
            spacing=2,
            valign=Gtk.Align.CENTER,
            margin_start=24,
            margin_end=24,
        )
        texts.append(self._name)
        texts.append(self._number)
        self.set_start_widget(texts)
        self.set_center_widget(self.dots)

    def set_texts(self, name: str, number: str) -> None:
        """Writes the picture's name and number."""
        if self._name.get_label() != name or self._number.get_label() != number:
            self._name.set_label(name)
            self._number.set_label(number)

    def set_look(self, look: Look) -> None:
        """Takes a look at once."""
        self._stop_fade()
        self.target = look
        self._take(look)

    def may_fade(self) -> bool:
        """Whether animations are wanted."""
        return bool(Adw.get_enable_animations(self))

    def fade(self, frames: tuple[Look, ...], look: Look) -> None:
        """Takes a look by way of others; at once where animations are not wanted."""
        if not frames:
            self.set_look(look)
            return
        self._stop_fade()
        self.target = look

        def show(value: float) -> None:
            self._take(look if value >= 1 else frames[int(value * len(frames))])

        self._fade = Adw.TimedAnimation.new(
            self, 0, 1, self.FADE, Adw.CallbackAnimationTarget.new(show)
        )
        self._fade.play()

    def _stop_fade(self) -> None:
        if self._fade:
            self._fade.pause()
            self._fade = None

    def _take(self, look: Look) -> None:
        if look == self.look:
            return
        old, self.look = self.look, look
        if old is None or old.primary != look.primary:
            self._name.set_attributes(colored(look.primary))
        if old is None or old.secondary != look.secondary:
            self._number.set_attributes(colored(look.secondary))
        self.dots.set_look(look)
        self.queue_draw()

    def do_snapshot(self, snapshot: Gtk.Snapshot) -> None:
        """Lays the background, and the rest on it."""
        if self.look:
            area = rectangle(0, 0, self.get_width(), self.get_height())
            snapshot.append_color(rgba(self.look.background), area)
        Gtk.CenterBox.do_snapshot(self, snapshot)


def label(*classes: str) -> Gtk.Label:
    """One line, cut in its middle where it is too long, so that its ending is seen."""
    return Gtk.Label(
        css_classes=list(classes), ellipsize=Pango.EllipsizeMode.MIDDLE, xalign=0, width_chars=8
    )


def colored(color: str) -> Pango.AttrList:
    """Attributes for text of a colour, `#rrggbb`."""
    attributes = Pango.AttrList()
    red, green, blue = (257 * value for value in bytes.fromhex(color.removeprefix("#")))
    attributes.insert(Pango.attr_foreground_new(red, green, blue))
    # Otherwise it would be as translucent as the theme's.
    attributes.insert(Pango.attr_foreground_alpha_new(0xFFFF))
    return attributes
