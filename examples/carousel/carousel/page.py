"""One page of the carousel."""

from __future__ import annotations

from .loading import Wish
from .toolkit import Adw, Gdk, GLib, Gtk, name_widget


class Page(Adw.Bin):
    """A picture that comes and goes; nothing but its name is kept meanwhile."""

    # Milliseconds before a wheel turns: most pictures come sooner.
    PATIENCE = 300

    def __init__(self, name: str) -> None:
        super().__init__(hexpand=True, vexpand=True)
        self.name = name
        # What is shown here, be it the picture or the error.
        self.wish: Wish | None = None
        self._waiting = 0
        name_widget(self, name)

    def wait(self) -> None:
        """Shows that the picture is on its way, if it takes long."""
        if not (self.wish or self._waiting):
            self._waiting = GLib.timeout_add(self.PATIENCE, self._turn)

    def show_picture(self, wish: Wish, texture: Gdk.Texture) -> None:
        """Shows the picture."""
        self._clear(wish)
        picture = Gtk.Picture.new_for_paintable(texture)
        picture.set_content_fit(Gtk.ContentFit.SCALE_DOWN)
        name_widget(picture, self.name)
        self.set_child(picture)

    def show_error(self, wish: Wish, message: str) -> None:
        """Says why there is no picture."""
        self._clear(wish)
        # Such as names in it that are no text.
        message = message.encode("utf-8", "replace").decode()
        self.set_child(
            Adw.StatusPage(
                icon_name="image-missing-symbolic",
                title="Cannot Show This Picture",
                description=GLib.markup_escape_text(f"{self.name}\n{message}"),
            )
        )

    def drop(self) -> None:
        """Lets go of whatever is shown."""
        if self.wish or self._waiting or self.get_child():
            self._clear(None)
            self.set_child(None)

    def _clear(self, wish: Wish | None) -> None:
        self.wish = wish
        if self._waiting:
            GLib.source_remove(self._waiting)
            self._waiting = 0

    def _turn(self) -> bool:
        self._waiting = 0
        spinner = Gtk.Spinner(
            spinning=True, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER, width_request=32
        )
        name_widget(spinner, f"Loading {self.name}")
        self.set_child(spinner)
        return bool(GLib.SOURCE_REMOVE)
