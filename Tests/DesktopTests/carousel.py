"""The carousel in fullscreen, and what is seen of it."""

from __future__ import annotations

import json
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest
from EndToEndTests.harness import wcag
from PIL import Image

from .desktop import ROOT, Color, Daemon, Desktop, Window, wait_until

OBJECT = "/org/undertone/Carousel"
PROGRAM = ROOT / "examples/carousel/undertone-carousel"

# Pixels: what GTK draws around a window where nobody composes them, the strip's height, and the
# room for a dot.
FRAME = 5
STRIP = 64
SLOT = 24

# Each with its strip: dark and light, so that text must flip between some.
COLORS = ["#16324f", "#f0d8a0", "#c81414", "#9fd3c7", "#3a1450"]


@lru_cache
def has_library(name: str, version: str) -> bool:
    """Whether Debian's Python finds a library that programs on the desktop need."""
    check = ["/usr/bin/python3", "-c", f"import gi; gi.require_version('{name}', '{version}')"]
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def require_library(name: str, version: str, packages: str) -> None:
    """Skips a test, aloud, where it does not."""
    if not has_library(name, version):
        pytest.skip(f"not installed: {packages}")


def require_toolkit() -> None:
    """Skips a test, aloud, where the carousel itself would find none."""
    require_library("Adw", "1", "gir1.2-adw-1, python3-gi")


class Carousel:
    """A running carousel; `pages` is how many there are."""

    def __init__(
        self, desktop: Desktop, place: Path, pages: int, *options: str, **variables: str
    ) -> None:
        """Starts it, and waits for its window and its strip."""
        require_toolkit()
        self.desktop = desktop
        self.pages = pages
        desktop.environment.update({"GTK_A11Y": "atspi", **variables})
        self.process = desktop.spawn(PROGRAM, "--fullscreen", *options, place)
        self.title = place.name if place.is_dir() else place.parent.name
        self.window: Window = desktop.window(f"^{self.title}$", lambda window: window.y == 0)
        number = str(self.window.number)
        wait_until(
            lambda: desktop.try_run("xdotool", "getactivewindow").stdout.strip() == number,
            what="the carousel has the keyboard",
        )

    @property
    def room(self) -> tuple[int, int]:
        """The size of a picture that fills its page."""
        return self.window.width - 2 * FRAME, self.window.height - 2 * FRAME - STRIP

    @property
    def empty_spot(self) -> tuple[int, int]:
        """A place on the strip without anything on it."""
        x, y = self.window.x, self.window.y
        return x + self.window.width * 3 // 4, y + self.window.height - FRAME - 3

    def dot(self, page: int) -> tuple[int, int]:
        """The middle of a page's dot."""
        left = self.window.width / 2 - self.pages * SLOT / 2
        return int(left + (page + 0.5) * SLOT), self.window.height - FRAME - STRIP // 2

    def press(self, *keys: str) -> None:
        """Presses keys."""
        self.desktop.run("xdotool", "key", *keys)

    def leave_fullscreen(self) -> None:
        """Has a header bar, and a menu in it."""
        self.press("F11")
        self.window = self.desktop.window(f"^{self.title}$", lambda window: window.y > 0)

    def click(self, place: tuple[int, int]) -> None:
        """Clicks on a place."""
        self.desktop.run("xdotool", "mousemove", *map(str, place), "click", "1")

    def read_out(self, name: str) -> list[dict[str, str]]:
        """What a screen reader meets, once something of a name is there."""
        require_library("Atspi", "2.0", "at-spi2-core, gir1.2-atspi-2.0")
        reader = Path(__file__).parent / "accessible.py"
        found: list[dict[str, str]] = json.loads(self.desktop.run("/usr/bin/python3", reader, name))
        return found

    def choose(self, action: str, value: str, place: str = f"{OBJECT}/window/1") -> None:
        """Chooses what the menu has, as its items do."""
        self.desktop.run(
            *("gdbus", "call", "--session", "--dest", "org.undertone.Carousel"),
            *("--object-path", place, "--method"),
            *("org.gtk.Actions.Activate", action, f"[<'{value}'>]", "{}"),
        )

    def wait_for(self, picture: str | None, strip: str) -> None:
        """Waits until a color is in the middle of the picture, and one is the strip's."""
        middle = (self.window.width // 2, FRAME + self.room[1] // 2)
        wanted = {self.empty_spot: wcag.parse(strip)}
        if picture:
            wanted[middle] = wcag.parse(picture)
        seen = {}

        def is_there() -> bool:
            shot = self.desktop.screenshot()
            seen.update({place: shot.getpixel(place) for place in wanted})
            return seen == wanted

        try:
            wait_until(is_there)
        except AssertionError:
            pytest.fail(f"it is {seen} instead of {wanted}")

    def strip(self, shot: Image.Image) -> Image.Image:
        """The strip in a screenshot."""
        bottom = self.window.height - FRAME
        return shot.crop((FRAME, bottom - STRIP, self.window.width - FRAME, bottom))

    def end(self) -> None:
        """Closes the window, which ends it in order."""
        self.press("q")
        assert self.process.wait(timeout=60) == 0
        log = self.desktop.log(PROGRAM)
        assert "Traceback" not in log, log
        assert "CRITICAL" not in log, log


def flat_pictures(desktop: Desktop, size: tuple[int, int] = (1270, 726)) -> list[Path]:
    """A folder with a flat picture for each of the colours; by default they fill their pages."""
    folder = desktop.home / "pictures"
    folder.mkdir()
    paths = [folder / f"{number}.png" for number in range(len(COLORS))]
    for path, color in zip(paths, COLORS, strict=True):
        Image.new("RGB", size, color).save(path, compress_level=1)
    return paths


def strip_color(daemon: Daemon, path: Path, **options: str) -> str:
    """What the daemon says of a picture's strip."""
    answer = daemon.ask(op="indicator", path=str(path), **options)["result"]
    return str(answer["background"])


def text_contrasts(strip: Image.Image, background: Color) -> list[float]:
    """The contrast of the most distant pixel in each line of text at the strip's left, from above.

    That is less than the text's own where no stroke covers a whole pixel.
    """
    text = strip.crop((0, 0, strip.width // 3, strip.height))
    lines: list[float] = []
    was_blank = True
    for row in range(text.height):
        colors = text.crop((0, row, text.width, row + 1)).getcolors(text.width)
        best = max(wcag.contrast(color, background) for _, color in colors)
        is_blank = best == 1
        if not is_blank:
            if was_blank:
                lines.append(1)
            lines[-1] = max(lines[-1], best)
        was_blank = is_blank
    return lines
