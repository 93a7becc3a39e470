"""The thumbnail examples: photographs in Thunar and in Nautilus, as their page shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .desktop import Desktop, box_of, require, rgb, wait_until
from .test_nautilus import prepare, wait_for_colors
from .test_tiles import TILES, highlight
from .thumbnailing import EXAMPLES, PHOTOGRAPHS, photographs, require_service

pytestmark = pytest.mark.usefixtures("daemon")


def colors_of(desktop: Desktop, folder: Path) -> dict[str, str]:
    """What the folder's placeholders would be, in order."""
    printed = desktop.run(EXAMPLES / "folder-colors", folder).splitlines()
    return {Path(line["path"]).name: line["background"] for line in map(json.loads, printed)}


def test_screenshot_of_tiles(desktop: Desktop) -> None:
    """Each photograph's tile is of its color, in the order of the folder's placeholders."""
    require("thunar", "xfconf-query")
    require_service("org.gtk.vfs.Metadata.service", "gvfs")
    require_service("org.xfce.Tumbler.Thumbnailer1.service", "tumbler")
    folder = desktop.home / "Pictures"
    folder.mkdir()
    photographs(folder)
    setting = ("xfconf-query", "-c", "thunar", "-n", "-t", "string", "-p")
    desktop.run(*setting, "/last-icon-view-zoom-level", "-s", "THUNAR_ZOOM_LEVEL_150_PERCENT")
    desktop.run(*setting, "/last-side-pane", "-s", "THUNAR_SIDEPANE_TYPE_HIDDEN")
    desktop.spawn(TILES)
    desktop.spawn("thunar", folder)
    tiles: dict[str, str] = {}
    boxes: list[tuple[int, int, int, int]] = []

    def are_colored() -> bool:
        tiles.update({name: highlight(desktop, folder / name)[0] for name in PHOTOGRAPHS})
        shot = desktop.screenshot()
        found = [box_of(shot, rgb(color)) for color in tiles.values() if color]
        boxes[:] = [box for box in found if box and box[2] - box[0] >= 90]
        return len(boxes) == len(PHOTOGRAPHS)

    wait_until(are_colored, what="all tiles have their colors")
    # A photograph's own color and its thumbnail's may differ a little.
    for name, color in colors_of(desktop, folder).items():
        assert max(abs(a - b) for a, b in zip(rgb(color), rgb(tiles[name]), strict=True)) <= 2
    # Row by row: the tiles of a row begin at one height.
    assert boxes == sorted(boxes, key=lambda box: (box[1], box[0]))
    around = (boxes[0][0] - 7, boxes[0][1] - 7, boxes[4][2] + 8, boxes[5][3] + 8)
    desktop.keep("tiles", desktop.screenshot().crop(around))


def test_screenshot_of_nautilus(desktop: Desktop) -> None:
    """The column says of each photograph what the folder's placeholders do."""
    folder = prepare(desktop)
    photographs(folder)
    desktop.spawn("nautilus", "--new-window", folder, GTK_A11Y="atspi")
    window = desktop.window("^Pictures$")
    wait_for_colors(desktop, colors_of(desktop, folder))
    right, bottom = window.x + window.width - 4, window.y + window.height - 90
    desktop.keep(
        "nautilus", desktop.screenshot().crop((window.x + 246, window.y + 54, right, bottom))
    )
