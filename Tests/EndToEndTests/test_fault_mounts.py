"""A mount that never answers costs the slots of those who wait for it, and nobody else anything."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from .harness import processes
from .harness.connection import wait_until
from .harness.daemon import elapsed
from .harness.faults import RED, RED_COLOR, new_region, unharmed, witness
from .harness.hanging import HangingMount, NoFuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from .harness.daemon import Daemon

SLOTS = 3


@pytest.fixture
def daemon(make_daemon: Callable[..., Daemon]) -> Daemon:
    """A daemon that soon gives up, but not on a small picture, however busy the machine is."""
    return make_daemon(arguments=["--deadline", "5", "--jobs", str(SLOTS)]).start()


@pytest.fixture(params=["lookup", "read"])
def mount(
    request: pytest.FixtureRequest, directory: Path, daemon: Daemon
) -> Iterator[HangingMount]:
    """A mount that hangs; it is let go before the daemon is ended."""
    # Asked for, so that the daemon is ended after it.
    del daemon
    try:
        with HangingMount(directory / "hang", request.param) as mount:
            yield mount
    except NoFuseError as error:
        pytest.skip(str(error))


def test_fewer_than_the_slots_hang(
    daemon: Daemon,
    mount: HangingMount,
    record_property: Callable[[str, object], None],
) -> None:
    with unharmed(daemon):
        connections = [daemon.connect() for _ in range(SLOTS - 1)]
        for number, connection in enumerate(connections):
            connection.send(id=number, path=str(mount.directory / f"{number}.png"))
        wait_until(lambda: daemon.counters()["decodersRunning"] == SLOTS - 1)
        figures: dict[str, list[float]] = {"cached": [], "decoded": []}
        for _ in range(2):
            several: list[tuple[str, dict[str, object]]] = [
                ("cached", {}),
                ("decoded", {"regions": new_region()}),
            ]
            for kind, options in several:
                start = time.monotonic()
                assert daemon.color(RED, **options)["background"] == RED_COLOR
                figures[kind].append(elapsed(start))
        for number, connection in enumerate(connections):
            reply = connection.receive()
            assert reply["id"] == number
            assert reply["error"]["code"] == "timeout", reply
            connection.close()
        witness(daemon)
        mount.let_go()
        wait_until(lambda: daemon.counters()["decodersStuck"] == 0, what="the slots are back")
    for kind, times in figures.items():
        record_property(f"{kind}, slowest ms", round(max(times) * 1000, 1))


@pytest.mark.parametrize("mount", ["lookup"], indirect=True)
def test_a_path_that_hangs_costs_one_slot(daemon: Daemon, mount: HangingMount) -> None:
    with unharmed(daemon):
        connections = [daemon.connect() for _ in range(2 * SLOTS)]
        for connection in connections:
            connection.send(path=str(mount.directory / "x.png"), regions=new_region())
        wait_until(lambda: daemon.counters()["decodersRunning"] == 1)
        witness(daemon)
        for connection in connections:
            assert connection.receive()["error"]["code"] == "timeout"
            connection.close()
        counters = daemon.counters()
        # Nobody tried again.
        assert (counters["decodersRunning"], counters["timeouts"]) == (1, 1)
        mount.let_go()
        wait_until(lambda: daemon.counters()["decodersStuck"] == 0, what="the slot is back")


@pytest.mark.parametrize("mount", ["lookup"], indirect=True)
def test_all_slots_are_lost(daemon: Daemon, mount: HangingMount) -> None:
    with unharmed(daemon):
        connections = [daemon.connect() for _ in range(SLOTS)]
        for number, connection in enumerate(connections):
            connection.send(path=str(mount.directory / f"{number}.png"))
        wait_until(lambda: daemon.counters()["decodersRunning"] == SLOTS)
        # Waits for a slot, and there will be none.
        waiting = daemon.connect()
        waiting.send(path=str(RED), regions=new_region())
        for connection in connections:
            assert connection.receive()["error"]["code"] == "timeout"
            connection.close()
        wait_until(lambda: daemon.counters()["decodersStuck"] == SLOTS, what="the slots are lost")
        # The detector detects: they really cannot die.
        assert len(daemon.decoders()) == SLOTS
        assert {processes.state(pid) for pid in daemon.decoders()} == {"D"}
        assert waiting.receive()["error"]["code"] == "busy"
        waiting.close()
        assert daemon.error(RED, regions=new_region())["code"] == "busy"
        assert daemon.error(mount.directory / "more.png")["code"] == "busy"
        # What is known needs no slot.
        assert daemon.color(RED)["background"] == RED_COLOR
        mount.let_go()
        wait_until(lambda: daemon.counters()["decodersStuck"] == 0, what="the slots are back")
        witness(daemon)


@pytest.mark.parametrize("mount", ["lookup"], indirect=True)
def test_a_daemon_ends_beside_a_mount_that_hangs(daemon: Daemon, mount: HangingMount) -> None:
    with daemon.connect() as connection:
        connection.send(path=str(mount.directory / "x.png"))
        wait_until(lambda: daemon.decoders() != [])
        orphans = daemon.decoders()
        daemon.stop()
    mount.let_go()
    wait_until(lambda: all(processes.state(pid) in {None, "Z"} for pid in orphans))
