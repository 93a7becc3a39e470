"""What the carousel reckons without a display: its pages, its dots and its command line."""

from __future__ import annotations

import os
import pathlib

import pytest
from carousel import pictures
from carousel.dotrow import DotRow
from carousel.options import GLYPHS, parse
from carousel.pictures import Album, display_name, natural_order, read_album
from carousel.tint import tinted
from conftest import HOSTILE_NAMES

PNG = frozenset({b"png"})


def test_album_lists_any_name(folder: bytes) -> None:
    """All that end as pictures do, and each on the page that it is found on again."""
    album = read_album(folder, PNG)
    assert set(album.names) == {name for name in HOSTILE_NAMES if name.endswith(b".png")}
    for index, name in enumerate(album.names):
        assert album.path(index) == folder + b"/" + name
        assert album.page(album.path(index)) == index
    assert album.page(folder + b"/missing.png") is None
    assert album.page(b"/elsewhere/plain.png") is None


def test_album_leaves_what_is_no_picture(tmp_path: pathlib.Path) -> None:
    """Folders, FIFOs, hidden files, links that lead nowhere and other endings."""
    for name in ("b.PNG", "a.png", ".hidden.png", "text.txt", "png"):
        (tmp_path / name).touch()
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "fifo.png")
    (tmp_path / "dangling.png").symlink_to("nowhere")
    (tmp_path / "link.png").symlink_to("a.png")
    album = read_album(os.fsencode(tmp_path), PNG)
    assert album.names == (b"a.png", b"b.PNG", b"link.png")


def test_album_begins_with_the_file_named(tmp_path: pathlib.Path) -> None:
    """Whatever its ending, and though it is hidden."""
    for name in ("1.png", "10.png", "2.png", ".photo"):
        (tmp_path / name).touch()
    album = read_album(os.fsencode(tmp_path / "10.png"), PNG)
    assert (album.names, album.start) == ((b"1.png", b"2.png", b"10.png"), 2)
    album = read_album(os.fsencode(tmp_path / ".photo"), PNG)
    assert album.names[album.start] == b".photo"
    with pytest.raises(FileNotFoundError):
        read_album(os.fsencode(tmp_path / "missing.png"), PNG)
    with pytest.raises(NotADirectoryError):
        read_album(os.fsencode(tmp_path / "1.png/2.png"), PNG)


def test_album_is_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ones of a folder, or those around the file named."""
    monkeypatch.setattr(pictures, "MAXIMUM", 3)
    for number in range(9):
        (tmp_path / f"{number}.png").touch()
    place = os.fsencode(tmp_path)
    assert read_album(place, PNG).names == (b"0.png", b"1.png", b"2.png")
    for named, first in ((0, 0), (1, 0), (4, 3), (8, 6)):
        album = read_album(place + b"/%d.png" % named, PNG)
        assert album.names == tuple(b"%d.png" % number for number in range(first, first + 3))
        assert album.names[album.start] == b"%d.png" % named


def test_an_empty_folder_has_no_pages(tmp_path: pathlib.Path) -> None:
    """Which is no error."""
    assert read_album(os.fsencode(tmp_path), PNG).names == ()


def test_neighbors_are_the_nearest_first() -> None:
    """The next one before the previous one, and none beyond the ends."""
    album = Album(b"/", (b"a", b"b", b"c", b"d"))
    assert album.neighbors(1, 1) == [2, 0]
    assert album.neighbors(1, 2) == [2, 0, 3]
    assert album.neighbors(0, 1) == [1]
    assert album.neighbors(3, 2) == [2, 1]
    assert Album(b"/", (b"a",)).neighbors(0, 2) == []


def test_names_are_sorted_as_people_do() -> None:
    """By number and without regard to case; by their bytes where that leaves them equal."""
    names = [b"img10", b"IMG2", b"img1", b"img01", b"img", b"\xff", b"2", b"10"]
    assert sorted(names, key=natural_order) == [
        *(b"2", b"10", b"img", b"img01", b"img1", b"IMG2", b"img10", b"\xff"),
    ]


def test_names_are_shown_on_one_line() -> None:
    """Nothing that breaks it, reverses it or is no text."""
    assert display_name("é 😀.png".encode()) == "é 😀.png"
    assert display_name(b"line\nbreak\x1b[31m\x7f") == "line�break�[31m�"
    assert display_name(b"cut \xe2\x82.png") == "cut �.png"
    assert display_name("gpj\u202e.exe\u2028".encode()) == "gpj�.exe�"


def test_dots_are_all_seen_where_there_is_room() -> None:
    """None is smaller then, and the current one makes way for its mark."""
    row = DotRow(pages=5, position=1.25, most=9)
    assert (row.length, row.first, row.seen()) == (5, 0, range(5))
    assert [row.place(page) for page in row.seen()] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert {row.scale(page) for page in row.seen()} == {1}
    assert [row.opacity(page) for page in row.seen()] == [1, 0.25, 0.75, 1, 1]


def test_dots_scroll_where_there_is_not() -> None:
    """The current page is in the middle, and those at an end tell that there are more."""
    row = DotRow(pages=100, position=50, most=9)
    assert row.seen() == range(46, 55)
    assert row.place(50) == 4.5
    assert [row.scale(page) for page in (46, 47, 50, 53, 54)] == [0.5, 1, 1, 1, 0.5]
    between = DotRow(pages=100, position=50.5, most=9)
    assert between.seen() == range(46, 56)
    assert between.scale(46) == between.scale(55) == 0.25
    assert DotRow(100, 0).scale(0) == DotRow(100, 99).scale(99) == 1
    assert DotRow(100, 0).seen() == range(9)
    assert DotRow(100, 99).seen() == range(91, 100)
    assert DotRow(0, 0).seen() == range(0)


def test_a_tint_keeps_nothing_but_the_alpha() -> None:
    """Every pixel's."""
    pixels = bytes([1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255])
    assert tinted(pixels, "#aabbcc") == bytes(
        [0xAA, 0xBB, 0xCC, 0, 0xAA, 0xBB, 0xCC, 128, 0xAA, 0xBB, 0xCC, 255]
    )
    assert tinted(b"", "#000000") == b""


def test_options() -> None:
    """Paths are below the folder in which the command was given, and may hold any bytes."""
    options = parse([], b"/home")
    assert (options.place, options.page, options.average) == (None, None, "simple")
    assert options.glyph == os.fsencode(GLYPHS / "balloon.svg")
    assert pathlib.Path(os.fsdecode(options.glyph)).is_file()
    options = parse(
        ["a\udcff", "--page=3", "--glyph=g.png", "--average=squareRoot", "--glyph-style=tint"],
        b"/home",
    )
    assert (options.place, options.page, options.glyph) == (b"/home/a\xff", 3, b"/home/g.png")
    assert (options.average, options.glyph_style) == ("squareRoot", "tint")
    assert parse(["/a", "--glyph", "none"], b"/home").glyph is None
    assert parse(["/a"], b"/home").place == b"/a"


@pytest.mark.parametrize("wrong", [["--page=0"], ["--page=x"], ["--average=oklab"], ["a", "b"]])
def test_options_that_are_none(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Are said to be, and end the program with 2."""
    with pytest.raises(SystemExit, match="2"):
        parse(wrong, b"/")
    assert "undertone-carousel: error: " in capsys.readouterr().err
