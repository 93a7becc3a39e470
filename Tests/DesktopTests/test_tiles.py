"""The thumbnail examples: Thunar's tiles take their pictures' colors, and lose them again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import PngImagePlugin

from .desktop import Color, Daemon, Desktop, box_of, require, rgb, wait_until
from .thumbnailing import (
    EXAMPLES,
    draw_halves,
    have_thumbnailed,
    mean,
    require_service,
)

from thumbnails import cache  # isort: skip (it is found by the line before)

TILES = EXAMPLES / "thunar-tiles"
BACKGROUND = "metadata::thunar-highlight-color-background"
FOREGROUND = "metadata::thunar-highlight-color-foreground"

# A picture's halves, and what is theirs alone on the screen.
WARM = ("#e02010", "#602090")
COLD = ("#103080", "#108040")
WARM_MEAN, COLD_MEAN = mean(*WARM), mean(*COLD)
WHITE = (255, 255, 255)


@pytest.fixture
def folder(desktop: Desktop) -> Path:
    """A folder with two pictures, one of an odd name."""
    require("gio")
    require_service("org.gtk.vfs.Metadata.service", "gvfs")
    folder = desktop.home / "Pictures"
    folder.mkdir()
    draw_halves(folder / "cold.png", *COLD)
    draw_halves(folder / "warm '\n%41.png", *WARM)
    return folder


@contextmanager
def following(desktop: Desktop) -> Iterator[None]:
    """Runs the program that colors tiles, which must go on to the end."""
    program = desktop.spawn(TILES)
    yield
    assert program.poll() is None, desktop.log(TILES)
    program.send_signal(signal.SIGTERM)
    assert program.wait(timeout=60) == 0
    assert desktop.log(TILES) == ""


def highlight(desktop: Desktop, path: Path | str) -> tuple[str, str]:
    """What colors Thunar has for a file's tile."""
    told = desktop.run("gio", "info", "-a", f"{BACKGROUND},{FOREGROUND}", path)
    found = dict(line.strip().split(": ", 1) for line in told.splitlines() if "metadata::" in line)
    return found.get(BACKGROUND, ""), found.get(FOREGROUND, "")


def below(desktop: Desktop, half: str) -> tuple[int, int]:
    """Waits for the thumbnail that has a color, and returns a place of its tile just below it."""
    boxes: list[tuple[int, int, int, int]] = []

    def is_shown() -> bool:
        box = box_of(desktop.screenshot(), rgb(half))
        # All of it: 64 pixels a side, of which the half has 32.
        if box and box[2] - box[0] >= 30:
            boxes.append(box)
        return bool(boxes)

    wait_until(is_shown, what=f"there is a thumbnail with {half}")
    left, _, right, bottom = boxes[0]
    return (left + right) // 2, bottom + 4


def test_tiles_take_colors_as_thumbnails_come(desktop: Desktop, folder: Path) -> None:
    """In a window that is open already, without a daemon before; and lose them by one command."""
    require("thunar")
    with following(desktop):
        desktop.spawn("thunar", folder)
        cold, warm = below(desktop, COLD[0]), below(desktop, WARM[0])
        desktop.wait_for_pixel(cold, COLD_MEAN)
        desktop.wait_for_pixel(warm, WARM_MEAN)
        assert highlight(desktop, folder / "cold.png") == (hexadecimal(COLD_MEAN), "#ffffff")
    desktop.run(TILES, "--remove")
    desktop.wait_for_pixel(cold, WHITE)
    desktop.wait_for_pixel(warm, WHITE)
    assert highlight(desktop, folder / "cold.png") == ("", "")


def hexadecimal(color: Color) -> str:
    """A color as CSS has it."""
    return "#" + bytes(color).hex()


def test_colors_of_others_stay(desktop: Desktop, folder: Path) -> None:
    """What was there before, what was changed since, and what was taken away since."""
    names = ["mine.png", "changed.png", "taken.png", "ours.png"]
    pictures = [draw_halves(folder / name, *COLD) for name in names]
    mine, changed, taken, ours = pictures
    desktop.run("gio", "set", mine, BACKGROUND, "#abcdef")
    have_thumbnailed(desktop, dict.fromkeys(pictures, "image/png"))
    colors = (hexadecimal(COLD_MEAN), "#ffffff")
    desktop.run(TILES, "--once")
    assert highlight(desktop, mine) == ("#abcdef", "")
    assert [highlight(desktop, path) for path in pictures[1:]] == [colors] * 3
    desktop.run("gio", "set", changed, BACKGROUND, "#fedcba")
    for attribute in (BACKGROUND, FOREGROUND):
        desktop.run("gio", "set", "-d", taken, attribute)
    for option in ("--once", "--remove"):
        desktop.run(TILES, option)
        assert highlight(desktop, mine) == ("#abcdef", "")
        assert highlight(desktop, changed) == ("#fedcba", "#ffffff")
        assert highlight(desktop, taken) == ("", "")
        assert highlight(desktop, ours) == (colors if option == "--once" else ("", ""))
    assert not (desktop.home / ".local/state/undertone/thunar-tiles").exists()


