"""The window: a header bar, the carousel, and the strip under it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from .actions import add_actions
from .coloring import Coloring
from .glyphs import Glyph
from .menu import main_menu, plain_keys
from .neutral import neutral_look
from .options import Options
from .pictures import Album, display_name, read_album
from .room import Room
from .show import Show
from .strip import Strip
from .toolkit import Adw, GdkPixbuf, Gio, GLib, Gtk, name_widget, on_main
from .worker import Worker


class Window(Adw.ApplicationWindow):
    """Shows the pictures of one folder."""

    def __init__(self, application: Gtk.Application, options: Options, glyph: Glyph | None) -> None:
        super().__init__(
            application=application, default_width=960, default_height=720, title="Carousel"
        )
        self._page = options.page
        self._title = Adw.WindowTitle(title="Carousel")
        self._stack = Gtk.Stack(vexpand=True)
        self.carousel = Adw.Carousel(hexpand=True, vexpand=True, focusable=True)
        name_widget(self.carousel, "Pictures")
        strip = Strip(lambda page: self.pages.go_to(page))
        self.coloring = Coloring(strip, neutral_look(self), glyph, options)
        self.pages = Show(self.carousel, strip, self.coloring)
        self._lister = Worker(list_pictures, self._listed, lambda: None, on_main)
        opening = Gio.SimpleAction.new("open", None)
        opening.connect("activate", lambda *_: self.choose())
        self.add_action(opening)
        add_actions(self, self.pages, self.coloring, options)
        self._compose(strip)
        self.connect("close-request", lambda _: self._stop())
        self._style = Adw.StyleManager.get_default()
        self._theme = self._style.connect("notify::dark", lambda *_: self._theme_changed())
        if options.is_fullscreen:
            self.fullscreen()
        if options.place:
            self.open(options.place)
        else:
            self._say("Open a Folder", "Its pictures are shown here.")

    def open(self, place: bytes) -> None:
        """Shows a folder, or a picture among those beside it."""
        self._lister.want([place])

    def choose(self) -> None:
        """Has the user choose a folder."""
        self._chooser = Gtk.FileChooserNative(
            title="Open a Folder",
            transient_for=self,
            modal=True,
            action=Gtk.FileChooserAction.SELECT_FOLDER,
        )
        self._chooser.connect("response", self._chosen)
        self._chooser.show()

    def _chosen(self, chooser: Gtk.FileChooserNative, response: int) -> None:
        if response == Gtk.ResponseType.ACCEPT and (path := chooser.get_file().get_path()):
            self.open(os.fsencode(path))

    def _compose(self, strip: Strip) -> None:
        header = Adw.HeaderBar(title_widget=self._title)
        folder = Gtk.Button(
            icon_name="folder-open-symbolic", tooltip_text="Open a Folder", action_name="win.open"
        )
        name_widget(folder, "Open a Folder")
        menu = Gtk.MenuButton(
            icon_name="open-menu-symbolic",
            tooltip_text="Main Menu",
            menu_model=main_menu(),
            primary=True,
        )
        name_widget(menu, "Main Menu")
        header.pack_start(folder)
        header.pack_end(menu)
        self._status = Adw.StatusPage(icon_name="image-x-generic-symbolic")
        self._offer = Gtk.Button(
            label="Open a Folder…",
            halign=Gtk.Align.CENTER,
            action_name="win.open",
            css_classes=["pill", "suggested-action"],
        )
        self._status.set_child(self._offer)
        pictures = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        pictures.append(Room(self.carousel, self.pages.set_room))
        pictures.append(strip)
        self._stack.add_named(Gtk.Box(), "nothing")
        self._stack.add_named(self._status, "status")
        self._stack.add_named(pictures, "pictures")
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        content.append(header)
        content.append(self._stack)
        content.add_controller(plain_keys())
        self.set_content(content)
        self.connect(
            "notify::fullscreened", lambda *_: header.set_visible(not self.is_fullscreen())
        )

    def _say(self, title: str, description: str) -> None:
        self._status.set_title(title)
        self._status.set_description(GLib.markup_escape_text(description))
        self._stack.set_visible_child_name("status")
        self._offer.grab_focus()

    def _listed(self, place: bytes, album: Album | Exception) -> None:
        if isinstance(album, Exception):
            message = album.strerror if isinstance(album, OSError) else str(album)
            self._say("Cannot Open It", f"{display_name(place)}: {message}")
            return
        folder = os.path.basename(os.path.abspath(album.folder))  # noqa: PTH100, PTH119
        self._title.set_title(display_name(folder) or "/")
        self.set_title(self._title.get_title())
        if album.names:
            if self._page:
                start = min(self._page, len(album.names)) - 1
                self._page, album = None, replace(album, start=start)
            self._stack.set_visible_child_name("pictures")
            self.carousel.grab_focus()
            self.pages.begin(album)
        else:
            self._say("No Pictures", "There are none in this folder.")

    def _theme_changed(self) -> None:
        def take() -> None:
            self.coloring.set_neutral(neutral_look(self))

        # The theme's colors are not there yet.
        GLib.idle_add(take)

    def _stop(self) -> bool:
        self._style.disconnect(self._theme)
        self._lister.stop()
        self.pages.stop()
        self.coloring.stop()
        return False


def list_pictures(place: bytes, _is_wanted: Callable[[], bool]) -> Album:
    """Lists the pictures of a folder that can be decoded here."""
    endings = frozenset(
        ending.encode()
        for kind in GdkPixbuf.Pixbuf.get_formats()
        for ending in kind.get_extensions()
    )
    return read_album(place, endings)
