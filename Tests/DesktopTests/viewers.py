"""What the tests of the viewers share: pictures, the READMEs' commands, and a daemon on command."""

from __future__ import annotations

import base64
import itertools
import json
import re
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from EndToEndTests.harness.wcag import contrast
from PIL import Image

from .desktop import ROOT, Color, Desktop, Window, wait_until

# Whatever a shell, a format, a line, JSON or UTF-8 could stumble over, and a colour for each.
HOSTILE: dict[bytes, Color] = {
    b"plain.png": (42, 106, 82),
    b"- 'one' \"two\" `x` $(y) & ; * [a-z].png": (200, 20, 20),
    b"line\nbreak %F %s \\.png": (232, 224, 192),
    b"invalid \xff\xfe utf-8.png": (32, 48, 128),
    "é 中 😀.png".encode(): (112, 48, 144),
}


def make_pictures(desktop: Desktop, pictures: dict[bytes, Color]) -> Path:
    """Makes flat pictures three times as wide as high: there is room above and below."""
    folder = desktop.home / "pictures"
    folder.mkdir()
    for name, color in pictures.items():
        with open(bytes(folder) + b"/" + name, "wb") as file:  # noqa: PTH123 (bytes)
            Image.new("RGB", (60, 20), color).save(file, "png")
    return folder


def follow(desktop: Desktop, viewer: str, heading: str) -> None:
    """Does what a viewer's README says under a heading, to the letter."""
    text = (ROOT / "examples/viewers" / viewer / "README.md").read_text()
    commands = re.search(rf"^## {heading}\n.*?^```sh\n(.*?)^```", text, re.M | re.S)
    assert commands, f"{viewer}: {heading}"
    desktop.run("sh", "-euc", f'cd "$0"\n{commands[1]}', ROOT)


def install(desktop: Desktop, viewer: str) -> None:
    """Installs a viewer's hooks, where the desktop's programs find them."""
    follow(desktop, viewer, "Install")
    desktop.environment["PATH"] = f"{desktop.home}/.local/bin:{desktop.environment['PATH']}"


def without_client(desktop: Desktop) -> None:
    """Takes Undertone's programs off PATH."""
    desktop.environment["PATH"] = f"{desktop.home}/.local/bin:/usr/bin:/bin"


def focus(desktop: Desktop, window: Window) -> None:
    """Gives a window the focus, and waits until it has it."""
    desktop.run("xdotool", "windowfocus", "--sync", str(window.number))


def press(desktop: Desktop, window: Window, key: str) -> None:
    """Presses a key in a window."""
    focus(desktop, window)
    desktop.run("xdotool", "key", key)


class Places(NamedTuple):
    """Where on the screen a picture is seen, and where what surrounds it."""

    picture: tuple[int, int]
    around: tuple[int, int]


