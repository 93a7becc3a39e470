"""Rounds of everything at once, each followed by a look at what is left."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import TYPE_CHECKING

from EndToEndTests.harness import processes
from EndToEndTests.harness.daemon import running

from .audit import Audit
from .clients import Client, PoliteClient, RudeClient, StatusClient
from .kills import Killer
from .ledger import Ledger
from .pictures import Folder, Picture, good_pictures
from .watches import WatchClient

if TYPE_CHECKING:
    from collections.abc import Callable

    from EndToEndTests.harness.connection import Json
    from EndToEndTests.harness.daemon import Daemon

ROUND_SECONDS = 12.0
# How long it may take until every picture is answered again after the last kill.
RECOVERY_SECONDS = 30.0
# Those of a kind that run side by side.
CLIENTS: list[tuple[type[Client], int]] = [
    (PoliteClient, 4),
    (WatchClient, 2),
    (RudeClient, 2),
    (StatusClient, 1),
]
# What any picture may get while decoders are killed: its own was, or there was none for it.
EXCUSES = frozenset({"decoder_crashed", "internal"})


class Soak:
    """A daemon, a seed that decides the mix, and the ledger of what came of it."""

    def __init__(self, seed: int) -> None:
        """Describes a soak."""
        self._seed = seed
        self._ledger = Ledger()

    def run(self, seconds: float) -> Ledger:
        """Soaks a daemon of its own for at least so long, in rounds."""
        # A small cache is full after the first round, and from then on always giving up something.
        with running(arguments=["--memory-cache", "1", "--jobs", "4"]) as daemon:
            pictures = good_pictures(daemon, daemon.directory)
            end = time.monotonic() + seconds
            warm: Audit | None = None
            number = 0
            while time.monotonic() < end:
                number += 1
                until = min(end, time.monotonic() + ROUND_SECONDS)
                self._round(daemon, pictures, number, until)
                audit = self._audit(daemon)
                if warm is None:
                    warm = audit
                    continue
                for fault in audit.faults_since(warm):
                    self._ledger.fault(f"after round {number}: {fault}")
            self._tell(daemon, warm, audit)
        return self._ledger

    def _round(self, daemon: Daemon, pictures: list[Picture], number: int, until: float) -> None:
        # The kills of every second round would hide that a picture is refused for no reason.
        kills = number % 2 == 0
        self._ledger.excuses = EXCUSES if kills else frozenset()
        lives: list[Callable[[float], None]] = []
        for kind, count in CLIENTS:
            for index in range(count):
                name = f"{kind.__name__}{index}"
                random = Random(f"{self._seed}/{number}/{name}")
                folder = Folder(daemon.directory / name, pictures, random)
                lives.append(kind(daemon, folder, random, self._ledger).run)
        if kills:
            random = Random(f"{self._seed}/{number}/killer")
            lives.append(Killer(daemon, random, self._ledger).run)
        threads = [threading.Thread(target=life, args=[until]) for life in lives]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._ledger.count("rounds")

    def _audit(self, daemon: Daemon) -> Audit:
        self._ledger.excuses = frozenset()
        # Both zygotes run whenever it is looked at what is there. One that was killed may have to
        # be waited for.
        end = time.monotonic() + RECOVERY_SECONDS
        while errors := self._errors(daemon):
            if time.monotonic() > end:
                self._ledger.fault(f"good pictures are refused though nobody kills: {errors}")
                break
            time.sleep(0.05)
        # What a watch needs is kept for the next one, but not for long.
        daemon.settle(1)
        return Audit.of(daemon.pid)

    @staticmethod
    def _errors(daemon: Daemon) -> list[Json]:
        formats = daemon.status()["formats"] or []
        names = ["good.png", *(["good.svg"] if "svg" in formats else [])]
        # Whatever was asked before is in the cache, so another size each time.
        region = {"r": {"edge": "top", "size": 0.5 + time.time() % 1 / 2}}
        replies = [daemon.ask(path=str(daemon.directory / n), regions=region) for n in names]
        return [reply["error"] for reply in replies if "error" in reply]

    def _tell(self, daemon: Daemon, warm: Audit | None, last: Audit) -> None:
        counters = daemon.counters()
        for name in ["decodes", "cacheHits", "crashes", "timeouts", "zygoteRestarts"]:
            self._ledger.count(f"daemon: {name}", counters[name])
        self._ledger.count("daemon: KiB of memory, warm", (warm or last).memory >> 10)
        self._ledger.count("daemon: KiB of memory, last", last.memory >> 10)
        self._ledger.count("daemon: KiB of memory, most", processes.peak(daemon.pid) >> 10)
        self._ledger.count("daemon: descriptors", last.descriptors)
        if counters["timeouts"]:
            self._ledger.fault(f"{counters['timeouts']} pictures took too long")
