"""What the tests of the thumbnail examples share: tumbler, tiles and their places."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from EndToEndTests.harness.thumbnails import uri_of
from PIL import Image

from .desktop import ROOT, Color, Desktop, require, rgb, wait_until

EXAMPLES = ROOT / "examples/thumbnails"
sys.path[:0] = [str(ROOT / "examples/python"), str(EXAMPLES)]

# By Trevor "Freespace", Jakub Mede, Aitzol Berasategi, Abhishek Mudgal (CC BY) and Clemens
# Engelhardt (CC0).
PHOTOGRAPHS = {
    "brushes.jpg": "Picture_1A_by_freespace.jpg",
    "dandelions.jpg": "seeding_by_Clements_Engelhardt.jpg",
    "fruit.jpg": "Picture_0B_by_freespace.jpg",
    "lounge.jpg": "Wine_by_Jakkub_Mede.jpg",
    "meadow.jpg": "aitzgorri_by_Aitzol_Berasategi.jpg",
    "spectrum.jpg": "umang_by_Abhishek_Mudgal.jpg",
}

SERVICE = "org.freedesktop.thumbnails.Thumbnailer1"
SERVICES = Path("/usr/share/dbus-1/services")


def require_service(name: str, package: str) -> None:
    """Skips a test, aloud, where nobody offers a service on the session's bus."""
    if not (SERVICES / name).exists():
        pytest.skip(f"not installed: {package}")


def have_thumbnailed(desktop: Desktop, pictures: Mapping[Path, str], size: str = "large") -> None:
    """Has tumbler make thumbnails of pictures with these MIME types, and waits for them."""
    require("gdbus")
    require_service("org.xfce.Tumbler.Thumbnailer1.service", "tumbler")
    uris = ", ".join(f'"{uri_of(path)}"' for path in pictures)
    types = ", ".join(f'"{kind}"' for kind in pictures.values())
    command = ["gdbus", "call", "--session", "--dest", SERVICE]
    command += ["--object-path", "/org/freedesktop/thumbnails/Thumbnailer1"]
    command += [
        "--method",
        f"{SERVICE}.Queue",
        f"[{uris}]",
        f"[{types}]",
        size,
        "default",
        "uint32 0",
    ]
    desktop.run(*command)
    wait_until(lambda: thumbnails(desktop, size) >= len(pictures), what="the thumbnails are made")


def thumbnails(desktop: Desktop, size: str) -> int:
    """How many thumbnails there are; one that is still written has another, longer name."""
    made = (desktop.home / ".cache/thumbnails" / size).glob("*.png")
    return sum(len(path.stem) == 32 for path in made)


def draw_halves(path: Path, left: str, right: str) -> Path:
    """Draws a picture of two colors; returns its path."""
    image = Image.new("RGB", (300, 200), right)
    image.paste(rgb(left), (0, 0, 150, 200))
    image.save(path, "png")
    return path


def photographs(folder: Path) -> list[Path]:
    """Puts some photographs into a folder, smaller, and returns their paths."""
    paths = []
    for name, source in PHOTOGRAPHS.items():
        original = Path("/usr/share/backgrounds") / source
        if not original.exists():
            pytest.skip(f"not installed: {original}")
        with Image.open(original) as image:
            image.draft("RGB", (800, 800))
            image.thumbnail((800, 800))
            paths.append(folder / name)
            image.save(paths[-1], quality=90)
    return paths


def mean(one: str, other: str) -> Color:
    """The average of a picture of two colors, whose channels' sums are even."""
    red, green, blue = ((a + b) // 2 for a, b in zip(rgb(one), rgb(other), strict=True))
    return red, green, blue
