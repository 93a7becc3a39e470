"""Clients that behave badly, and a daemon that dies: whoever else asks, or asks next, is served."""

from __future__ import annotations

import contextlib
import select
import time
from typing import TYPE_CHECKING

from .harness import processes
from .harness.connection import ClosedError, encode, wait_until
from .harness.daemon import elapsed
from .harness.faults import RED, RED_COLOR, new_region, unharmed, witness

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .harness.connection import Connection
    from .harness.daemon import Daemon


def send_until_it_stops(connection: Connection, line: bytes) -> int:
    """Sends a line again and again until the daemon takes no more; returns how often."""
    connection.socket.setblocking(False)
    rest, sent = b"", 0
    quiet = time.monotonic()
    while elapsed(quiet) < 1:
        rest = rest or line
        try:
            rest = rest[connection.socket.send(rest) :]
        except BlockingIOError:
            time.sleep(0.01)
            continue
        sent += not rest
        # What waits for the client is bounded, so the daemon stops reading it.
        assert sent < 100_000
        quiet = time.monotonic()
    return sent


def test_thirty_seconds_without_taking_anything(daemon: Daemon) -> None:
    patience = daemon.status()["limits"]["stalledClientSeconds"]
    line = encode({"path": str(RED)})
    with unharmed(daemon):
        stalled, slow = daemon.connect(), daemon.connect()
        for connection in [stalled, slow]:
            assert send_until_it_stops(connection, line) > 100
        start = time.monotonic()
        poll = select.poll()
        poll.register(stalled.socket, 0)
        while not (hung_up := poll.poll(0)):
            assert elapsed(start) < patience + 10
            # Whoever takes a little now and then may stay.
            if int(elapsed(start)) % 5 == 0:
                assert slow.socket.recv(60_000)
            witness(daemon)
            time.sleep(1)
        assert hung_up[0][1] & (select.POLLHUP | select.POLLERR)
        assert elapsed(start) > patience - 3
        # It had been answered until then, and the slow one is still.
        slow.socket.settimeout(20)
        while b"result" not in slow.socket.recv(60_000):
            pass
        stalled.close()
        slow.close()


def test_a_hundred_thousand_lines_that_nobody_waits_for(daemon: Daemon) -> None:
    lines = encode({"path": str(RED)}) * 1000
    with unharmed(daemon):
        for _ in range(100):
            connection = daemon.connect()
            connection.socket.setblocking(False)
            try:
                connection.socket.send(lines)
            finally:
                connection.close()
        witness(daemon)


def test_a_daemon_that_is_killed(make_daemon: Callable[..., Daemon], slow: Path) -> None:
    daemon = make_daemon().start()
    with daemon.connect() as connection:
        connection.send(path=str(slow), sampling="exact")
        wait_until(lambda: daemon.decoders() != [])
        family = [*daemon.zygotes(), *daemon.decoders()]
        daemon.kill()
        with contextlib.suppress(ClosedError, ConnectionResetError):
            connection.receive()
    # Nobody is left behind: not even the child at work.
    wait_until(lambda: all(processes.state(pid) in {None, "Z"} for pid in family))
    daemon.start()
    assert daemon.color(RED, regions=new_region())["background"] == RED_COLOR


def test_a_link_in_the_sockets_place_is_left_alone(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    target = daemon.directory / "precious"
    target.write_text("precious")
    for place in [target, daemon.directory / "nowhere"]:
        daemon.socket.symlink_to(place)
        assert daemon.spawn().wait(10) == 1
        assert daemon.socket.is_symlink()
        assert not (daemon.directory / "nowhere").exists()
        daemon.socket.unlink()
    assert target.read_text() == "precious"
