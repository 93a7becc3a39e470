"""What is recolored while it is open: terminals, and the desktop around the wallpaper."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from . import running
from .formats import RESET_SEQUENCES


def own_terminals() -> list[Path]:
    """The user's open terminals."""
    found = []
    for entry in Path("/dev/pts").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # It may be closed at any time.
            if entry.stat().st_uid == os.getuid():
                found.append(entry)
    return found


def recolor_terminals(sequences: str | None, terminals: Iterable[Path]) -> None:
    """Sends sequences to terminals, or, for None, those that bring their own colors back."""
    for terminal in terminals:
        with contextlib.suppress(OSError):
            # One that is stopped must not stop us, and none may become ours.
            number = os.open(terminal, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            try:
                os.write(number, (sequences or RESET_SEQUENCES).encode())
            finally:
                os.close(number)


def letterbox_command(command: list[str], picture: bytes, color: str | None) -> list[str]:
    """What has feh draw the wallpaper again, with a color around it, or, for None, without one.

    `command` is what `~/.fehbg` runs, or nothing. Raises ValueError where the wallpaper fills the
    screen, so that there is nothing around it.
    """
    words = command or ["feh", "--bg-max", os.fsdecode(picture)]
    if not {"--bg-max", "--bg-center"} & set(words):
        raise ValueError("feh's wallpaper fills the screen: set it with --bg-max or --bg-center")
    kept = [word for word in words[1:] if word != "--no-fehbg"]
    if "--image-bg" in kept and color:
        place = kept.index("--image-bg")
        del kept[place : place + 2]
    around = ["--image-bg", color] if color else []
    # Not into `~/.fehbg`: that stays as the user has made it.
    return ["feh", "--no-fehbg", *around, *kept]


def draw_letterbox(command: list[str], picture: bytes, color: str | None) -> None:
    """Has feh draw the wallpaper again; raises ValueError or FailedError where it cannot."""
    running.run([os.fsencode(word) for word in letterbox_command(command, picture, color)])
