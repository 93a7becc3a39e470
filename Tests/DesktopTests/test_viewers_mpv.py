"""The script for mpv: the text on the screen, covers, and films."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from EndToEndTests.harness.lying import Liar
from PIL import Image

from .desktop import ROOT, Color, Daemon, Desktop, Window, box_of, require, wait_until
from .test_viewers import BLACK, MPV
from .viewers import follow, install, make_pictures, press, text_contrasts, wait_for_colors

# A frame of MPEG 1 layer III, 128 kbit/s at 44.1 kHz: without side information it is silence.
SILENCE = bytes.fromhex("fffb9064").ljust(417, b"\0")


def png(color: Color) -> bytes:
    """A flat picture."""
    file = io.BytesIO()
    Image.new("RGB", (60, 20), color).save(file, "png")
    return file.getvalue()


def song(cover: bytes | None = None) -> bytes:
    """Some seconds of nothing, with a picture of the front cover in an ID3 tag, if there is one."""
    tag = b""
    if cover is not None:
        body = b"\0image/png\0\x03\0" + cover
        frame = b"APIC" + seven_bits(len(body)) + b"\0\0" + body
        tag = b"ID3\4\0\0" + seven_bits(len(frame)) + frame
    return tag + SILENCE * 400


def seven_bits(number: int) -> bytes:
    """A number as ID3 writes it."""
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def start(desktop: Desktop, *files: Path) -> Window:
    """Starts mpv on files, one after the other, each until a key is pressed."""
    options = ["--image-display-duration=inf", "--loop-file", "--geometry=600x400+50+50"]
    desktop.spawn("mpv", *options, "--gpu-sw=yes", "--ao=null", "--force-window", *files)
    return desktop.window("mpv$", when=lambda window: window.width == 600)


@pytest.mark.parametrize("line", ["1", '{"result":5}', '{"result":{"background":5}}'])
def test_goes_on_where_an_answer_is_none(desktop: Desktop, line: str) -> None:
    """Whoever listens may say anything; the next picture has its color all the same."""
    require("mpv")
    install(desktop, "mpv")
    colors = [(90, 0, 0), (0, 90, 0)]
    names = [b"a.png", b"b.png"]
    folder = make_pictures(desktop, dict(zip(names, colors, strict=True)))
    directory = desktop.runtime / "undertone"
    directory.mkdir(mode=0o700)
    with Liar(directory / "undertone.sock", line) as liar:
        window = MPV.start(desktop, folder)
        assert liar.is_asked.wait(60)
        wait_until(lambda: "undertone" not in desktop.processes().values(), what="it is told")
    press(desktop, window, MPV.next)
    wait_for_colors(desktop, MPV.places(window), colors[1], colors[1])
    assert "Lua error" not in desktop.log("mpv")


@pytest.mark.usefixtures("daemon")
def test_the_text_on_the_screen_can_be_read(desktop: Desktop) -> None:
    """On a picture in which neither white nor black text can be."""
    require("mpv")
    install(desktop, "mpv")
    picture = desktop.home / "stripes.png"
    image = Image.new("RGB", (600, 400), "white")
    for x in range(0, 600, 8):
        image.paste("black", (x, 0, x + 4, 400))
    image.save(picture)
    (desktop.home / ".config/mpv/mpv.conf").write_text("osd-level=3\n")
    start(desktop, picture)
    average = (128, 128, 128)
    contrasts: list[float] = []

    def is_there() -> bool:
        nonlocal contrasts
        screen = desktop.screenshot()
        # Where the average's own color is: in the box of the text. One that is just being drawn
        # has no words yet.
        box = box_of(screen, average)
        if box is None or box[2] - box[0] <= 100:
            return False
        contrasts = text_contrasts(screen.crop(box))
        return len(contrasts) >= 2

    wait_until(is_there, what="there is a box with words")
    assert min(contrasts) >= 4.5


@pytest.mark.usefixtures("daemon")
def test_takes_the_colors_of_covers(desktop: Desktop) -> None:
    """Of one beside the song, and of one inside; a song without any looks as ever."""
    require("mpv")
    install(desktop, "mpv")
    outside, inside, none = (desktop.home / f"{name}/song.mp3" for name in ("a", "b", "c"))
    for file, data in [(outside, song()), (inside, song(png((32, 96, 64)))), (none, song())]:
        file.parent.mkdir()
        file.write_bytes(data)
    (outside.parent / "cover.png").write_bytes(png((192, 96, 32)))
    window = start(desktop, outside, inside, none)
    where = MPV.places(window)
    wait_for_colors(desktop, where, (192, 96, 32), (192, 96, 32))
    press(desktop, window, MPV.next)
    wait_for_colors(desktop, where, (32, 96, 64), (32, 96, 64))
    press(desktop, window, MPV.next)
    wait_for_colors(desktop, where, BLACK, BLACK)
    # The cover was written out for a moment only.
    assert not list(desktop.runtime.glob("undertone-mpv*"))


def test_takes_the_colors_of_a_frame_when_told_to(desktop: Desktop, daemon: Daemon) -> None:
    """A film has mpv's own, until the key is pressed that the README names."""
    require("mpv")
    install(desktop, "mpv")
    binding = "c script-binding undertone/frame\n"
    assert binding in (ROOT / "examples/viewers/mpv/README.md").read_text()
    (desktop.home / ".config/mpv/input.conf").write_text(binding)
    film = desktop.home / "film.gif"
    frames = [Image.new("RGB", (60, 20), color) for color in [(96, 32, 128), (96, 32, 132)]]
    frames[0].save(film, save_all=True, append_images=frames[1:], duration=60_000)
    window = start(desktop, film)
    where = MPV.places(window)
    wait_for_colors(desktop, where, (96, 32, 128), BLACK)
    assert daemon.counters()["decodes"] == 0
    press(desktop, window, "c")
    wait_for_colors(desktop, where, (96, 32, 128), (96, 32, 128))
    follow(desktop, "mpv", "Undo")
    assert not list((desktop.home / ".config/mpv/scripts").iterdir())


def test_leaves_no_copy_of_a_frame_as_it_ends(desktop: Desktop) -> None:
    """Also if mpv is told to before there is an answer about it."""
    require("mpv")
    install(desktop, "mpv")
    (desktop.home / ".config/mpv/input.conf").write_text("c script-binding undertone/frame\n")
    asked = desktop.home / "asked"
    client = desktop.home / ".local/bin/undertone"
    client.parent.mkdir(parents=True, exist_ok=True)
    client.write_text(f"#!/bin/sh\necho >>'{asked}'\nexec sleep 600\n")
    client.chmod(0o755)
    film = desktop.home / "film.gif"
    frames = [Image.new("RGB", (60, 20), color) for color in [(96, 32, 128), (96, 32, 132)]]
    frames[0].save(film, save_all=True, append_images=frames[1:], duration=60_000)
    window = start(desktop, film)
    wait_for_colors(desktop, MPV.places(window), (96, 32, 128), BLACK)
    press(desktop, window, "c")
    wait_until(asked.exists, what="the frame is asked about")
    assert len(list(desktop.runtime.glob("undertone-mpv*"))) == 1
    press(desktop, window, "q")
    wait_until(lambda: "mpv" not in desktop.processes().values(), what="mpv has ended")
    assert not list(desktop.runtime.glob("undertone-mpv*"))
