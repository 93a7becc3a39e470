"""The swatch cards that the command-line client draws."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import subprocess
import xml.etree.ElementTree as ET

import pytest
from conftest import BIN, HOSTILE_NAMES, Daemon, color_of, environment
from EndToEndTests.harness import programs
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"


def undertone(
    daemon: Daemon, *arguments: str | bytes | pathlib.Path, cwd: bytes | pathlib.Path
) -> subprocess.CompletedProcess[str]:
    """Runs the client, whose output is no terminal."""
    return programs.run([BIN / "undertone", *arguments], environment(daemon.directory), cwd=cwd)


def texts(card: pathlib.Path) -> list[tuple[str, str]]:
    """What is written on a card, each with its colour, in the order of drawing."""
    root = ET.parse(card).getroot()
    assert root.tag == SVG + "svg"
    return [(text.text or "", text.attrib["fill"]) for text in root.iter(SVG + "text")]


def fills(card: pathlib.Path) -> set[str]:
    """The colours of all rectangles."""
    return {rectangle.attrib["fill"] for rectangle in ET.parse(card).iter(SVG + "rect")}


@pytest.fixture
def halves(tmp_path: pathlib.Path) -> pathlib.Path:
    """A picture of which three quarters are red and one is dark blue."""
    image = Image.new("RGB", (40, 40), "#c81414")
    image.paste("#101040", (0, 30, 40, 40))
    image.save(tmp_path / "halves.png")
    return tmp_path / "halves.png"


def test_card_of_color_has_text_in_its_foreground(
    daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path
) -> None:
    """What it says is what the answer says, which is printed all the same."""
    card = tmp_path / "card.svg"
    done = undertone(daemon, "-r", "top=top:0.5", "--card", card, halves, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    written = texts(card)
    assert ("Primary text", result["foreground"]["color"]) in written
    assert ("Secondary text", result["secondary"]["color"]) in written
    assert ("top", result["regions"]["top"]["foreground"]["color"]) in written
    assert {*result["average"].values(), "#c81414"} <= fills(card)


def test_card_of_palette(daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path) -> None:
    """Each colour's share is set in its foreground, and the bar is as wide as the shares."""
    card = tmp_path / "card.svg"
    assert undertone(daemon, "palette", "--card", card, halves, cwd=tmp_path).returncode == 0
    assert ("75.0 %", "#ffffff") in texts(card)
    assert ("25.0 %", "#ffffff") in texts(card)
    # The second colour's part of the bar begins after three quarters of 672 pixels.
    bar = [
        rectangle.attrib
        for rectangle in ET.parse(card).iter(SVG + "rect")
        if rectangle.attrib["height"] == "22"
    ]
    assert [(part["x"], part["width"], part["fill"]) for part in bar] == [
        ("0", "672", "#c81414"),
        ("504", "168", "#101040"),
    ]


def test_card_of_theme(daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path) -> None:
    """All sixteen colours are there, and the roles' names in the roles' colours."""
    card = tmp_path / "card.svg"
    done = undertone(daemon, "theme", "--card", card, halves, cwd=tmp_path)
    result = json.loads(done.stdout)["result"]
    assert set(result["colors"].values()) <= fills(card)
    written = [(text.strip(), color) for text, color in texts(card)]
    for role in ["error", "success", "warning", "info", "accent", "muted"]:
        assert (role, result["roles"][role]) in written


def test_card_of_indicator(daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path) -> None:
    """Labels, dots and the glyph are drawn on the strip in their colours."""
    card = tmp_path / "card.svg"
    done = undertone(daemon, "indicator", "--glyph", halves, "--card", card, halves, cwd=tmp_path)
    result = json.loads(done.stdout)["result"]
    written = texts(card)
    assert ("Photos", result["labels"]["active"]["color"]) in written
    assert ("Search", result["labels"]["others"]["color"]) in written
    assert ("\u25c6", result["glyph"]["color"]) in written
    dots = [circle.attrib["fill"] for circle in ET.parse(card).iter(SVG + "circle")]
    assert sorted(set(dots), key=dots.count) == [
        result["dots"]["current"]["color"],
        result["dots"]["others"]["color"],
    ]


