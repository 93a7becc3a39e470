"""Turns over the pages of an album."""

from __future__ import annotations

from .coloring import Coloring
from .loading import Loader, Wish
from .page import Page
from .pictures import Album, display_name
from .strip import Strip
from .toolkit import Adw, Gdk, GLib


class Show:
    """Has the carousel show an album; keeps the picture shown and its two neighbours loaded."""

    def __init__(self, carousel: Adw.Carousel, strip: Strip, coloring: Coloring) -> None:
        self._carousel, self._strip, self._coloring = carousel, strip, coloring
        self._album = Album(b"")
        self._pages: list[Page] = []
        self._position = 0.0
        # In pixels of the display; nothing is loaded before it is known.
        self._room = (0, 0)
        self._loader = Loader(self._loaded)
        carousel.connect("notify::position", lambda *_: self._moved())

    def stop(self) -> None:
        """Loads nothing any more."""
        self._loader.stop()

    def begin(self, album: Album) -> None:
        """Shows other pictures."""
        for page in self._pages:
            self._carousel.remove(page)
        self._album = album
        self._pages = [Page(display_name(name)) for name in album.names]
        for page in self._pages:
            self._carousel.append(page)
        self._position = float(album.start)
        self._strip.dots.set_pages([page.name for page in self._pages])
        self._strip.dots.set_position(self._position)
        self._coloring.begin(album)
        self._want()

    def set_room(self, width: int, height: int) -> None:
        """Learns how large a picture can be shown; others are then loaded where it has changed."""
        first = self._room == (0, 0)
        if (width, height) != self._room:
            self._room = (width, height)
            if first and self._album.start:
                # The carousel has no places for its pages before.
                self._carousel.scroll_to(self._pages[self._album.start], False)
            self._want()

    def turn(self, step: int) -> None:
        """Goes some pages on, or back."""
        self.go_to(self.current + step)

    def go_to(self, page: int) -> None:
        """Goes to a page, sliding if it is the next one; does nothing where there is none."""
        if 0 <= page < len(self._pages):
            self._carousel.scroll_to(self._pages[page], abs(page - self._position) < 1.5)

    @property
    def current(self) -> int:
        """The page that is seen, or most of it."""
        position: float = self._carousel.get_position()
        return max(0, min(round(position), len(self._pages) - 1))

    def last(self) -> int:
        """The last page."""
        return len(self._pages) - 1

    def _moved(self) -> None:
        if self._room == (0, 0):
            return  # It is not where it begins yet.
        position = self._carousel.get_position()
        is_jump = abs(position - self._position) >= 1
        turned = round(position) != round(self._position)
        self._position = position
        self._coloring.follow(position, is_jump)
        self._strip.dots.set_position(position)
        if turned:
            self._want()

    def _want(self) -> None:
        if not self._pages or self._room == (0, 0):
            return
        current = self.current
        number = f"{current + 1} of {len(self._pages)}"
        self._strip.set_texts(self._pages[current].name, number)
        near = [current, *self._album.neighbors(current, 1)]
        for index, page in enumerate(self._pages):
            if index not in near:
                page.drop()
        wishes = [Wish(self._album.path(index), *self._room) for index in near]
        self._loader.want(
            [
                wish
                for index, wish in zip(near, wishes, strict=True)
                if self._pages[index].wish != wish
            ]
        )
        for index in near:
            self._pages[index].wait()

    def _loaded(self, wish: Wish, result: Gdk.Texture | Exception) -> None:
        index = self._album.page(wish.path)
        if index is None or index not in [self.current, *self._album.neighbors(self.current, 1)]:
            return
        if isinstance(result, GLib.Error):
            self._pages[index].show_error(wish, result.message)
        elif isinstance(result, OSError):
            self._pages[index].show_error(wish, f"{result.strerror}.")
        elif isinstance(result, Exception):
            self._pages[index].show_error(wish, str(result))
        else:
            self._pages[index].show_picture(wish, result)
