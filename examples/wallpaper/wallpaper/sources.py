"""Where the wallpaper's name is kept, and what tells that it is another one."""

from __future__ import annotations

import ast
import atexit
import contextlib
import os
import select
import shlex
import subprocess
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import IO
from urllib.parse import unquote_to_bytes

from .asking import Scheme
from .watching import Changes, FileWatch, start_thread


class Source:
    """A picture that somebody named, perhaps by a link that will lead to another one."""

    def __init__(self, picture: bytes | None = None) -> None:
        self._picture = picture

    def picture(self) -> bytes | None:
        """The wallpaper's path now."""
        return self._picture

    def scheme(self) -> Scheme:
        """What the desktop prefers; `auto` leaves it to the picture."""
        return "auto"

    def follow(self, changes: Changes) -> None:
        """Starts to tell when `picture` or `scheme` may answer otherwise, from another thread."""


class Gnome(Source):
    """GNOME's settings; one picture for each of the two styles."""

    BACKGROUND = "org.gnome.desktop.background"
    INTERFACE = "org.gnome.desktop.interface"

    def picture(self) -> bytes | None:
        key = "picture-uri-dark" if self.scheme() == "dark" else "picture-uri"
        return path_of(_setting(self.BACKGROUND, key) or _setting(self.BACKGROUND, "picture-uri"))

    def scheme(self) -> Scheme:
        preference = _setting(self.INTERFACE, "color-scheme")
        known: dict[str, Scheme] = {"prefer-dark": "dark", "prefer-light": "light"}
        return known.get(preference, "auto")

    def follow(self, changes: Changes) -> None:
        for schema in (self.BACKGROUND, self.INTERFACE):
            monitor = subprocess.Popen(["gsettings", "monitor", schema], stdout=subprocess.PIPE)
            # It would outlive us otherwise.
            atexit.register(monitor.kill)
            assert monitor.stdout
            start_thread(partial(_tell_lines, monitor.stdout, changes))


class Feh(Source):
    """The script in which feh keeps how to set the wallpaper again."""

    def __init__(self, script: Path | None = None) -> None:
        super().__init__()
        self.script = script or Path.home() / ".fehbg"

    def command(self) -> list[str]:
        """What the script runs; names keep their bytes by `os.fsencode`."""
        try:
            text = os.fsdecode(self.script.read_bytes())
            return shlex.split(text, comments=True)
        except (OSError, ValueError):
            return []  # There is none, or only half of one yet.

    def picture(self) -> bytes | None:
        # The pictures come last, one for each screen.
        named = list(takewhile(lambda word: word.startswith("/"), reversed(self.command())))
        return os.fsencode(named[-1]) if named else None

    def follow(self, changes: Changes) -> None:
        FileWatch(os.fsencode(self.script), changes)


class Swaybg(Source):
    """The arguments of the swaybg that runs, of several the one that was started last."""

    LOOK_AGAIN_SECONDS = 2.0

    def picture(self) -> bytes | None:
        newest = max(own_processes(b"swaybg"), default=None)
        if newest is None:
            return None
        _, pid, arguments = newest
        picture = image_argument(arguments)
        if picture is None or picture.startswith(b"/"):
            return picture
        try:
            folder = Path(f"/proc/{pid}/cwd").readlink()
        except OSError:
            return None  # It has ended meanwhile.
        return os.fsencode(folder) + b"/" + picture

    def follow(self, changes: Changes) -> None:
        start_thread(lambda: self._look(changes))

    def _look(self, changes: Changes) -> None:
        picture = self.picture()
        while True:
            with contextlib.ExitStack() as stack:
                ends = []
                for _, pid, _ in own_processes(b"swaybg"):
                    with contextlib.suppress(OSError):
                        ends.append(os.pidfd_open(pid))
                        stack.callback(os.close, ends[-1])
                # An end is told; that another one has come on top of it is not.
                select.select(ends, [], [], self.LOOK_AGAIN_SECONDS)
            before, picture = picture, self.picture()
            if picture != before:
                changes.put(None)


SOURCES = {"gnome": Gnome, "feh": Feh, "swaybg": Swaybg}


def find_source() -> Source:
    """Finds out who shows the wallpaper; a desktop that runs counts before a file that is left."""
    if own_processes(b"swaybg"):
        return Swaybg()
    if "GNOME" in os.environ.get("XDG_CURRENT_DESKTOP", "").split(":"):
        return Gnome()
    return Feh()


def path_of(uri: str) -> bytes | None:
    """The path that a URI, or what is a path already, is about."""
    if uri.startswith("/"):
        return os.fsencode(uri)
    place = uri.find("/", len("file://"))
    return unquote_to_bytes(uri[place:]) if uri.startswith("file://") and place > 0 else None


def image_argument(arguments: list[bytes]) -> bytes | None:
    """The picture among swaybg's arguments, of several the last one."""
    picture = None
    rest = iter(arguments)
    for argument in rest:
        if argument in (b"-i", b"--image"):
            picture = next(rest, None)
        elif argument.startswith(b"--image="):
            picture = argument.removeprefix(b"--image=")
        elif argument.startswith(b"-i"):
            picture = argument.removeprefix(b"-i")
    return picture or None


def own_processes(name: bytes) -> list[tuple[int, int, list[bytes]]]:
    """The user's processes of a program: when each was started, its number, its arguments."""
    found = []
    for entry in Path("/proc").iterdir():
        # Most are other people's or have nothing to do with it, and some end meanwhile.
        with contextlib.suppress(OSError):
            if not entry.name.isdecimal() or entry.stat().st_uid != os.getuid():
                continue
            program, *arguments = (entry / "cmdline").read_bytes().split(b"\0")[:-1] or [b""]
            if program.rpartition(b"/")[2] == name:
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                found.append((int(fields[19]), int(entry.name), arguments))
    return found


def _tell_lines(lines: IO[bytes], changes: Changes) -> None:
    for _ in lines:
        changes.put(None)


def _setting(schema: str, key: str) -> str:
    """A text among GNOME's settings; empty where there is none."""
    try:
        done = subprocess.run(
            ["gsettings", "get", schema, key],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=30,
            check=False,
        )
        # Texts are written as Python writes them.
        return str(ast.literal_eval(done.stdout.strip()))
    except (OSError, subprocess.SubprocessError, SyntaxError, ValueError):
        return ""
