"""What the tests of the wallpaper example share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from .desktop import ROOT, Argument, Desktop

SCRIPT = ROOT / "examples/wallpaper/theme-from-wallpaper"
sys.path[:0] = [str(ROOT / "examples/python"), str(SCRIPT.parent)]

# Terminals of whoever runs the tests are to stay as they are.
NOWHERE = ("--tty", "/dev/null")

# A green, dark picture and a light, orange one: their themes have little in common.
GREEN = "#12402a"
ORANGE = "#ffcf9a"


def draw(path: Path, color: str, size: tuple[int, int] = (64, 48)) -> Path:
    """Puts a flat picture in the place of a file, at once."""
    new = path.with_name(".new")
    Image.new("RGB", size, color).save(new, "png")
    return new.rename(path)


def theme_of(desktop: Desktop, picture: Path, scheme: str = "auto") -> dict[str, Any]:
    """What the daemon says of a picture, asked another way than by the script."""
    answer = json.loads(desktop.run("undertone", "theme", "--scheme", scheme, picture))
    result: dict[str, Any] = answer["result"]
    return result


def theme(desktop: Desktop, *arguments: Argument) -> str:
    """Runs the script, which must succeed, and returns its output."""
    return desktop.run(SCRIPT, *NOWHERE, *arguments)


def try_theme(desktop: Desktop, *arguments: Argument) -> subprocess.CompletedProcess[str]:
    """Runs the script, whatever its status."""
    return desktop.try_run(SCRIPT, *NOWHERE, *arguments)
