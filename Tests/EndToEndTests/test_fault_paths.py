"""Paths that are no pictures' files, and files that change: each costs its own answer."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from .harness.connection import wait_until
from .harness.daemon import free_socket
from .harness.faults import RED, RED_COLOR, new_region, refused, unharmed, witness

if TYPE_CHECKING:
    from collections.abc import Callable

    from .harness.connection import Reply
    from .harness.daemon import Daemon


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    path.mkdir()


def make_socket(path: Path) -> None:
    free_socket(path).close()


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_memory(path: Path) -> None:
    path.symlink_to("/proc/self/mem")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (make_fifo, "not_a_file"),
        (make_directory, "not_a_file"),
        (make_socket, "not_a_file"),
        (make_zero, "not_a_file"),
        # A regular file without a byte, as the kernel tells it.
        (make_memory, "decode_failed"),
        (make_loop, "not_found"),
    ],
)
def test_what_is_no_pictures_file(
    shared: Daemon, directory: Path, make: Callable[[Path], None], code: str
) -> None:
    make(directory / "x.png")
    refused(shared, {code}, path=str(directory / "x.png"))


LEASE = """
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
file = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("leased", flush=True)
sys.stdin.read()
"""


def test_a_leased_file(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    path = directory / "leased.png"
    shutil.copy(RED, path)
    if not hasattr(fcntl, "F_SETLEASE"):
        pytest.skip("this system has no leases")
    daemon = make_daemon(arguments=["--deadline", "1"]).start()
    # Another process: a lease does not bind its holder, and its signal would reach us.
    holder = subprocess.Popen(
        [sys.executable, "-c", LEASE, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != b"leased\n":
            pytest.skip("this filesystem has no leases")
        # Nobody gives the lease back, and the kernel waits longer than we do.
        refused(daemon, {"timeout"}, path=str(path))
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()
    assert daemon.color(path)["background"] == RED_COLOR


# Reading so much takes a while, whatever it is.
SLOW_BYTES = 250 << 20


def change_while_read(
    daemon: Daemon, path: Path, change: Callable[[int], None]
) -> tuple[Reply, int]:
    """Asks about a large file and changes it all the time until the answer comes."""
    shutil.copy(RED, path)
    os.truncate(path, SLOW_BYTES)
    turns = 0
    with unharmed(daemon), daemon.connect() as connection:
        connection.send(path=str(path))
        wait_until(lambda: daemon.decoders() != [], what="it is being read")
        while True:
            change(turns)
            turns += 1
            if not connection.is_silent(0.001):
                break
        witness(daemon)
        reply = connection.receive()
    return reply, turns


@pytest.mark.parametrize("step", [-1, 1], ids=["truncated", "grown"])
def test_a_file_of_another_length(daemon: Daemon, directory: Path, step: int) -> None:
    path = directory / "x.png"
    reply, turns = change_while_read(
        daemon, path, lambda turn: os.truncate(path, SLOW_BYTES + step * (turn + 1))
    )
    assert turns > 1
    assert reply["error"]["code"] == "file_changed", reply


def test_a_file_in_whose_place_another_comes(daemon: Daemon, directory: Path) -> None:
    path = directory / "x.png"
    blue = directory / "blue"

    def replace(_: int) -> None:
        Image.new("RGB", (8, 8), (20, 20, 200)).save(blue, "PNG")
        blue.rename(path)

    reply, _ = change_while_read(daemon, path, replace)
    # What was there when it was asked for, whole, or nothing.
    if "result" in reply:
        assert reply["result"]["background"] in {RED_COLOR, "#1414c8"}
    else:
        assert reply["error"]["code"] == "file_changed"
    # Never the old one under the new one's name.
    assert daemon.color(path)["background"] == "#1414c8"


@pytest.mark.parametrize("is_kept", [False, True], ids=["unlinked", "renamed"])
def test_a_file_that_goes(daemon: Daemon, directory: Path, is_kept: bool) -> None:
    path, elsewhere = directory / "x.png", directory / "elsewhere.png"

    def go(turn: int) -> None:
        if turn == 0 and is_kept:
            path.rename(elsewhere)
        else:
            path.unlink(missing_ok=True)

    reply, _ = change_while_read(daemon, path, go)
    if "result" in reply:
        assert reply["result"]["background"] == RED_COLOR
    else:
        assert reply["error"]["code"] in {"file_changed", "not_found"}
    assert daemon.error(path)["code"] == "not_found"
    if is_kept:
        assert daemon.color(elsewhere)["background"] == RED_COLOR


def test_a_child_that_is_killed(daemon: Daemon, slow: Path) -> None:
    with unharmed(daemon), daemon.connect() as connection:
        connection.send(path=str(slow), sampling="exact", regions=new_region())
        wait_until(lambda: daemon.decoders() != [])
        for pid in daemon.decoders():
            os.kill(pid, signal.SIGKILL)
        witness(daemon)
        assert connection.receive()["error"]["code"] == "decoder_crashed"


def test_a_zygote_that_is_killed(daemon: Daemon, slow: Path) -> None:
    with unharmed(daemon), daemon.connect() as connection:
        connection.send(path=str(slow), sampling="exact", regions=new_region())
        wait_until(lambda: daemon.decoders() != [])
        for pid in daemon.zygotes():
            os.kill(pid, signal.SIGKILL)
        # It is asked again of the next one.
        assert "result" in connection.receive()
        witness(daemon)


def test_a_file_of_mode_000(ordinary: Daemon, directory: Path) -> None:
    path = directory / "x.png"
    shutil.copy(RED, path)
    # Its owner's, too.
    if ordinary.user is not None:
        os.chown(path, ordinary.user, ordinary.user)
    path.chmod(0)
    refused(ordinary, {"permission_denied"}, path=str(path))
    path.chmod(0o400)
    assert ordinary.color(path)["background"] == RED_COLOR