def test_a_changed_picture_changes_its_tile(desktop: Desktop, folder: Path) -> None:
    """The next thumbnail of a picture that is ours gives it the next color."""
    picture = draw_halves(folder / "a.png", *COLD)
    have_thumbnailed(desktop, {picture: "image/png"})
    desktop.run(TILES, "--once")
    assert highlight(desktop, picture)[0] == hexadecimal(COLD_MEAN)
    draw_halves(picture, *WARM)
    os.utime(picture, (1, 1))
    desktop.run(TILES, "--once")
    assert highlight(desktop, picture)[0] == hexadecimal(WARM_MEAN)


def test_only_folders_that_are_named(desktop: Desktop, folder: Path) -> None:
    """Pictures elsewhere keep their tiles, when colors are given and when they are taken away."""
    inside, outside = draw_halves(folder / "in.png", *COLD), desktop.home / "Pictures2"
    outside.mkdir()
    draw_halves(outside / "out.png", *COLD)
    have_thumbnailed(desktop, {inside: "image/png", outside / "out.png": "image/png"})
    link = desktop.home / "link"
    link.symlink_to(folder)
    desktop.run(TILES, "--once", link)
    assert highlight(desktop, inside)[0] == hexadecimal(COLD_MEAN)
    assert highlight(desktop, outside / "out.png") == ("", "")
    desktop.run(TILES, "--remove", outside)
    assert highlight(desktop, inside)[0] == hexadecimal(COLD_MEAN)
    desktop.run(TILES, "--remove", folder.name)
    assert highlight(desktop, inside) == ("", "")


def test_a_picture_is_not_changed(desktop: Desktop, folder: Path) -> None:
    """Its bytes, permissions and time stay; without a refresh its status stays as well."""
    picture = folder / "cold.png"
    picture.chmod(0o640)
    have_thumbnailed(desktop, {picture: "image/png"})
    before, content = picture.stat(), picture.read_bytes()
    desktop.run(TILES, "--once", "--no-refresh")
    assert picture.stat() == before
    desktop.run(TILES, "--remove")
    after = picture.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert picture.read_bytes() == content


def test_any_name(desktop: Desktop, folder: Path) -> None:
    """Names that are not UTF-8, too."""
    picture = folder / os.fsdecode(b"cut \xe2\x82 #?%.png")
    draw_halves(picture, *COLD)
    have_thumbnailed(desktop, {picture: "image/png"})
    desktop.run(TILES, "--once")
    assert highlight(desktop, picture)[0] == hexadecimal(COLD_MEAN)


def test_waits_for_the_daemon(desktop: Desktop, daemon: Daemon, folder: Path) -> None:
    """One that is slow, and one that ends in the middle and is not to be had for a while."""
    picture = draw_halves(folder / "a.png", *COLD)
    have_thumbnailed(desktop, {picture: "image/png"})
    os.kill(daemon.pid, signal.SIGSTOP)
    # It cannot start another one itself.
    program = desktop.spawn(TILES, PATH="/usr/bin:/bin")
    assert highlight(desktop, picture) == ("", "")
    daemon.kill()
    wait_until(lambda: "will be again" in desktop.log(TILES), what="it complains")
    daemon.start()
    wait_until(
        lambda: highlight(desktop, picture)[0] == hexadecimal(COLD_MEAN),
        what="the tile has its color",
    )
    program.terminate()
    assert program.wait(timeout=60) == 0


@pytest.mark.usefixtures("folder")
def test_without_gvfs_it_says_so(desktop: Desktop) -> None:
    """Where nothing keeps colors it ends at once."""
    done = desktop.try_run(TILES, GIO_USE_VFS="local")
    assert done.returncode == 1
    assert "install gvfs" in done.stderr


def test_reads_what_a_thumbnail_is_of(tmp_path: Path) -> None:
    """In both kinds of texts, and never from what is no thumbnail."""
    path = tmp_path / "a.png"
    for compressed in (False, True):
        texts = PngImagePlugin.PngInfo()
        texts.add_text("Software", "a" * 100, zip=compressed)
        texts.add_text("Thumb::URI", "file:///a%20b", zip=compressed)
        draw_halves(path, *COLD)
        with PngImagePlugin.PngImageFile(path) as image:
            image.save(path, pnginfo=texts)
        assert cache.picture_of(path) == "file:///a%20b"
    whole = path.read_bytes()
    for content in (b"", whole[:20], whole[:60], b"\x89PNG\r\n\x1a\n" + b"\xff" * 100, b"x" * 999):
        path.write_bytes(content)
        assert cache.picture_of(path) is None
    assert cache.picture_of(tmp_path / "gone.png") is None
    assert cache.is_thumbnail("0123456789abcdef0123456789abcdef.png")
    assert not cache.is_thumbnail("0123456789abcdef0123456789abcdef-12345.png")
