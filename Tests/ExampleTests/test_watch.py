"""Answers that come again, in both clients: the picture's file changes, and readers go."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import IO, Any

import pytest
from conftest import BIN, Daemon, environment
from PIL import Image
from test_terminal import Terminal
from undertone import Colors, Edge, Indicator, Palette, Theme, Undertone, UndertoneError

RED = "#c81414"
BLUE = "#1414c8"


def draw(path: pathlib.Path, color: str) -> None:
    """Puts a flat picture in the place of a file, at once."""
    new = path.with_name("new.png")
    Image.new("RGB", (8, 8), color).save(new)
    new.rename(path)


@pytest.fixture
def picture(tmp_path: pathlib.Path) -> pathlib.Path:
    """A red picture whose name does things to terminals."""
    path = tmp_path / "wall\x1b[2J paper.png"
    draw(path, RED)
    return path


class Watch:
    """The command-line client, watching."""

    def __init__(self, daemon: Daemon, *arguments: str | pathlib.Path) -> None:
        self.process = subprocess.Popen(
            [BIN / "undertone", "watch", *arguments],
            env=environment(daemon.directory),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.lines: IO[str] = self.process.stdout

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def line(self) -> dict[str, Any]:
        """The next line, without the picture's name."""
        line: dict[str, Any] = json.loads(self.lines.readline())
        del line["path"]
        return line


def test_each_change_is_a_line(daemon: Daemon, picture: pathlib.Path) -> None:
    """The answer now, then one for each change, and an error while the file is gone."""
    with Watch(daemon, picture) as watch:
        first = watch.line()
        assert list(first) == ["result"]
        assert first["result"]["background"] == RED
        draw(picture, BLUE)
        second = watch.line()
        assert (second["event"], second["result"]["background"]) == ("changed", BLUE)
        picture.unlink()
        gone = watch.line()
        assert (gone["event"], gone["error"]["code"]) == ("error", "not_found")
        draw(picture, RED)
        assert watch.line()["result"]["background"] == RED


def test_a_file_may_come_later(daemon: Daemon, tmp_path: pathlib.Path) -> None:
    """The first line is an error, and the watch goes on."""
    with Watch(daemon, "--op", "palette", tmp_path / "later.png") as watch:
        assert watch.line()["error"]["code"] == "not_found"
        draw(tmp_path / "later.png", BLUE)
        assert watch.line()["result"]["colors"][0]["color"] == BLUE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_well(daemon: Daemon, picture: pathlib.Path, number: int) -> None:
    """Nothing went wrong."""
    with Watch(daemon, picture) as watch:
        watch.line()
        watch.process.send_signal(number)
        assert watch.process.wait(timeout=60) == 0
        assert watch.process.stderr
        assert watch.process.stderr.read() == ""


def test_signals_end_it_while_nobody_reads(daemon: Daemon, tmp_path: pathlib.Path) -> None:
    """A writer that waits for a full pipe is not deaf."""
    picture = tmp_path / "picture.png"
    draw(picture, RED)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    process = subprocess.Popen(
        [BIN / "undertone", "watch", picture], env=environment(daemon.directory), stdout=writer
    )
    # Its system call, by the number: write on x86-64, or on others.
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if pathlib.Path(f"/proc/{process.pid}/syscall").read_text().split()[0] in {"1", "64"}:
            break
        time.sleep(0.02)
    else:
        pytest.fail("it never waited for the pipe")
    process.terminate()
    assert process.wait(timeout=60) == 0
    os.close(reader)
    os.close(writer)


def test_a_closed_pipe_ends_it_well(daemon: Daemon, picture: pathlib.Path) -> None:
    """At once, and not only when there is something to be told."""
    with Watch(daemon, picture) as watch:
        watch.line()
        watch.lines.close()
        assert watch.process.wait(timeout=60) == 0


def test_what_cannot_be_watched_is_said(daemon: Daemon, picture: pathlib.Path) -> None:
    """With the daemon's error, and status 1."""
    with Watch(daemon, "--op=indicator", "--glyph=", picture) as watch:
        assert watch.line()["error"]["code"] == "invalid_request"
        assert watch.process.wait(timeout=60) == 1
    with Watch(daemon, "/proc/self/status") as watch:
        assert watch.line()["error"]["code"] == "watch_unsupported"
        assert watch.process.wait(timeout=60) == 1


def test_a_card_is_drawn_anew(daemon: Daemon, picture: pathlib.Path) -> None:
    """Whoever sees the line finds the card drawn."""
    card = picture.with_name("card.svg")
    with Watch(daemon, "--op=theme", f"--card={card}", picture) as watch:
        for color in [RED, BLUE]:
            if color == BLUE:
                draw(picture, color)
            background = watch.line()["result"]["background"]
            fills = {element.get("fill") for element in ET.parse(card).iter()}
            assert background in fills
        watch.process.terminate()
        watch.process.wait()
    assert {path.name for path in picture.parent.iterdir()} == {picture.name, "card.svg"}


def test_pywal_gets_a_line_each_time(daemon: Daemon, picture: pathlib.Path) -> None:
    """And errors go elsewhere."""
    with Watch(daemon, "--op=theme", "--format=pywal", picture) as watch:
        first = json.loads(watch.lines.readline())
        picture.unlink()
        assert watch.process.stderr
        assert watch.process.stderr.readline().startswith("undertone: ")
        draw(picture, BLUE)
        second = json.loads(watch.lines.readline())
        assert set(first) == set(second) == {"wallpaper", "alpha", "special", "colors"}
        assert first["colors"] != second["colors"]


def test_a_terminal_shows_each_change(daemon: Daemon, picture: pathlib.Path) -> None:
    """Swatches below swatches, until Control-C."""
    terminal = Terminal(daemon, "watch", "--op=palette", os.fsencode(picture))
    shown = b""

    def wait_for(text: bytes) -> None:
        nonlocal shown
        while text not in shown:
            shown += os.read(terminal.master, 4096)

    wait_for(b"#c81414")
    draw(picture, BLUE)
    wait_for(b"#1414c8")
    picture.unlink()
    wait_for(b"undertone: ")
    os.write(terminal.master, b"\x03")
    shown += terminal.read_until_end()
    assert terminal.process.wait(timeout=60) == 0
    assert b"\x1b[2J" not in shown


@pytest.fixture
def undertone(daemon: Daemon) -> Iterator[Undertone]:
    """A connection to the live daemon."""
    with Undertone(daemon.socket) as undertone:
        yield undertone


def test_python_yields_each_change(undertone: Undertone, picture: pathlib.Path) -> None:
    """Errors are yielded, and other questions go on meanwhile."""
    with undertone.watch(picture, contrast=7, regions={"top": Edge("top", 0.5)}) as watch:
        first = next(watch)
        assert isinstance(first, Colors)
        assert (first.background, first.regions["top"].background) == (RED, RED)
        assert undertone.color(picture).background == RED
        draw(picture, BLUE)
        second = next(watch)
        assert isinstance(second, Colors)
        assert second.background == BLUE
        picture.unlink()
        gone = next(watch)
        assert isinstance(gone, UndertoneError)
        assert gone.code == "not_found"
    with pytest.raises(StopIteration):
        next(watch)


def test_python_watches_every_operation(undertone: Undertone, picture: pathlib.Path) -> None:
    """Each with its own type and options."""
    with undertone.watch(picture, "palette", count=1) as palettes:
        palette = next(palettes)
    with undertone.watch(picture, "indicator", glyph=picture) as indicators:
        indicator = next(indicators)
    with undertone.watch(picture, "theme", scheme="light") as themes:
        theme = next(themes)
    assert isinstance(palette, Palette)
    assert palette.colors[0].color == RED
    assert isinstance(indicator, Indicator)
    assert indicator.glyph is not None
    assert isinstance(theme, Theme)
    assert theme.colors is not None
    assert theme.colors.scheme == "light"
    with pytest.raises(TypeError):
        undertone.watch(picture, "palette", regions={})  # type: ignore[call-overload]


def test_python_raises_what_prevents_a_watch(undertone: Undertone, picture: pathlib.Path) -> None:
    """It is not to be taken for an answer, and nothing comes after it."""
    watch = undertone.watch(picture, "palette", count=99)
    with pytest.raises(UndertoneError, match="invalid_request: .*count"):
        next(watch)
    assert list(watch) == []


def test_python_may_be_closed_by_another_thread(
    undertone: Undertone, picture: pathlib.Path
) -> None:
    """Whoever waits for the next answer ends."""
    watch = undertone.watch(picture)
    answers = []
    first = threading.Event()

    def run() -> None:
        for answer in watch:
            answers.append(answer)
            first.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert first.wait(timeout=60)
    watch.close()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert len(answers) == 1
