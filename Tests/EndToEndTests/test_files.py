"""What paths can be: any bytes, and anything but a picture."""

from __future__ import annotations

import base64
import contextlib
import errno
import fcntl
import os
import shutil
import signal
import socket
import time
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .harness.connection import Connection
from .harness.daemon import Daemon, elapsed, free_socket

if TYPE_CHECKING:
    from collections.abc import Callable

RED = Path(__file__).parent / "cases/49-ipc-framing/red.png"

NAMES = [
    b"plain.png",
    b"with space.png",
    b" spaces around ",
    b"quote\"and'quote.png",
    b"new\nline.png",
    b"carriage\rreturn\ttab.png",
    b"back\\slash\\n.png",
    b"percent%20.png",
    b"query?fragment#.png",
    b"-rf",
    b"$(touch pwned) `id`;&|.png",
    "composed-é.png".encode(),
    b"decomposed-e\xcc\x81.png",
    "emoji-😀.png".encode(),
    b"latin-1-\xe9.png",
    b"\xff\xfe\x01\x7f\x80",
    b"\xed\xa0\x80-surrogate.png",
    b"x" * 255,
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_names_are_bytes(shared: Daemon, directory: Path, name: bytes) -> None:
    path = os.fsencode(directory) + b"/" + name
    Path(os.fsdecode(path)).write_bytes(RED.read_bytes())
    ways: list[dict[str, Any]] = [
        {"path_b64": base64.b64encode(path).decode()},
        {"uri": "file://" + urllib.parse.quote(path)},
        {"uri": "file://localhost" + urllib.parse.quote(path)},
        {"uri": f"file://{socket.gethostname()}" + urllib.parse.quote(path)},
    ]
    with contextlib.suppress(UnicodeDecodeError):
        ways.append({"path": path.decode("utf-8")})
    for way in ways:
        reply = shared.ask(**way)
        assert reply["result"]["background"] == "#c81414", (way, reply)


def test_composed_and_decomposed_are_two_files(shared: Daemon, draw: Callable[..., Path]) -> None:
    draw("é.png", color=(1, 2, 3))
    decomposed = draw("e\u0301.png", color=(4, 5, 6))
    assert shared.color(decomposed)["background"] == "#040506"
    assert shared.color(decomposed.parent / "é.png")["background"] == "#010203"


def test_the_longest_path(shared: Daemon, directory: Path) -> None:
    # Longer paths exist, but not as one argument to open.
    deep = str(directory) + "/." * 2000 + "/red.png"
    shutil.copy(RED, directory / "red.png")
    padded = "/" * (4095 - len(deep)) + deep
    assert shared.ask(path=padded)["result"]["background"] == "#c81414"
    assert shared.ask(path="/" + padded)["error"]["code"] == "invalid_request"


def test_links_are_followed(shared: Daemon, directory: Path) -> None:
    (directory / "link").symlink_to(RED)
    assert shared.color(directory / "link")["background"] == "#c81414"
    (directory / "dangling").symlink_to(directory / "missing")
    assert shared.error(directory / "dangling")["code"] == "not_found"
    (directory / "loop").symlink_to(directory / "loop")
    assert shared.error(directory / "loop")["code"] == "not_found"


@pytest.mark.parametrize("name", ["missing.png", "missing/red.png", "red.png/below", "y" * 256])
def test_what_is_not_there(shared: Daemon, directory: Path, name: str) -> None:
    shutil.copy(RED, directory / "red.png")
    assert shared.error(directory / name)["code"] == "not_found"


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    path.mkdir()


def make_link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_link_to_terminal(path: Path) -> None:
    path.symlink_to("/dev/ptmx")


def make_socket(path: Path) -> None:
    free_socket(path).close()


@pytest.mark.parametrize(
    "make", [make_fifo, make_directory, make_link_to_device, make_link_to_terminal, make_socket]
)
def test_what_is_not_a_file(shared: Daemon, directory: Path, make: Callable[[Path], None]) -> None:
    make(directory / "x.png")
    assert shared.error(directory / "x.png")["code"] == "not_a_file"


def test_a_fifo_with_a_writer_is_not_read(shared: Daemon, directory: Path) -> None:
    os.mkfifo(directory / "x.png")
    # Both ends, so that opening it for reading would succeed and reading would block.
    end = os.open(directory / "x.png", os.O_RDWR)
    try:
        assert shared.error(directory / "x.png")["code"] == "not_a_file"
    finally:
        os.close(end)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "decode_failed"),
        (b"\n", "unsupported_format"),
        (b"\x89PNG\r\n\x1a\n", "decode_failed"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 1000, "decode_failed"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 1000, "decode_failed"),
        (b"GIF89a" + b"\0" * 100, "decode_failed"),
        (b"BM\x9a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0" + b"\0" * 100, "decode_failed"),
        (b"P6\n", "decode_failed"),
        (b"II*\0" + b"\xff" * 100, "decode_failed"),
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "unsupported_format"),
        (b"\0" * 100_000, "unsupported_format"),
        (b"plain text, long enough to sniff at " * 100, "unsupported_format"),
    ],
    ids=lambda value: repr(value[:8]) if isinstance(value, bytes) else value,
)
def test_what_is_not_a_picture(shared: Daemon, directory: Path, data: bytes, code: str) -> None:
    path = directory / "x.png"
    path.write_bytes(data)
    assert shared.error(path)["code"] == code


