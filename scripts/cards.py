#!/usr/bin/python3
"""Draws the README's swatch cards: what `undertone --card` makes of photographs, beside them."""

from __future__ import annotations

import base64
import io
import pathlib
import re
import subprocess
import tempfile

from PIL import Image, ImageDraw
from private_daemon import PROGRAMS, ROOT, photographs, private_daemon

# The photograph of each operation, and what is asked besides. Their licences, CC0 and CC BY, allow
# it; the README names their authors.
CARDS: dict[str, tuple[str, list[str]]] = {
    "color": ("picosdeeuropa_by_Aitzol_Berasategi.jpg", ["--region", "bar=bottom:0.12"]),
    "palette": ("Picture_1A_by_freespace.jpg", []),
    "indicator": ("Picture_0B_by_freespace.jpg", ["--area", "bottom:0.12"]),
    "transition": ("seeding_by_Clements_Engelhardt.jpg", ["#cfe3f5"]),
    "theme": ("seeding_by_Clements_Engelhardt.jpg", []),
}
# The width of a photograph, and what lies between it and its neighbours.
WIDTH = 200
GAP = 16


def glyph(path: pathlib.Path) -> None:
    """Makes a small picture of several colours, as a page indicator has one."""
    image = Image.new("RGBA", (96, 96))
    canvas = ImageDraw.Draw(image)
    canvas.ellipse((4, 4, 92, 92), fill="#14532d")
    canvas.polygon([(48, 18), (78, 70), (18, 70)], fill="#fbbf24")
    image.save(path)


def thumbnail(path: pathlib.Path) -> tuple[str, int]:
    """A photograph for an SVG, small, and its height there."""
    with Image.open(path) as image:
        image.draft("RGB", (3 * WIDTH, 3 * WIDTH))
        height = round(image.height * WIDTH / image.width)
        small = image.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.save(data, "jpeg", quality=70, optimize=True, progressive=True)
    return "data:image/jpeg;base64," + base64.b64encode(data.getvalue()).decode(), height


def beside(card: str, path: pathlib.Path) -> str:
    """Puts a photograph to the left of a card, half-way up."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', card)
    assert size
    width, height = WIDTH + GAP + int(size[1]), int(size[2])
    picture, picture_height = thumbnail(path)
    inner = card.replace("<svg ", f'<svg x="{WIDTH + GAP}" ', 1).replace(' role="img"', "", 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
        f'<image y="{(height - picture_height) / 2:g}" width="{WIDTH}" height="{picture_height}" '
        f'href="{picture}"/>\n{inner}</svg>\n'
    )


def main() -> None:
    """Writes docs/OPERATION.svg for each operation."""
    folder = photographs()
    with private_daemon() as environment, tempfile.TemporaryDirectory() as work:
        card = pathlib.Path(work, "card.svg")
        glyph(pathlib.Path(work, "glyph.png"))
        for operation, (name, arguments) in CARDS.items():
            if operation == "indicator":
                arguments = [*arguments, "--glyph", f"{work}/glyph.png"]
            subprocess.run(
                [PROGRAMS / "undertone", operation, name, *arguments, "--card", card],
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            drawing = beside(card.read_text(), folder / name)
            (ROOT / "docs" / f"{operation}.svg").write_text(drawing)


if __name__ == "__main__":
    main()
