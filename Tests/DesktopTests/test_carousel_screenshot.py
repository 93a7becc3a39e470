"""The carousel with photographs, as its page shows it, and on Wayland."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from EndToEndTests.harness import wcag

from .carousel import (
    COLORS,
    FRAME,
    PROGRAM,
    STRIP,
    flat_pictures,
    require_toolkit,
    strip_color,
    text_contrasts,
)
from .desktop import Daemon, Desktop, wait_until
from .sway import Sway

PHOTOGRAPHS = {
    "Aitzgorri.jpg": "aitzgorri_by_Aitzol_Berasategi.jpg",
    "Bridge.jpg": "Bridge_by_Sander_Klootwijk.jpg",
    "Dandelions.jpg": "seeding_by_Clements_Engelhardt.jpg",
    "Dragonfly.jpg": "Dragonfly_by_Bolly.jpg",
    "Picos de Europa.jpg": "picosdeeuropa_by_Aitzol_Berasategi.jpg",
    "Sunset.jpg": "sunset_by_Aitzol_Berasategi.jpg",
}
# With a header bar, a picture of 16 to 9, and the strip.
SIZE = (730, 526)


def test_screenshot(desktop: Desktop, daemon: Daemon) -> None:
    """Dandelions, and a balloon in its own colors."""
    require_toolkit()
    folder = desktop.home / "Pictures"
    folder.mkdir()
    for name, source in PHOTOGRAPHS.items():
        if not Path("/usr/share/backgrounds", source).exists():
            pytest.skip(f"not installed: /usr/share/backgrounds/{source}")
        shutil.copy(Path("/usr/share/backgrounds", source), folder / name)
    strip = wcag.parse(strip_color(daemon, folder / "Dandelions.jpg"))
    desktop.spawn(PROGRAM, folder / "Dandelions.jpg")
    window = desktop.window("^Pictures$", lambda window: window.width > SIZE[0])
    desktop.run("xdotool", "windowsize", "--sync", str(window.number), *map(str, SIZE))
    window = desktop.window("^Pictures$", lambda window: window.width == SIZE[0])
    # Away from what would show a button or a tooltip.
    desktop.run("xdotool", "mousemove", "1", "1")
    left, bottom = window.x + FRAME, window.y + window.height - FRAME
    box = (left, window.y + FRAME, window.x + window.width - FRAME, bottom)
    desktop.wait_for_pixel((left + 3, bottom - 3), strip)
    seen = [desktop.screenshot().crop(box)]

    def is_still() -> bool:
        seen.append(desktop.screenshot().crop(box))
        above = seen[-1].getpixel((box[2] - box[0] - 30, 200))
        # The theme's light background is where no photograph is yet.
        return seen[-1].tobytes() == seen[-2].tobytes() and wcag.luminance(above) < 0.7

    wait_until(is_still, what="the photograph is there, and nothing moves")
    shot = seen[-1]
    words = shot.crop((0, shot.height - STRIP, shot.width, shot.height))
    assert min(text_contrasts(words, strip)) >= 4.5
    colors = {color for _, color in words.crop((280, 0, 440, STRIP)).getcolors(20000)}
    # The balloon's yellow and blue.
    assert {(0xFF, 0xD2, 0x3F), (0x4C, 0xC9, 0xD6)} <= colors
    desktop.keep("carousel", shot, detail=(290, shot.height - STRIP, 430, shot.height))


def test_on_wayland(desktop: Desktop, daemon: Daemon, sway: Sway) -> None:
    """The same strip, to the pixel."""
    require_toolkit()
    paths = flat_pictures(desktop, (800, 600))
    color = wcag.parse(strip_color(daemon, paths[1]))
    desktop.environment.update(GDK_BACKEND="wayland")
    process = desktop.spawn(PROGRAM, "--fullscreen", "--glyph", "none", paths[1])
    sway.wait_for_pixel((600, 597), color)
    sway.wait_for_pixel((400, 300), wcag.parse(COLORS[1]))
    shot = sway.screenshot()
    assert shot.getpixel((799, 599 - STRIP + 1)) == color
    contrasts = text_contrasts(shot.crop((0, 600 - STRIP, 800, 600)), color)
    assert len(contrasts) == 2
    assert min(contrasts) >= 4.5
    process.terminate()
    process.wait(timeout=60)