def test_card_of_transition(daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path) -> None:
    """Each frame is a stripe, and each letter has the colour of the frame that it is on."""
    card = tmp_path / "card.svg"
    done = undertone(daemon, "transition", "#ffffff", halves, "--card", card, cwd=tmp_path)
    frames = json.loads(done.stdout)["result"]["frames"]
    stripes = [
        rectangle.attrib["fill"]
        for rectangle in ET.parse(card).iter(SVG + "rect")
        if rectangle.attrib["height"] == "96"
    ]
    assert stripes == [frame["background"] for frame in frames]
    letters = [text.attrib for text in ET.parse(card).iter(SVG + "text") if text.get("y") == "45"]
    assert len(letters) == 28
    for letter in letters:
        frame = frames[int(float(letter["x"]) * len(frames) / 672)]
        assert letter["fill"] == frame["foreground"]["color"]


def test_card_has_a_row_for_each_picture(
    daemon: Daemon, folder: bytes, tmp_path: pathlib.Path
) -> None:
    """In order, whatever the names are, and with errors in their places."""
    card = tmp_path / "card.svg"
    names = [*HOSTILE_NAMES, b"absent"]
    done = undertone(daemon, "palette", "--card", card, "--", *names, cwd=folder)
    assert done.returncode == 1
    headings = [
        text.text or ""
        for text in ET.parse(card).iter(SVG + "text")
        if text.attrib["font-size"] == "15"
    ]
    assert len(headings) == len(names)
    assert headings[0] == "plain.png"
    assert r"line\x0abreak.png" in headings
    assert "é ü 中 😀.png" in headings
    assert headings[-1] == "absent"
    assert texts(card)[-1][0] == "not_found"
    expected = {"#" + bytes(color_of(index)).hex() for index in range(len(HOSTILE_NAMES))}
    assert expected <= fills(card)


def test_card_replaces_a_file_whole(
    daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path
) -> None:
    """Whoever has the old card open keeps it; nothing else is left in the folder."""
    card = tmp_path / "card.svg"
    undertone(daemon, "palette", "--card", card, halves, cwd=tmp_path)
    before = card.read_text()
    with card.open() as old:
        assert undertone(daemon, "--card", card, halves, cwd=tmp_path).returncode == 0
        assert old.read() == before
    assert card.read_text() != before
    assert texts(card)
    assert {path.name for path in tmp_path.iterdir()} == {"card.svg", "halves.png"}
    mask = os.umask(0)
    os.umask(mask)
    (tmp_path / "new").mkdir()
    undertone(daemon, "--card", "new/card.svg", halves, cwd=tmp_path)
    assert stat.S_IMODE((tmp_path / "new/card.svg").stat().st_mode) == 0o666 & ~mask


def test_card_never_replaces_a_picture(
    daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path
) -> None:
    """As of `--card *.png`, where the shell puts the first picture in the card's place."""
    before = halves.read_bytes()
    done = undertone(daemon, "--card", halves, halves, cwd=tmp_path)
    assert done.returncode == 2
    assert "is no card" in done.stderr
    assert halves.read_bytes() == before


def test_card_that_cannot_be_written_is_named(
    daemon: Daemon, tmp_path: pathlib.Path, halves: pathlib.Path
) -> None:
    """With exit status 2, after the answers."""
    for card in ["absent/card.svg", "."]:
        done = undertone(daemon, "--card", card, halves, cwd=tmp_path)
        assert done.returncode == 2
        assert "result" in json.loads(done.stdout)
        assert done.stderr.startswith("undertone: ")
        assert card in done.stderr
        assert done.stderr.count("\n") == 1
    for card in ["-", ""]:
        done = undertone(daemon, "--card", card, halves, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stdout == ""


def test_card_may_be_a_pipe(daemon: Daemon, halves: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """As a shell makes one of `>(...)`; it is written to, not replaced."""
    done = subprocess.run(
        ["bash", "-c", 'undertone palette --card >(cat >card) "$1" >answer; wait $!', "_", halves],
        cwd=tmp_path,
        env=environment(daemon.directory),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert ("75.0 %", "#ffffff") in texts(tmp_path / "card")
