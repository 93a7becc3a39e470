"""What a fault may cost: its own answer, and nothing else."""

from __future__ import annotations

import contextlib
import itertools
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import processes
from .connection import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .connection import Connection, Json, Reply
    from .daemon import Daemon

CASES = Path(__file__).parents[1] / "cases"
RED = CASES / "49-ipc-framing/red.png"
RED_COLOR = "#c81414"
SVG = CASES / "42-xpm-svg-ico/viewbox-only.svg"

# What daemon and decoders may grow by for good, each: pages that an allocator keeps, not a picture.
GROWTH_BYTES = 6 << 20

_numbers = itertools.count(1)


@dataclass
class Footprint:
    """What a daemon holds while nothing is asked of it."""

    descriptors: int
    zygotes: dict[int, int]
    memory: int

    @staticmethod
    def of(daemon: Daemon) -> Footprint:
        """Measures a daemon as soon as it is idle, with both of its zygotes running."""
        wake(daemon)
        descriptors = daemon.settle()
        zygotes = {pid: processes.descriptors(pid) for pid in daemon.zygotes()}
        memory = sum(map(processes.private, [daemon.pid, *zygotes]))
        return Footprint(descriptors, zygotes, memory)


class Peak:
    """The most memory that any decoder of a daemon holds while a block runs."""

    def __init__(self, daemon: Daemon) -> None:
        self.bytes = 0
        self._daemon = daemon
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.is_set():
            for pid in self._daemon.decoders():
                try:
                    self.bytes = max(self.bytes, processes.peak(pid))
                except (KeyError, OSError):
                    continue


@contextlib.contextmanager
def unharmed(daemon: Daemon, growth: int = GROWTH_BYTES) -> Iterator[None]:
    """Requires that afterwards a daemon has no descriptor, no memory and no child more.

    The zygotes may be others than before, if what happens in between ends them.
    """
    # What a first question allocates is none of the fault's.
    witness(daemon)
    before = Footprint.of(daemon)
    yield
    wake(daemon)
    # A new zygote may have to be waited for.
    wait_until(lambda: len(daemon.zygotes()) == len(before.zygotes), what="the zygotes are back")
    after = Footprint.of(daemon)
    assert after.descriptors == before.descriptors, (before, after)
    assert sorted(after.zygotes.values()) == sorted(before.zygotes.values()), (before, after)
    assert after.memory < before.memory + growth, (before, after)
    zombies, threads = processes.zombies(daemon.pid), processes.threads(daemon.pid)
    assert zombies == [], zombies
    assert threads == processes.THREADS, threads


def wake(daemon: Daemon) -> None:
    """Starts the wide zygote, which comes with its first picture and goes for want of work."""
    if "svg" in daemon.status()["formats"]:
        daemon.ask(path=str(SVG), regions=new_region())


def new_region() -> dict[str, dict[str, object]]:
    """An area that nobody asked for before, so that the picture has to be decoded."""
    return {"r": {"edge": "top", "size": 1 / (1 + next(_numbers) / 1000)}}


def witness(daemon: Daemon, connection: Connection | None = None) -> None:
    """Asks what another client would, a known picture and one to decode: both must be right."""
    with connection or daemon.connect() as asking:
        several: list[dict[str, Json]] = [{}, {"regions": new_region()}]
        for options in several:
            reply = asking.ask(path=str(RED), **options)
            assert reply.get("result", {}).get("background") == RED_COLOR, reply


def ask_badly(daemon: Daemon, **request: Json) -> Reply:
    """Asks what does harm, while another client asks too; all that it costs is its own answer."""
    with unharmed(daemon):
        with daemon.connect(timeout=60) as bad:
            bad.send(**request)
            witness(daemon)
            reply = bad.receive()
        witness(daemon)
    return reply


def refused(daemon: Daemon, codes: set[str], **request: Json) -> str:
    """The same for what must be refused with one of some codes; returns the code."""
    reply = ask_badly(daemon, **request)
    assert "error" in reply, reply
    code = reply["error"]["code"]
    assert isinstance(code, str)
    assert code in codes, reply
    return code
