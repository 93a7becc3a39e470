"""Eye of GNOME in the colours of the picture shown: the header bar and what surrounds it."""

from __future__ import annotations

import gi

gi.require_version("Eog", "3.0")
from gi.repository import Eog, GLib, GObject  # noqa: E402 (the version comes first)

from .asking import Colors, Question  # noqa: E402
from .dress import Dress  # noqa: E402

# How long a picture may wear the colours of the one before it, in milliseconds.
PATIENCE = 250


class UndertoneColors(GObject.Object, Eog.WindowActivatable):  # type: ignore[misc]
    """Asks about each picture that a window selects, and dresses the window accordingly."""

    window = GObject.property(type=Eog.Window)

    def do_activate(self) -> None:
        """Begins, with the picture that is shown already, if there is one."""
        self.dress = Dress(self.window)
        self.question: Question | None = None
        self.ahead: Question | None = None
        self.patience = 0
        self.thumbnails = self.window.get_thumb_view()
        self.selecting = self.thumbnails.connect("selection-changed", self.selected)
        self.selected(self.thumbnails)

    def do_deactivate(self) -> None:
        """Leaves the window as it was."""
        self.thumbnails.disconnect(self.selecting)
        self.forget()
        if self.ahead:
            self.ahead.cancel()
        self.dress.discard()

    def forget(self) -> None:
        """Drops the question that is not answered yet: its answer would be late."""
        if self.question:
            self.question.cancel()
        if self.patience:
            GLib.source_remove(self.patience)
        self.question, self.patience = None, 0

    def selected(self, thumbnails: Eog.ThumbView) -> None:
        """Asks about the picture that is selected now."""
        self.forget()
        # Two or none selected: eog shows no picture then.
        image = thumbnails.get_first_selected_image() if thumbnails.get_n_selected() == 1 else None
        if image is None or not image.get_file().is_native():
            self.dress.off()
            return
        self.patience = GLib.timeout_add(PATIENCE, self.slow)
        self.question = Question([image.get_file().get_uri()], "normal", self.answered, image)

    def slow(self) -> bool:
        """Takes the last picture's colours off while this one's are awaited."""
        self.patience = 0
        self.dress.off()
        return bool(GLib.SOURCE_REMOVE)

    def answered(self, colors: Colors | None, image: Eog.Image) -> None:
        """Shows the colours; of a picture without any, none."""
        self.forget()
        if colors is None:
            self.dress.off()
        else:
            self.dress.on(*colors)
        self.ask_ahead(image)

    def ask_ahead(self, image: Eog.Image) -> None:
        """Has the pictures on both sides looked at while nobody waits, on a connection apart."""
        if self.ahead:
            self.ahead.cancel()
        store = self.window.get_store()
        here, count = store.get_pos_by_image(image), store.length()
        # After the last comes the first; of two pictures there is only one other.
        sides = {(here + step) % count for step in (1, -1)} - {here} if here >= 0 else set()
        files = [store.get_image_by_pos(side).get_file() for side in sides]
        uris = [file.get_uri() for file in files if file.is_native()]
        self.ahead = Question(uris, "idle") if uris else None
