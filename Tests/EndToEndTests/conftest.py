"""Fixtures of the end-to-end tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import processes
from .harness.connection import wait_until
from .harness.daemon import BIN, Daemon, running
from .harness.held import Held, NoLeaseError
from .harness.users import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="session", autouse=True)
def _programs() -> None:
    for name in ["undertoned", "undertone-decoder"]:
        if not (BIN / name).exists():
            pytest.exit(f"{BIN / name} is missing: run `make debug`, or set UNDERTONE_BIN", 2)


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory with a short name: a socket's path has room for 107 bytes."""
    path = Path(tempfile.mkdtemp(prefix="ut-"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def make_daemon(directory: Path) -> Iterator[Callable[..., Daemon]]:
    """Makes daemons that are ended, and must end well, after the test."""
    made: list[Daemon] = []

    def make(**options: object) -> Daemon:
        home = directory / f"d{len(made)}"
        home.mkdir()
        daemon = Daemon(home, **options)  # type: ignore[arg-type]
        made.append(daemon)
        return daemon

    yield make
    for daemon in made:
        daemon.stop()


@pytest.fixture
def daemon(make_daemon: Callable[..., Daemon]) -> Daemon:
    """A daemon of the test's own."""
    return make_daemon().start()


@pytest.fixture
def unstarted(make_daemon: Callable[..., Daemon], directory: Path) -> Daemon:
    """A daemon of a user whom the rights of files bind: of nobody, where root runs the tests."""
    if os.geteuid() != 0:
        return make_daemon()
    try:
        subprocess.run([BIN / "undertoned", "--version"], user=NOBODY, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the programs are out of others' reach")
    directory.chmod(0o755)
    daemon = make_daemon(user=NOBODY)
    os.chown(daemon.directory, NOBODY, NOBODY)
    return daemon


@pytest.fixture
def ordinary(unstarted: Daemon) -> Daemon:
    """The same, and it runs."""
    return unstarted.start()


@pytest.fixture(scope="module")
def shared() -> Iterator[Daemon]:
    """A daemon that the questions of a whole module share."""
    with running() as daemon:
        yield daemon


@pytest.fixture
def draw(directory: Path) -> Callable[..., Path]:
    """Draws pictures of one colour; further options are for the format's encoder."""

    def draw(
        name: str,
        size: tuple[int, int] = (8, 8),
        color: tuple[int, ...] = (200, 20, 20),
        **options: object,
    ) -> Path:
        path = directory / name
        mode = "RGB" if len(color) == 3 else "RGBA"
        Image.new(mode, size, color).save(path, **options)
        return path

    return draw


@pytest.fixture
def hold(directory: Path) -> Iterator[Callable[..., Held]]:
    """Makes red pictures that no decoder gets to read before they are released."""
    made: list[Held] = []

    def hold(name: str = "held.png") -> Held:
        path = directory / name
        Image.new("RGB", (8, 8), "#c81414").save(path)
        try:
            made.append(Held(path))
        except NoLeaseError:
            pytest.skip("this filesystem has no leases")
        return made[-1]

    yield hold
    for one in made:
        one.release()


@pytest.fixture(scope="session")
def slow() -> Iterator[Path]:
    """A picture that takes a processor 0.3 s if asked for exactly, whatever build is tested."""
    with tempfile.TemporaryDirectory(prefix="ut-") as path:
        picture = Path(path) / "noise.png"
        daemon = Daemon(Path(path)).start()
        side = 100
        spent = 0.0
        while True:
            # Noise has as many colours as pixels, the most that a picture can ask of us.
            pixels = np.random.default_rng(1).integers(0, 256, (side, side, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(picture, compress_level=1)
            daemon.color(picture, sampling="exact")
            wait_until(lambda: not daemon.decoders(), what="it is buried")
            before, spent = spent, sum(map(processes.buried_seconds, daemon.zygotes()))
            if spent - before > 0.25:
                break
            side = side * 5 // 4
        daemon.stop()
        yield picture
