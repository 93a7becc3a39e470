"""Fixtures of the desktop tests."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .desktop import BIN, Daemon, Desktop, require
from .sway import Sway
from .wallpapers import GREEN, draw


@pytest.fixture(scope="session", autouse=True)
def _programs() -> None:
    for name in ["undertoned", "undertone-decoder", "undertone"]:
        if not (BIN / name).exists():
            pytest.exit(f"{BIN / name} is missing: run `make debug`, or set UNDERTONE_BIN", 2)


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    """A desktop of the test's own, on which no daemon runs."""
    require("Xvfb", "openbox", "dbus-run-session", "import", "xdotool", "xwininfo")
    directory = Path(tempfile.mkdtemp(prefix="ut-"))
    desktop = Desktop(directory)
    yield desktop
    desktop.close()
    shutil.rmtree(directory)


@pytest.fixture
def green(desktop: Desktop) -> Path:
    """A green picture."""
    return draw(desktop.home / "green.png", GREEN)


@pytest.fixture
def daemon(desktop: Desktop) -> Iterator[Daemon]:
    """A daemon where the desktop's programs look for one."""
    directory = desktop.runtime / "undertone"
    directory.mkdir(mode=0o700)
    daemon = Daemon(directory, environment=desktop.environment).start()
    yield daemon
    # Whoever asks while it ends would start another one in its place.
    desktop.close(sparing={"undertoned", "undertone-decod"})
    daemon.stop()


@pytest.fixture
def sway(desktop: Desktop) -> Iterator[Sway]:
    """A Wayland screen beside the desktop's own."""
    require("sway", "grim")
    sway = Sway(desktop)
    yield sway
    sway.close()
