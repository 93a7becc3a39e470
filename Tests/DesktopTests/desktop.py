"""A desktop to test examples on: a screen, a window manager, a session bus and a home of its own.

    def test_it_is_red(desktop: Desktop, daemon: Daemon) -> None:
        require("feh")
        desktop.spawn("feh", "--title", "picture", picture)
        window = desktop.window("picture")
        desktop.wait_for_pixel(window.middle, (200, 20, 20))

Nothing of the user's can be reached from it, and whatever was started on it ends with it. Waits are
for a condition, never for a time.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from EndToEndTests.harness.connection import wait_until
from EndToEndTests.harness.daemon import BIN, ROOT, Daemon
from PIL import Image

__all__ = [
    "BIN",
    "ROOT",
    "Color",
    "Daemon",
    "Desktop",
    "Window",
    "box_of",
    "color_at",
    "require",
    "rgb",
    "wait_for_color",
    "wait_until",
]

Argument = str | bytes | os.PathLike[str]
Color = tuple[int, int, int]
Box = tuple[int, int, int, int]

SCREEN = (1280, 800)


def require(*programs: str) -> None:
    """Skips a test, aloud, where a program is missing that `make check-desktop` could not bring."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


@dataclass(frozen=True)
class Window:
    """A window without its frame: X's number, and where it is on the screen, in pixels."""

    number: int
    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """The place of its centre on the screen."""
        return self.x + self.width // 2, self.y + self.height // 2


