"""Tiles in the colors of their pictures: given, and taken away again."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from gi.repository import Gio, GLib
from undertone import Colors, Undertone, UndertoneError

from . import cache, highlights
from .listing import Listing

RETRY_SECONDS = 5
# Thumbnails of videos and documents are no fault, and neither is a picture that has gone.
EXPECTED = {"unsupported_format", "not_found"}


class Tiles:
    """The pictures whose tiles are colored, all or those below some folders."""

    def __init__(self, folders: Iterable[Path], refreshes: bool) -> None:
        # As they are named and as links lead to them: thumbnails may be of either.
        self.folders = [
            os.fsencode(path)
            for folder in folders
            for path in (Path.cwd() / folder, folder.resolve())
        ]
        self.refreshes = refreshes
        self.list = Listing()

    def picture_of(self, thumbnail: Path) -> bytes | None:
        """The picture of a thumbnail, if it is one of those that are wanted."""
        uri = cache.picture_of(thumbnail)
        # A thumbnail is named after its picture, or is none.
        if uri is None or hashlib.md5(uri.encode("latin-1")).hexdigest() != thumbnail.stem:
            return None
        path = highlights.path_of(uri)
        return path if path and self.is_wanted(path) else None

    def is_wanted(self, path: bytes) -> bool:
        """Whether a picture lies below the folders."""
        return not self.folders or any(
            path.startswith(folder.rstrip(b"/") + b"/") for folder in self.folders
        )

    def color(self, thumbnails: Iterable[Path], priority: Literal["normal", "idle"]) -> None:
        """Colors the tiles of thumbnails' pictures; waits for a daemon where there is none."""
        waiting = {path: None for name in thumbnails if (path := self.picture_of(name))}
        complained = False
        while waiting:
            try:
                with Undertone(start=True) as undertone:
                    for path, answer in undertone.colors(
                        list(waiting), sampling="thumbnail", priority=priority
                    ):
                        self.color_tile(path, answer)
                        del waiting[path]
            except (OSError, UndertoneError) as error:
                if not complained:
                    complain(f"undertoned cannot be asked, and will be again: {error}")
                complained = True
                time.sleep(RETRY_SECONDS)

    def color_tile(self, path: bytes, answer: Colors | UndertoneError) -> None:
        """Colors one tile by the answer about its picture."""
        if isinstance(answer, UndertoneError):
            if answer.code not in EXPECTED:
                complain(f"{path!r}: {answer}")
            return
        if not (answer.background and answer.foreground):
            return
        file = Gio.File.new_for_path(os.fsdecode(path))
        try:
            if not highlights.is_due(file, answer.background, answer.foreground.color):
                return
            # Before: a tile that is colored and not listed would stay so.
            self.list.add(file.get_uri())
            highlights.put(file, answer.background, answer.foreground.color)
        except GLib.Error as error:
            complain(f"{path!r}: {error.message}")
            return
        if self.refreshes:
            highlights.refresh(file)

    def remove(self) -> None:
        """Takes all colors away that were given by this program."""
        kept = []
        for uri in self.list.uris():
            file = Gio.File.new_for_uri(uri)
            if not self.is_wanted(highlights.path_of(uri) or b""):
                kept.append(uri)
                continue
            try:
                if highlights.remove(file) and self.refreshes:
                    highlights.refresh(file)
            except GLib.Error as error:
                # What is gone has no colors any more.
                if not error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.NOT_FOUND):
                    complain(f"{uri}: {error.message}")
        self.list.replace(kept)


def complain(message: str) -> None:
    """Says on standard error what is wrong, if that is to be had."""
    try:
        print(f"thunar-tiles: {message}", file=sys.stderr, flush=True)
    except OSError:
        # It is on the same full disk, perhaps. Python would try it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
