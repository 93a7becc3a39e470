#!/usr/bin/python3
"""Draws the README's picture: what `undertone` really prints on a terminal about real photographs.

The program runs on a pseudo-terminal, and what it writes there is drawn cell by cell.
"""

from __future__ import annotations

import os
import pathlib
import pty
import re
import subprocess
import sys

from PIL import Image, ImageDraw, ImageFont
from private_daemon import PROGRAMS, ROOT, photographs, private_daemon

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
# One of each kind: light, dark and colourful.
PICTURES = [
    "Bridge_by_Sander_Klootwijk.jpg",
    "Picture_0B_by_freespace.jpg",
    "seeding_by_Clements_Engelhardt.jpg",
]
ARGUMENTS = ["--region", "bar=bottom:0.12"]
SIZE = 26
PAPER = (24, 24, 27)
INK = (212, 212, 216)

Color = tuple[int, int, int]


def terminal_output(folder: pathlib.Path) -> str:
    """What the program prints where its output is a terminal."""
    with private_daemon() as environment:
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment.pop("NO_COLOR", None)
        master, slave = pty.openpty()
        client = subprocess.Popen(
            [PROGRAMS / "undertone", "--no-start", *ARGUMENTS, *PICTURES],
            stdout=slave,
            cwd=folder,
            env=environment,
        )
        os.close(slave)
        written = b""
        try:
            while piece := os.read(master, 65536):
                written += piece
        except OSError:
            pass  # Nobody has the other end open any more.
        status = client.wait()
    if status != 0:
        sys.exit(f"screenshot: undertone has ended with {status}")
    return written.decode().replace("\r\n", "\n").rstrip("\n")


def cells(line: str) -> list[tuple[str, Color, Color | None, bool]]:
    """A line's characters, each with its colour, what it stands on, and whether it is bold."""
    result: list[tuple[str, Color, Color | None, bool]] = []
    ink, paper, bold = INK, None, False
    for sequence, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
        if character:
            result.append((character, ink, paper, bold))
            continue
        match [int(number) for number in sequence.split(";")]:
            case [0]:
                ink, paper, bold = INK, None, False
            case [1]:
                bold = True
            case [38, 2, red, green, blue]:
                ink = (red, green, blue)
            case [48, 2, red, green, blue]:
                paper = (red, green, blue)
            case other:
                sys.exit(f"screenshot: unknown sequence {other}")
    return result


def draw(text: str) -> Image.Image:
    """The text as a terminal shows it."""
    plain = ImageFont.truetype(str(FONTS / "DejaVuSansMono.ttf"), SIZE)
    strong = ImageFont.truetype(str(FONTS / "DejaVuSansMono-Bold.ttf"), SIZE)
    width = round(plain.getlength("x"))
    height = round(SIZE * 1.35)
    lines = [cells(line) for line in text.split("\n")]
    margin = SIZE
    columns = max(len(line) for line in lines)
    image = Image.new(
        "RGB", (columns * width + 2 * margin, len(lines) * height + 2 * margin), PAPER
    )
    canvas = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        for column, (character, ink, paper, bold) in enumerate(line):
            x, y = margin + column * width, margin + row * height
            box = (x, y, x + width - 1, y + height - 1)
            if paper:
                canvas.rectangle(box, fill=paper)
            if character == "█":
                # A terminal draws blocks to the cell's edges, whatever the font does.
                canvas.rectangle(box, fill=ink)
            else:
                canvas.text((x, y + 3), character, fill=ink, font=strong if bold else plain)
    return image


def main() -> None:
    """Writes docs/terminal.png."""
    command = f"$ undertone {' '.join([*ARGUMENTS, *PICTURES[:1]])} …"
    text = command + "\n\n" + terminal_output(photographs())
    target = ROOT / "docs/terminal.png"
    target.parent.mkdir(exist_ok=True)
    draw(text).quantize(256).save(target, optimize=True)


if __name__ == "__main__":
    main()
