"""A daemon on a private socket, and pictures with hostile names and known colours."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import pytest
from PIL import Image

ROOT = pathlib.Path(__file__).parent.parent.parent
BIN = pathlib.Path(os.environ.get("UNDERTONE_BIN", ROOT / ".build/debug")).absolute()
sys.path[:0] = [str(ROOT / place) for place in ("examples/python", "examples/carousel", "Tests")]

# Whatever a shell, JSON, a line or UTF-8 could stumble over.
HOSTILE_NAMES = [
    b"plain.png",
    b"two words.png",
    b"-n.png",
    b"--help",
    b"'single' \"double\" `back`.png",
    b"line\nbreak.png",
    b"trailing newline.png\n",
    b"tab\there.png",
    b"back\\slash.png",
    b"$(dollar) $HOME ; & | * ? [a-z].png",
    b"\x1b[31mred\x1b[0m.png",
    "é ü 中 😀.png".encode(),
    b"invalid \xff\xfe utf-8.png",
    b"cut \xe2\x82.png",
]


@dataclasses.dataclass
class Daemon:
    """A running daemon."""

    directory: pathlib.Path
    process: subprocess.Popen[bytes]

    @property
    def socket(self) -> pathlib.Path:
        """The path of its socket."""
        return self.directory / "socket"


def environment(directory: pathlib.Path) -> dict[str, str]:
    """An environment in which nothing of the user's can be reached."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if name not in {"NO_COLOR", "COLORTERM", "TERM", "XDG_RUNTIME_DIR", "LC_ALL"}
    }
    return {
        **variables,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "UNDERTONE_SOCKET": str(directory / "socket"),
        "XDG_CACHE_HOME": str(directory / "cache"),
        "LANG": "C.UTF-8",
    }


@pytest.fixture(scope="session")
def daemon() -> Iterator[Daemon]:
    """A daemon for all tests, with a short path: a socket's has room for 107 bytes."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="ut-"))
    process = subprocess.Popen([BIN / "undertoned"], env=environment(directory))
    daemon = Daemon(directory, process)
    wait_for(daemon)
    yield daemon
    process.terminate()
    assert process.wait(timeout=60) == 0
    shutil.rmtree(directory)


def wait_for(daemon: Daemon) -> None:
    """Waits until a daemon answers."""
    deadline = time.monotonic() + 60
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(daemon.socket))
            except OSError:
                assert daemon.process.poll() is None, "undertoned has ended"
                assert time.monotonic() < deadline, "undertoned does not listen"
                time.sleep(0.02)
            else:
                return


def color_of(index: int) -> tuple[int, int, int]:
    """A different colour for each picture."""
    return (40 + 15 * index, 106, 230 - 15 * index)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A folder with one flat picture for each hostile name."""
    folder = os.fsencode(tmp_path_factory.mktemp("hostile"))
    for index, name in enumerate(HOSTILE_NAMES):
        with open(folder + b"/" + name, "wb") as file:  # noqa: PTH123 (pathlib knows no bytes)
            Image.new("RGB", (8, 8), color_of(index)).save(file, "png")
    return folder
