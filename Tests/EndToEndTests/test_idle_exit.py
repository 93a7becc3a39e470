"""A daemon that ends when nobody asks, and never with somebody at the door."""

from __future__ import annotations

import random
import select
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .harness.daemon import Daemon, free_socket, start_with_passed_socket

if TYPE_CHECKING:
    from collections.abc import Callable

RED = Path(__file__).parent / "cases/49-ipc-framing/red.png"
ARGUMENTS = ["--idle-exit", "1"]
# From the last client's end to the next one's coming: around the moment at which the daemon ends.
EARLIEST, LATEST = 0.97, 1.06
DAEMONS, VISITS = 6, 8


def test_it_ends_when_nobody_asks(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=ARGUMENTS).start()
    assert daemon.color(RED)["background"] == "#c81414"
    assert daemon.process is not None
    assert daemon.process.wait(60) == 0
    assert not daemon.socket.exists()
    assert "nobody has asked for a while: ending" in daemon.log.read_text()


def test_it_stays_without_the_option(daemon: Daemon) -> None:
    time.sleep(2)
    assert daemon.process is not None
    assert daemon.process.poll() is None


def test_who_is_connected_keeps_it(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    # More time between two clients of the test's own than it can need.
    daemon = make_daemon(arguments=["--idle-exit", "3"]).start()
    picture = directory / "a.png"
    picture.write_bytes(RED.read_bytes())
    assert daemon.process is not None
    with daemon.connect() as idle:
        time.sleep(3.5)
        assert daemon.process.poll() is None
        assert "result" in idle.ask(path=str(picture))
        with daemon.connect() as watch:
            watch.ask(op="watch", request={"path": str(picture)})
            # Half-closed, it watches on.
            watch.end()
            idle.close()
            time.sleep(3.5)
            assert daemon.process.poll() is None
            picture.unlink()
            assert watch.receive()["event"] == "error"
    assert daemon.process.wait(60) == 0


def visit(daemon: Daemon) -> bool:
    """Asks whoever listens; whether somebody does. Who could connect must be answered."""
    try:
        connection = daemon.connect()
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    with connection:
        reply = connection.ask(path=str(RED))
        assert reply["result"]["background"] == "#c81414", reply
    return True


def in_turn(visits: Callable[[random.Random], None]) -> None:
    """Makes the visits of several clients at the same time; the first failure of any fails."""
    failures: list[BaseException] = []

    def run(seed: int) -> None:
        try:
            visits(random.Random(seed))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=[seed]) for seed in range(DAEMONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_nobody_who_connects_around_the_end_is_lost(directory: Path) -> None:
    ended = threading.Semaphore(0)

    def visits(chance: random.Random) -> None:
        home = directory / str(chance.random())
        home.mkdir()
        daemon = Daemon(home, arguments=ARGUMENTS).start(ready=False)
        for _ in range(VISITS):
            time.sleep(chance.uniform(EARLIEST, LATEST))
            while not visit(daemon):
                # As a client does that finds nobody.
                assert daemon.process is not None
                assert daemon.process.wait(60) == 0
                ended.release()
                daemon.start(ready=False)
        daemon.stop()

    in_turn(visits)
    # Some came too late, so it was about that moment.
    assert ended.acquire(blocking=False)


def test_a_socket_of_the_service_manager_is_never_without_a_daemon(directory: Path) -> None:
    starts = threading.Semaphore(0)

    def visits(chance: random.Random) -> None:
        home = directory / str(chance.random())
        home.mkdir()
        daemon = Daemon(home)
        is_over = threading.Event()
        with free_socket(daemon.socket) as listener:

            def manage() -> None:
                """Starts a daemon whenever somebody knocks and none runs, as systemd does."""
                while not is_over.is_set():
                    if not select.select([listener], [], [], 0.1)[0]:
                        continue
                    process = start_with_passed_socket(daemon, listener, ARGUMENTS)
                    starts.release()
                    assert process.wait(60) == 0

            manager = threading.Thread(target=manage)
            manager.start()
            try:
                for _ in range(VISITS):
                    assert visit(daemon)
                    time.sleep(chance.uniform(EARLIEST, LATEST))
            finally:
                is_over.set()
                manager.join()
            assert daemon.socket.exists()

    in_turn(visits)
    count = 0
    while starts.acquire(blocking=False):
        count += 1
    assert count > DAEMONS


def test_a_successor_is_not_disturbed(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=ARGUMENTS).start()
    assert daemon.process is not None
    assert daemon.process.wait(60) == 0
    daemon.process = None
    daemon.arguments = []
    daemon.start()
    assert daemon.color(RED)["background"] == "#c81414"