def test_a_name_means_nothing(shared: Daemon, directory: Path) -> None:
    shutil.copy(RED, directory / "x.jpg")
    assert shared.color(directory / "x.jpg")["image"]["format"] == "png"


def test_a_huge_file_is_refused(shared: Daemon, directory: Path) -> None:
    with (directory / "x.png").open("wb") as file:
        file.write(RED.read_bytes())
        file.truncate((1 << 30) + 1)
    assert shared.error(directory / "x.png")["code"] == "image_too_large"


def test_a_sparse_file_of_another_kind_is_refused(shared: Daemon, directory: Path) -> None:
    with (directory / "x").open("wb") as file:
        file.truncate(1 << 40)
    assert shared.error(directory / "x")["code"] in {"image_too_large", "unsupported_format"}


def test_a_file_that_someone_else_has_a_lease_on(shared: Daemon, directory: Path) -> None:
    path = directory / "leased.png"
    shutil.copy(RED, path)
    # Opening it would signal us and wait for up to 45 seconds.
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError as error:
        os.close(file)
        assert error.errno in {errno.EAGAIN, errno.EINVAL, errno.ENOLCK, errno.EACCES}
        pytest.skip("this filesystem has no leases")
    start = time.monotonic()
    try:
        reply = shared.ask(path=str(path))
        assert elapsed(start) < 12
        assert reply["error"]["code"] in {"read_failed", "busy", "timeout"}, reply
        # Meanwhile and afterwards the others are served.
        assert shared.color(RED)["background"] == "#c81414"
    finally:
        os.close(file)
    assert shared.color(path)["background"] == "#c81414"


def test_a_file_that_cannot_be_read(shared: Daemon) -> None:
    # A regular file of 4096 bytes that anybody may open: the loop-back device has no speed.
    path = Path("/sys/class/net/lo/speed")
    try:
        path.read_bytes()
    except FileNotFoundError:
        pytest.skip("there is no sysfs")
    except OSError:
        assert shared.error(path)["code"] == "read_failed"
    else:
        pytest.skip("this kernel's loop-back device has a speed")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_permissions_and_peers(ordinary: Daemon, directory: Path) -> None:
    secret = directory / "secret.png"
    shutil.copy(RED, secret)
    secret.chmod(0o600)
    closed = directory / "closed"
    closed.mkdir(mode=0o700)
    shutil.copy(RED, closed / "red.png")
    for path in [secret, closed / "red.png", closed / "missing.png"]:
        assert ordinary.error(path)["code"] == "permission_denied"
    # A peer of another user, root included, is hung up on.
    with Connection(ordinary.socket) as connection:
        try:
            connection.send(path=str(RED))
            assert connection.receive_all() == []
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_a_file_that_changes_while_it_is_read(daemon: Daemon, directory: Path) -> None:
    path = directory / "changing.png"
    shutil.copy(RED, path)
    # Reading 250 MB takes a while, whatever they are; the clock of a file ticks every few
    # milliseconds.
    os.truncate(path, 250 << 20)
    changes = 0
    with daemon.connect() as connection:
        connection.send(path=str(path))
        while connection.is_silent(0.001):
            os.utime(path)
            changes += 1
        reply = connection.receive()
    assert changes > 1
    assert reply["error"]["code"] == "file_changed", reply
    # It is not remembered.
    assert daemon.color(path)["background"] == "#c81414"
