"""The pictures of a folder, in the order in which they are turned over."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from dataclasses import dataclass

# How many pages a carousel bears: it places each of them in every frame.
MAXIMUM = 2000

# Controls, formats (such as those that reverse the order of letters) and separators of lines.
UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Album:
    """The pictures of `folder` by name, and the one to begin with; names are bytes."""

    folder: bytes
    names: tuple[bytes, ...] = ()
    start: int = 0

    def path(self, index: int) -> bytes:
        """Where a picture is."""
        return os.path.join(self.folder, self.names[index])  # noqa: PTH118 (pathlib knows no bytes)

    def page(self, path: bytes) -> int | None:
        """Which page a picture is on, None if on none."""
        return next((page for page in range(len(self.names)) if self.path(page) == path), None)

    def neighbors(self, index: int, reach: int) -> list[int]:
        """The pictures at most `reach` away, the nearest first and the next before the previous."""
        order = [index + step * sign for step in range(1, reach + 1) for sign in (1, -1)]
        return [number for number in order if 0 <= number < len(self.names)]


def read_album(place: bytes, endings: frozenset[bytes]) -> Album:
    """Lists a folder; of a file, lists its folder and begins with it.

    Pictures are the regular files that end in one of `endings`, such as `jpg`, and are not hidden;
    a file that is named itself is one whatever its ending. Raises OSError where there is nothing to
    list.
    """
    mode = os.stat(place).st_mode  # noqa: PTH116 (pathlib knows no bytes)
    if stat.S_ISDIR(mode):
        return Album(place, _listed(place, endings, None))
    folder, name = os.path.split(place)
    names = _listed(folder or b".", endings, name)
    return Album(folder or b".", names, names.index(name))


def _listed(folder: bytes, endings: frozenset[bytes], named: bytes | None) -> tuple[bytes, ...]:
    with os.scandir(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if entry.name == named
            or (
                not entry.name.startswith(b".")
                and b"." in entry.name
                and entry.name.rpartition(b".")[2].lower() in endings
                and entry.is_file()
            )
        ]
    names.sort(key=natural_order)
    if named is None or len(names) <= MAXIMUM:
        return tuple(names[:MAXIMUM])
    # As many as there may be, and the named one among them.
    first = min(max(0, names.index(named) - MAXIMUM // 2), len(names) - MAXIMUM)
    return tuple(names[first : first + MAXIMUM])


def natural_order(name: bytes) -> tuple[list[str | int], bytes]:
    """Sorts `2.jpg` before `10.jpg`, whatever the case; names that look alike by their bytes."""
    parts = re.split(r"([0-9]+)", os.fsdecode(name).casefold())
    return [int(part) if place % 2 else part for place, part in enumerate(parts)], name


def display_name(name: bytes) -> str:
    """Writes a name on one line, with a mark for whatever cannot be shown or would mislead."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter) in UNSEEN else letter
        for letter in name.decode("utf-8", errors="replace")
    )