def places(window: Window, top: int = 0) -> Places:
    """Those of a window below a bar of so many pixels: in its middle, and not far below the bar."""
    middle = window.y + top + (window.height - top) // 2
    return Places((window.x + window.width // 2, middle), (window.x + 12, window.y + top + 12))


def wait_for_colors(desktop: Desktop, places: Places, picture: Color, around: Color) -> None:
    """Waits until a picture of a color is shown, surrounded by another or the same."""
    seen: list[Color] = []

    def are_there() -> bool:
        shot = desktop.screenshot()
        seen[:] = [shot.getpixel(place) for place in places]
        return seen == [picture, around]

    try:
        wait_until(are_there, what=f"{picture} is on {around}")
    except AssertionError as error:
        raise AssertionError(f"{error}; it is {seen}") from None


def still(desktop: Desktop, box: tuple[int, int, int, int]) -> Image.Image:
    """A part of the screen once it does not change any more, as themes fade what changes."""
    same = 0
    last = desktop.screenshot().crop(box)

    def is_still() -> bool:
        nonlocal same, last
        now = desktop.screenshot().crop(box)
        same = same + 1 if now.tobytes() == last.tobytes() else 0
        last = now
        return same == 2

    wait_until(is_still, what=f"{box} is still")
    return last


def wears_each(
    desktop: Desktop, where: Places, colors: Sequence[Color], turn: Callable[[], None]
) -> None:
    """Turns the pages until every flat picture was seen, each on its own color."""
    left = list(colors)

    def is_one() -> bool:
        shot = desktop.screenshot()
        picture, around = (shot.getpixel(place) for place in where)
        if picture != around or picture not in left:
            return False
        left.remove(picture)
        return True

    while left:
        wait_until(is_one, what=f"a picture is on its color, one of {left}")
        if left:
            turn()


class Asked(NamedTuple):
    """A question: the number of its connection, the picture's name, and the priority."""

    connection: int
    name: str
    priority: str


class StubDaemon(socketserver.ThreadingUnixStreamServer):
    """A daemon that answers what it is told to, and when it is told to."""

    daemon_threads = True

    def __init__(self, path: Path, answers: dict[str, str]) -> None:
        """Listens; `answers` are backgrounds, by the pictures' names."""
        super().__init__(str(path), _Answering)
        self.answers = answers
        self.numbers = itertools.count()
        self.asked: list[Asked] = []
        self.done: list[Asked] = []
        self.held: dict[str, threading.Event] = {}

    def hold(self, name: str) -> None:
        """Leaves questions about a picture unanswered until they are released."""
        self.held[name] = threading.Event()

    def release(self, name: str) -> None:
        """Answers them."""
        self.held.pop(name).set()

    def connections(self, name: str, priority: str) -> list[int]:
        """Those on which there was a question about a picture."""
        return [asked.connection for asked in self.asked if asked[1:] == (name, priority)]

    def wait_asked(self, name: str, priority: str = "normal", times: int = 1) -> None:
        """Waits until there were questions about a picture."""
        wait_until(
            lambda: len(self.connections(name, priority)) >= times,
            what=f"{name} is asked about, {priority}, {times} times",
        )

    def wait_done(self) -> None:
        """Waits until every question is answered, or its client has gone."""
        wait_until(lambda: len(self.done) == len(self.asked), what="everything is answered")


class _Answering(socketserver.StreamRequestHandler):
    server: StubDaemon

    def handle(self) -> None:
        number = next(self.server.numbers)
        for line in self.rfile:
            request = json.loads(line)
            if "uri" in request:
                path = unquote_to_bytes(request["uri"])
            else:
                path = base64.b64decode(request["path_b64"])
            name = Path(path.decode()).name
            asked = Asked(number, name, request.get("priority", "normal"))
            self.server.asked.append(asked)
            if held := self.server.held.get(asked.name):
                held.wait(60)
            color = self.server.answers[asked.name]
            result = {
                "background": color,
                "scheme": "dark",
                "foreground": {"color": "#ffffff", "contrast": 5, "meets": True},
                "secondary": {"color": "#ffffff", "contrast": 5, "meets": True},
            }
            try:
                self.wfile.write(json.dumps({"result": result}).encode() + b"\n")
            except OSError:
                return  # The client has gone.
            finally:
                self.server.done.append(asked)


@contextmanager
def stub_daemon(desktop: Desktop, answers: dict[str, str]) -> Iterator[StubDaemon]:
    """Runs a stub where the desktop's programs look for the daemon."""
    folder = desktop.runtime / "undertone"
    folder.mkdir(mode=0o700)
    with StubDaemon(folder / "undertone.sock", answers) as stub:
        thread = threading.Thread(target=stub.serve_forever)
        thread.start()
        try:
            yield stub
        finally:
            for name in list(stub.held):
                stub.release(name)
            stub.shutdown()
            thread.join()


def text_contrasts(bar: Image.Image) -> list[float]:
    """The contrast of each word or symbol in a bar with the bar's color, from left to right.

    A word's is that of its pixel that stands out most: the others are smoothed into the bar. The
    bar's color is the one that most of it has; lines of a pixel or two are no text.
    """
    colors = bar.getcolors(bar.width * bar.height)
    background: Color = max(colors)[1]
    contrasts = {color: contrast(color, background) for _, color in colors}
    columns = [
        max(contrasts[bar.getpixel((x, y))] for y in range(bar.height)) for x in range(bar.width)
    ]
    words: list[list[float]] = []
    blank = 6
    for column in columns:
        if column < 1.05:
            blank += 1
        else:
            if blank >= 6:
                words.append([])
            words[-1].append(column)
            blank = 0
    return [max(word) for word in words if len(word) > 3]
