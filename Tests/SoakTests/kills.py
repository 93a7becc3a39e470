"""Kills what the daemon has started, and nothing else."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

from EndToEndTests.harness import processes

if TYPE_CHECKING:
    from random import Random

    from EndToEndTests.harness.daemon import Daemon

    from .ledger import Ledger


class Killer:
    """Kills decoders at work, and now and then the zygote that they come from."""

    def __init__(self, daemon: Daemon, random: Random, ledger: Ledger) -> None:
        """Describes a killer; `run` is its life."""
        self.daemon = daemon
        self.random = random
        self.ledger = ledger

    def run(self, until: float) -> None:
        """Kills something every now and then until a moment of the monotonic clock."""
        zygote_at = time.monotonic() + self.random.uniform(2, 6)
        while time.monotonic() < until:
            time.sleep(self.random.uniform(0.05, 0.4))
            if time.monotonic() > zygote_at:
                zygote_at = time.monotonic() + self.random.uniform(3, 9)
                self.kill(self.daemon.zygotes(), self.daemon.pid, "kills: zygote")
            else:
                for zygote in self.daemon.zygotes():
                    self.kill(processes.children(zygote), zygote, "kills: child")

    def kill(self, pids: list[int], parent: int, what: str) -> None:
        """Kills one of some processes, if it is still that parent's child."""
        if not pids:
            return
        pid = self.random.choice(pids)
        with contextlib.suppress(OSError, KeyError):
            handle = os.pidfd_open(pid)
            try:
                # The number may be another's by now; the handle is this one's for good.
                if int(processes.status(pid)["PPid"]) == parent:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    self.ledger.count(what)
            finally:
                os.close(handle)