class Desktop:
    """A running desktop; `home` is empty at first, and `environment` is for what runs on it."""

    def __init__(self, directory: Path) -> None:
        """Starts everything in an empty directory with a short name."""
        self.directory = directory
        self.home = directory / "home"
        self.runtime = directory / "run"
        self.home.mkdir()
        self.runtime.mkdir(mode=0o700)
        self.environment = {
            # The Python that runs the tests, which has Debian's modules, counts before others.
            "PATH": f"{BIN.absolute()}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "GSETTINGS_BACKEND": "keyfile",
            "GDK_BACKEND": "x11",
            "GSK_RENDERER": "cairo",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none",
            # Its mount would outlive the session.
            "GVFS_DISABLE_FUSE": "1",
            "SWIFT_BACKTRACE": "enable=no",
        }
        self._start_screen()
        self._start_bus()
        self._start_window_manager()

    def _start_screen(self) -> None:
        reading, writing = os.pipe()
        geometry = f"{SCREEN[0]}x{SCREEN[1]}x24"
        # It takes a display that is free, and says which.
        self.spawn(
            *("Xvfb", "-displayfd", str(writing), "-screen", "0", geometry),
            *("-nolisten", "tcp", "-noreset"),
            pass_fds=[writing],
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, self.log("Xvfb")
        self.environment["DISPLAY"] = f":{number}"

    def _start_bus(self) -> None:
        process = self.spawn(
            *("dbus-run-session", "--", "sh", "-c", 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat'),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdout
        address = process.stdout.readline().decode().strip()
        assert address, self.log("dbus-run-session")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def _start_window_manager(self) -> None:
        # A window that is shown while it starts would be overlooked, and never be seen: so it is
        # waited for until it runs a command, which it does last.
        started = self.directory / "openbox-started"
        # Its log would be in the home.
        cache = str(self.directory / "openbox")
        command = f"touch {started}"
        self.spawn("openbox", "--sm-disable", "--startup", command, XDG_CACHE_HOME=cache)
        wait_until(started.exists, what="openbox manages the screen")

    def close(self, sparing: Collection[str] = ()) -> None:
        """Ends whatever was started, and what that has started, but for programs by some names."""

        def running() -> list[int]:
            return [pid for pid, name in self.processes().items() if name not in sparing]

        for pid in running():
            with_process(pid, signal.SIGTERM)
        with contextlib.suppress(AssertionError):
            wait_until(lambda: not running(), seconds=2)
        for pid in running():
            with_process(pid, signal.SIGKILL)
        wait_until(lambda: not running(), what="everything has ended")

    def processes(self) -> dict[int, str]:
        """Those that have this desktop's environment, however they were started, by their name."""
        marker = f"XDG_RUNTIME_DIR={self.runtime}".encode()
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
                # "12 (name) S …": the name may have brackets and blanks of its own.
                name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue  # It has ended, or is another user's.
            # One that has ended and is not waited for yet still has an entry.
            if marker in variables and rest.split()[0] != "Z":
                found[int(entry.name)] = name
        return found

    def spawn(
        self,
        *command: Argument,
        pass_fds: Sequence[int] = (),
        stdin: int = subprocess.DEVNULL,
        stdout: int | None = None,
        **variables: str,
    ) -> subprocess.Popen[bytes]:
        """Starts a program that goes on; what it says goes into its log."""
        with self._log_file(command[0]).open("ab") as log:
            return subprocess.Popen(
                command,
                env={**self.environment, **variables},
                cwd=self.home,
                stdin=stdin,
                stdout=log if stdout is None else stdout,
                stderr=log,
                pass_fds=pass_fds,
            )

    def _log_file(self, program: Argument) -> Path:
        return self.directory / f"{Path(os.fsdecode(program)).name}.log"

    def log(self, program: Argument) -> str:
        """What a program that was spawned has said."""
        return self._log_file(program).read_text(errors="replace")

    def try_run(
        self, *command: Argument, timeout: float = 60, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program to its end, whatever its status."""
        return subprocess.run(
            command,
            env={**self.environment, **variables},
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )

    def run(self, *command: Argument, timeout: float = 60, **variables: str) -> str:
        """Runs a program that must succeed, and returns its output."""
        done = self.try_run(*command, timeout=timeout, **variables)
        assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def screenshot(self) -> Image.Image:
        """The whole screen as it is now, in RGB."""
        shot = subprocess.run(
            # Not as PNG: packing it takes longer than all the rest.
            ["import", "-window", "root", "-depth", "8", "ppm:-"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
        return Image.open(io.BytesIO(shot.stdout)).convert("RGB")

    def keep(self, name: str, image: Image.Image, detail: Box | None = None) -> None:
        """Keeps a picture for the documentation, where `make screenshot` has said to where.

        It gets 256 colors, which is small: those of large areas as they are, the rest for what is
        left, such as a photograph. What is small and counts is a `detail`: it gets a quarter of
        the colors, and the photograph beside it is dithered.
        """
        folder = os.environ.get("UNDERTONE_SCREENSHOTS")
        if not folder:
            return
        counted = sorted(image.getcolors(image.width * image.height), reverse=True)
        exact = [channel for _, color in counted[: 32 if detail else 96] for channel in color]
        if detail:
            exact += image.crop(detail).quantize(64).getpalette()[: 3 * 64]
        rest = image.quantize(160, dither=Image.Dither.NONE).getpalette() or []
        palette = Image.new("P", (1, 1))
        palette.putpalette((exact + rest[: 3 * 160])[: 3 * 256])
        dither = Image.Dither.FLOYDSTEINBERG if detail else Image.Dither.NONE
        small = image.quantize(palette=palette, dither=dither)
        small.save(Path(folder) / f"{name}.png", optimize=True)

    def pixel(self, place: tuple[int, int]) -> Color:
        """The color of a place on the screen."""
        return color_at(self.screenshot(), place)

    def wait_for_pixel(
        self, place: tuple[int, int], color: Color, tolerance: int = 0, seconds: float = 60
    ) -> None:
        """Waits until a place on the screen has a color, in each channel within the tolerance."""
        wait_for_color(self.screenshot, place, color, tolerance, seconds)

    def window(
        self, title: str, when: Callable[[Window], bool] = lambda _: True, seconds: float = 60
    ) -> Window:
        """Waits for a visible window whose title matches a regular expression, and a condition."""
        found: list[Window] = []

        def is_there() -> bool:
            numbers = self.try_run("xdotool", "search", "--onlyvisible", "--name", title)
            for number in numbers.stdout.split():
                # What xdotool says of a place counts a window's frame twice.
                answer = self.try_run("xwininfo", "-id", number).stdout
                values = re.findall(r"(?:Absolute.*|Width|Height): +(-?\d+)$", answer, re.M)
                if len(values) != 4:
                    continue  # It has gone meanwhile.
                window = Window(int(number), *map(int, values))
                if when(window):
                    found.append(window)
            return bool(found)

        wait_until(is_there, what=f"there is a window {title!r}", seconds=seconds)
        return found[0]

    def title(self, window: Window) -> str:
        """A window's title now."""
        return self.run("xdotool", "getwindowname", str(window.number)).rstrip("\n")


def with_process(pid: int, number: signal.Signals) -> None:
    """Signals a process that may have ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def box_of(image: Image.Image, color: Color) -> tuple[int, int, int, int] | None:
    """Where a color is in a picture: left, top, right and bottom, of which the last are outside."""
    bands = image.split()
    mask = Image.new("L", image.size, 255)
    for band, channel in zip(bands, color, strict=True):
        exact = band.point([255 if value == channel else 0 for value in range(256)])
        mask = Image.composite(exact, Image.new("L", image.size, 0), mask)
    box: tuple[int, int, int, int] | None = mask.getbbox()
    return box


def color_at(image: Image.Image, place: tuple[int, int]) -> Color:
    """The color of a place in an RGB picture."""
    red, green, blue = image.getpixel(place)
    return red, green, blue


def wait_for_color(
    screenshot: Callable[[], Image.Image],
    place: tuple[int, int],
    color: Color,
    tolerance: int,
    seconds: float,
) -> None:
    """Waits until a place on a screen has a color, and tells what it has if it never does."""
    seen: Color | None = None

    def is_there() -> bool:
        nonlocal seen
        seen = color_at(screenshot(), place)
        return all(abs(a - b) <= tolerance for a, b in zip(seen, color, strict=True))

    try:
        wait_until(is_there, what=f"{place} is {color}", seconds=seconds)
    except AssertionError as error:
        raise AssertionError(f"{error}; it is {seen}") from None


def rgb(color: str) -> Color:
    """The channels of `#rrggbb`."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue
