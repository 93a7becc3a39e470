"""The thumbnail examples: a folder's colors, in the order in which a file manager shows it."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from .desktop import Daemon, Desktop, box_of, require, rgb, wait_until
from .thumbnailing import EXAMPLES, have_thumbnailed, thumbnails
from .wallpapers import draw

COLORS = EXAMPLES / "folder-colors"

# In the order of a file manager, which is neither that of the bytes nor that of their making.
NAMES = ["10 ä.png", "A1.png", "a2.png", "a10.png", "B 'x' %41.png", "c.png", "photo.10.png"]
TINTS = {
    name: f"#{20 + 30 * index:02x}50{200 - 20 * index:02x}" for index, name in enumerate(NAMES)
}


@pytest.fixture
def folder(desktop: Desktop) -> Path:
    """A folder with pictures, and with what is none."""
    folder = desktop.home / "Pictures"
    folder.mkdir()
    for name in sorted(NAMES, key=lambda name: name[::-1]):
        draw(folder / name, TINTS[name], (90, 60))
    (folder / "notes.txt").write_text("none")
    (folder / "more").mkdir()
    draw(folder / ".hidden.png", "#ffffff")
    os.mkfifo(folder / "fifo.png")
    return folder


def lines(text: str) -> list[dict[str, Any]]:
    """What was printed, line by line."""
    return [json.loads(line) for line in text.splitlines()]


def test_colors_are_there_before_thumbnails(desktop: Desktop, folder: Path) -> None:
    """All pictures in order, without a daemon before and without any thumbnail."""
    printed = lines(desktop.run(COLORS, folder))
    assert [Path(line["path"]).name for line in printed] == NAMES
    for line in printed:
        name = Path(line["path"]).name
        assert line == {
            "path": str(folder / name),
            "width": 90,
            "height": 60,
            "background": TINTS[name],
            "foreground": line["foreground"],
            "sampling": "auto",
        }
        assert line["foreground"] in {"#000000", "#ffffff"}
    assert thumbnails(desktop, "normal") + thumbnails(desktop, "large") == 0


@pytest.mark.usefixtures("daemon")
def test_thumbnails_are_used_where_there_are_some(desktop: Desktop, folder: Path) -> None:
    """tumbler's thumbnails tell the same colors, and answer instead of the pictures."""
    big = draw(folder / "big.png", "#1890d0", (1200, 800))
    have_thumbnailed(desktop, {big: "image/png"})
    line = next(line for line in lines(desktop.run(COLORS, folder)) if line["path"] == str(big))
    assert (line["sampling"], line["width"], line["height"]) == ("thumbnail", 1200, 800)
    pairs = zip(rgb(line["background"]), rgb("#1890d0"), strict=True)
    assert max(abs(one - other) for one, other in pairs) <= 2


@pytest.mark.usefixtures("daemon")
def test_order_is_that_of_thunar(desktop: Desktop, folder: Path) -> None:
    """The thumbnails stand in its window, row by row, in the order of the lines."""
    require("thunar")
    (folder / ".hidden.png").unlink()
    desktop.spawn("thunar", folder)
    places: list[tuple[int, int]] = []

    def are_shown() -> bool:
        shot = desktop.screenshot()
        boxes = [box_of(shot, rgb(TINTS[name])) for name in NAMES]
        # All in place: each has its whole width, and rows are far apart.
        places[:] = [(box[1] // 40, box[0]) for box in boxes if box and box[2] - box[0] >= 60]
        return len(places) == len(NAMES)

    wait_until(are_shown, what="all thumbnails are shown")
    printed = [Path(line["path"]).name for line in lines(desktop.run(COLORS, folder))]
    shown = [name for _, name in sorted(zip(places, NAMES, strict=True))]
    assert printed == shown


@pytest.mark.usefixtures("daemon")
def test_other_orders(desktop: Desktop, folder: Path) -> None:
    """By time and size, backwards, and with hidden files."""
    for index, name in enumerate(reversed(NAMES)):
        os.utime(folder / name, (1000 + index, 1000 + index))
    printed = lines(desktop.run(COLORS, "--sort", "modified", folder))
    assert [Path(line["path"]).name for line in printed] == NAMES[::-1]
    backwards = lines(desktop.run(COLORS, "--sort", "modified", "--reverse", "--hidden", folder))
    assert [Path(line["path"]).name for line in backwards] == [".hidden.png", *NAMES]


@pytest.mark.usefixtures("daemon")
def test_faults_have_lines_too(desktop: Desktop, folder: Path) -> None:
    """A picture that is cut off is one all the same, and one of any name is named in base64."""
    whole = (folder / "c.png").read_bytes()
    (folder / "c.png").write_bytes(whole[:40])
    odd = os.fsencode(folder) + b"/cut \xe2\x82.png"
    draw(Path(os.fsdecode(odd)), "#308090")
    done = desktop.try_run(COLORS, folder)
    assert done.returncode == 1
    printed = lines(done.stdout)
    assert {"path": str(folder / "c.png"), "error": "decode_failed"} in printed
    line = next(line for line in printed if "path_b64" in line)
    assert base64.b64decode(line["path_b64"]) == odd
    assert line["background"] == "#308090"


def test_nobody_to_ask(desktop: Desktop, folder: Path) -> None:
    """A folder that is none, and a daemon that is none, are said."""
    desktop.environment["PATH"] = "/usr/bin:/bin"
    for place, words in [(folder, "No such file"), (folder / "c.png", "Not a directory")]:
        done = desktop.try_run(COLORS, place)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr


def test_readers_may_leave(desktop: Desktop, daemon: Daemon, folder: Path) -> None:
    """`head` gets its line, and nobody complains."""
    done = desktop.try_run("sh", "-c", f"'{COLORS}' '{folder}' | head -n 1")
    assert len(lines(done.stdout)) == 1
    assert done.stderr == ""
    assert daemon.counters()["requests"] > 0
