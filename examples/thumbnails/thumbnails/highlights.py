"""The colors that Thunar has for a file's tile, in the metadata that GVFS keeps beside files."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from gi.repository import Gio

BACKGROUND = "metadata::thunar-highlight-color-background"
FOREGROUND = "metadata::thunar-highlight-color-foreground"
# What we have set ourselves, to be told from what somebody else has.
OURS = "metadata::undertone-highlight"

Highlight = tuple[str | None, str | None]


def are_kept(file: Gio.File) -> bool:
    """Whether something keeps such colors for a file; without GVFS nothing does."""
    namespaces = file.query_writable_namespaces(None)
    return namespaces is not None and namespaces.lookup("metadata") is not None


def is_ours(file: Gio.File) -> bool | None:
    """Whether a file's highlight is as we have set it; None where there never was any.

    False says that it is somebody else's: one that was there before, or that was changed or taken
    away since. Raises GLib.Error where the file is gone.
    """
    highlight, ours = _read(file)
    if ours is None:
        return None if highlight == (None, None) else False
    return " ".join(color or "" for color in highlight) == ours


def is_due(file: Gio.File, background: str, foreground: str) -> bool:
    """Whether a file's highlight is to be set: it is another one, and not somebody else's."""
    highlight, _ = _read(file)
    return is_ours(file) is not False and highlight != (background, foreground)


def put(file: Gio.File, background: str, foreground: str) -> None:
    """Sets a file's highlight."""
    _write(file, BACKGROUND, background)
    _write(file, FOREGROUND, foreground)
    _write(file, OURS, f"{background} {foreground}")


def remove(file: Gio.File) -> bool:
    """Takes a file's highlight away if it is ours; returns whether it was."""
    ours = is_ours(file)
    if ours:
        _write(file, BACKGROUND, None)
        _write(file, FOREGROUND, None)
    if ours is not None:
        _write(file, OURS, None)
    return bool(ours)


def refresh(file: Gio.File) -> None:
    """Has open windows look at a file again, by giving it the permissions that it has.

    That changes nothing of it but the time of its last change of status.
    """
    path = file.get_path()
    if path:
        with contextlib.suppress(OSError):
            Path(path).chmod(Path(path).stat().st_mode & 0o7777)


def _read(file: Gio.File) -> tuple[Highlight, str | None]:
    names = ",".join((BACKGROUND, FOREGROUND, OURS))
    info = file.query_info(names, Gio.FileQueryInfoFlags.NONE, None)
    background, foreground, ours = (
        info.get_attribute_string(name) for name in (BACKGROUND, FOREGROUND, OURS)
    )
    return (background, foreground), ours


def _write(file: Gio.File, name: str, value: str | None) -> None:
    flags = Gio.FileQueryInfoFlags.NONE
    if value is None:
        file.set_attribute(name, Gio.FileAttributeType.INVALID, None, flags, None)
    else:
        file.set_attribute_string(name, value, flags, None)


def path_of(uri: str) -> bytes | None:
    """The path of a local file's URI."""
    path = Gio.File.new_for_uri(uri).get_path()
    return None if path is None else os.fsencode(path)
