"""Clients that behave badly, and a daemon that dies: whoever else asks, or asks next, is served."""

from __future__ import annotations

import contextlib
import functools
import resource
import select
import socket
import struct
import time
from random import Random
from typing import TYPE_CHECKING

from .harness import processes
from .harness.connection import ClosedError, encode, wait_until
from .harness.daemon import elapsed
from .harness.faults import RED, RED_COLOR, new_region, unharmed, witness

if TYPE_CHECKING:
    import subprocess
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
            assert elapsed(start) < patience + 60
            # Whoever takes a little now and then may stay.
            if int(elapsed(start)) % 5 == 0:
                assert slow.socket.recv(60_000)
            witness(daemon)
            time.sleep(1)
        assert hung_up[0][1] & (select.POLLHUP | select.POLLERR)
        assert elapsed(start) > patience - 3
        # It had been answered until then, and the slow one is still.
        slow.socket.settimeout(60)
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


def test_a_hundred_thousand_lines_that_are_answered(daemon: Daemon) -> None:
    # So many on their way that the daemon stops reading, time and again.
    count, block = 100_000, 500
    lines = [encode({"id": number, "path": str(RED)}) for number in range(count)]
    with unharmed(daemon), daemon.connect() as connection:
        connection.send_bytes(b"".join(lines[:block]))
        for number in range(count):
            if number % block == 0:
                following = number + block
                connection.send_bytes(b"".join(lines[following : following + block]))
            reply = connection.receive()
            assert reply["id"] == number
            assert reply["result"]["background"] == RED_COLOR
            if number % 20_000 == 0:
                witness(daemon)


def test_a_line_of_64_mebibytes(daemon: Daemon) -> None:
    piece = b"x" * (1 << 20)
    with unharmed(daemon), daemon.connect() as connection:
        for turn in range(64):
            connection.send_bytes(piece)
            if turn == 0:
                # It is refused as soon as it is too long.
                reply = connection.receive()
                assert reply["id"] is None
                assert reply["error"]["code"] == "request_too_large"
            if turn % 16 == 0:
                witness(daemon)
        connection.send_bytes(b"\n")
        assert connection.ask(id=1, path=str(RED))["id"] == 1


def test_a_question_byte_by_byte(daemon: Daemon) -> None:
    with unharmed(daemon), daemon.connect() as connection:
        for number, byte in enumerate(encode({"id": 1, "path": str(RED)})):
            connection.send_bytes(bytes([byte]))
            if number % 20 == 0:
                witness(daemon)
        reply = connection.receive()
        assert reply["id"] == 1
        assert reply["result"]["background"] == RED_COLOR


def test_half_lines_hold_up_nobody(daemon: Daemon) -> None:
    line = encode({"id": 1, "path": str(RED)})
    with unharmed(daemon):
        before = daemon.settle()
        waiting = [daemon.connect() for _ in range(200)]
        for connection in waiting:
            connection.send_bytes(line[:20])
        witness(daemon)
        wait_until(lambda: daemon.descriptors() == before + 200)
        for connection in waiting[::10]:
            connection.send_bytes(line[20:])
            assert connection.receive()["result"]["background"] == RED_COLOR
        for connection in waiting:
            connection.close()


def test_clients_that_vanish(daemon: Daemon, slow: Path) -> None:
    with unharmed(daemon):
        for turn in range(200):
            connection = daemon.connect()
            options = {"sampling": "exact", "regions": new_region()}
            path = str(slow if turn % 10 == 0 else RED)
            connection.send_bytes(encode({"path": path, **options}) * 50)
            if turn % 2:
                # Gone while replies are being written; unread data makes it a reset.
                connection.receive()
            if turn % 3 == 0:
                linger = struct.pack("ii", 1, 0)
                connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.close()
        witness(daemon)


def test_a_daemon_without_descriptors(daemon: Daemon) -> None:
    with unharmed(daemon):
        used = processes.numbers(daemon.pid)
        free = (number for number in range(1000) if number not in used)
        # Room for three more; decoders and their reports need descriptors, too.
        limit = [next(free) for _ in range(3)][-1] + 1
        soft, hard = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (limit, hard))
        turned_away = 0
        with contextlib.ExitStack() as stack:
            for number in range(20):
                connection = stack.enter_context(daemon.connect())
                # Whoever is turned away may be so before anything is asked.
                with contextlib.suppress(BrokenPipeError):
                    connection.send(id=number, path=str(RED), regions=new_region())
                reply = connection.receive()
                if reply["id"] is None:
                    turned_away += 1
                    assert reply["error"]["code"] == "busy"
                elif "error" in reply:
                    assert reply["error"]["code"] in {"busy", "internal"}
                else:
                    assert reply["result"]["background"] == RED_COLOR
        assert turned_away > 10
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (soft, hard))
        wait_until(lambda: "result" in daemon.ask(path=str(RED), regions=new_region()))
        witness(daemon)


def test_twenty_simultaneous_starts(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    started = [daemon.spawn() for _ in range(20)]

    def left() -> list[subprocess.Popen[bytes]]:
        return [process for process in started if process.poll() is None]

    wait_until(lambda: len(left()) == 1, seconds=30, what="one daemon is left")
    (daemon.process,) = left()
    assert [process.wait() for process in started if process is not daemon.process] == [1] * 19
    # Those that come too late do no harm either.
    with unharmed(daemon):
        for process in [daemon.spawn() for _ in range(20)]:
            assert process.wait(60) == 1
        witness(daemon)


def are_dead(pids: list[int]) -> bool:
    return all(processes.state(pid) in {None, "Z"} for pid in pids)


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
    wait_until(functools.partial(are_dead, family))
    daemon.start()
    assert daemon.color(RED, regions=new_region())["background"] == RED_COLOR


def test_a_daemon_that_is_killed_at_any_time(make_daemon: Callable[..., Daemon]) -> None:
    random = Random(3)
    daemon = make_daemon()
    for _ in range(8):
        # Of the one before there is a socket left, and perhaps work half done.
        daemon.start(ready=False)
        with daemon.connect() as connection:
            for _ in range(random.randrange(20)):
                connection.send(path=str(RED), regions=new_region())
            time.sleep(random.uniform(0, 0.15))
            family = [*daemon.zygotes(), *daemon.decoders()]
            daemon.kill()
        wait_until(functools.partial(are_dead, family))
    daemon.start()
    with unharmed(daemon):
        witness(daemon)


def test_a_link_in_the_sockets_place_is_left_alone(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    target = daemon.directory / "precious"
    target.write_text("precious")
    for place in [target, daemon.directory / "nowhere"]:
        daemon.socket.symlink_to(place)
        assert daemon.spawn().wait(60) == 1
        assert daemon.socket.is_symlink()
        assert not (daemon.directory / "nowhere").exists()
        daemon.socket.unlink()
    assert target.read_text() == "precious"
