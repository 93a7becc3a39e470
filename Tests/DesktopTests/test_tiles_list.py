"""The thumbnail examples: the list of the tiles that were colored, and what is in its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from EndToEndTests.harness.lying import BUSY, Liar
from EndToEndTests.harness.thumbnails import uri_of

from .desktop import Daemon, Desktop, wait_until
from .test_tiles import (
    BACKGROUND,
    COLD,
    COLD_MEAN,
    FOREGROUND,
    TILES,
    folder,
    hexadecimal,
    highlight,
)
from .thumbnailing import draw_halves, have_thumbnailed

__all__ = ["folder"]


@pytest.fixture
def picture(desktop: Desktop, folder: Path) -> Path:
    """A picture that has a thumbnail."""
    picture = draw_halves(folder / "a.png", *COLD)
    have_thumbnailed(desktop, {picture: "image/png"})
    return picture


@pytest.fixture
def listed(desktop: Desktop) -> Path:
    """Where the list is to be; there is none yet."""
    listed = desktop.home / ".local/state/undertone/thunar-tiles"
    listed.parent.mkdir(parents=True)
    return listed


@pytest.mark.usefixtures("daemon")
def test_colors_nothing_that_cannot_be_listed(
    desktop: Desktop, picture: Path, listed: Path
) -> None:
    """On a full disk it says so, names the list and ends, whether it follows or not."""
    listed.symlink_to("/dev/full")
    complaint = f"thunar-tiles: {listed}: No space left on device\n"
    done = desktop.try_run(TILES, "--once")
    assert (done.returncode, done.stderr) == (2, complaint)
    assert highlight(desktop, picture) == ("", "")
    assert desktop.spawn(TILES).wait() == 2
    assert desktop.log(TILES) == complaint
    assert highlight(desktop, picture) == ("", "")
    # So is what it says of that, perhaps.
    done = desktop.try_run("sh", "-c", f"'{TILES}' --once 2>/dev/full")
    assert done.returncode == 2
    assert highlight(desktop, picture) == ("", "")
    listed.unlink()
    desktop.run(TILES, "--once")
    assert highlight(desktop, picture) == (hexadecimal(COLD_MEAN), "#ffffff")


@pytest.mark.usefixtures("daemon")
def test_a_list_may_name_too_many(desktop: Desktop, picture: Path, listed: Path) -> None:
    """What the user has set on a picture that was listed and never colored stays."""
    mine = draw_halves(picture.with_name("mine.png"), *COLD)
    plain = draw_halves(picture.with_name("plain.png"), *COLD)
    desktop.run("gio", "set", mine, BACKGROUND, "#abcdef")
    desktop.run("gio", "set", mine, FOREGROUND, "#123456")
    # The last line is cut short, as on a full disk; the one before is damaged.
    whole = f"{uri_of(mine)}\n{uri_of(plain)}\n".encode()
    listed.write_bytes(whole + b"file:///\xff\n" + uri_of(mine).encode()[:-4])
    desktop.run(TILES, "--once")
    assert highlight(desktop, picture)[0] == hexadecimal(COLD_MEAN)
    desktop.run(TILES, "--remove")
    assert highlight(desktop, mine) == ("#abcdef", "#123456")
    assert highlight(desktop, plain) == ("", "")
    assert highlight(desktop, picture) == ("", "")
    assert list(listed.parent.iterdir()) == []


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "XDG_CACHE_HOME"])
@pytest.mark.usefixtures("folder")
def test_names_a_place_that_cannot_be_used(desktop: Desktop, variable: str) -> None:
    """In a line."""
    place = desktop.home / "notes.txt"
    place.write_text("no folder")
    desktop.environment[variable] = str(place / "in it")
    done = desktop.try_run(TILES, "--once")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"thunar-tiles: {place}")
    assert line.endswith(": Not a directory")


@pytest.mark.usefixtures("folder")
def test_names_what_else_is_in_the_way(desktop: Desktop, listed: Path) -> None:
    """A folder in the list's place, a thumbnail cache that is a file, and no home."""
    listed.mkdir()
    done = desktop.try_run(TILES, "--remove")
    assert (done.returncode, done.stderr) == (2, f"thunar-tiles: {listed}: Is a directory\n")
    thumbnails = desktop.home / "cache/thumbnails"
    thumbnails.parent.mkdir()
    thumbnails.touch()
    done = desktop.try_run(TILES, "--once", XDG_CACHE_HOME=str(thumbnails.parent))
    assert (done.returncode, done.stderr) == (2, f"thunar-tiles: {thumbnails}: File exists\n")
    done = desktop.try_run(TILES, "--once", HOME="~", XDG_STATE_HOME="")
    assert done.returncode == 2
    assert done.stderr == "thunar-tiles: there is no home directory: HOME does not name one\n"


@pytest.mark.parametrize("line", [BUSY, "hello"])
def test_goes_on_where_it_is_refused(desktop: Desktop, picture: Path, line: str) -> None:
    """As where there is no daemon: once there is one the tile has its color."""
    directory = desktop.runtime / "undertone"
    directory.mkdir(mode=0o700)
    with Liar(directory / "undertone.sock", line):
        program = desktop.spawn(TILES, PATH="/usr/bin:/bin")
        wait_until(lambda: "will be again" in desktop.log(TILES), what="it complains")
    assert program.poll() is None
    (directory / "undertone.sock").unlink()
    daemon = Daemon(directory, environment=desktop.environment).start()
    wait_until(
        lambda: highlight(desktop, picture)[0] == hexadecimal(COLD_MEAN),
        what="the tile has its color",
    )
    program.terminate()
    assert program.wait() == 0
    assert len(desktop.log(TILES).splitlines()) == 1
    daemon.stop()
