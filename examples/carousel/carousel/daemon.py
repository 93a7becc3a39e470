"""Finds undertoned, and starts it where it does not run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from undertone import Undertone, UndertoneError

from .worker import Key, Worker

Answer = TypeVar("Answer")


class Daemon:
    """The daemon, for any number of threads."""

    # Seconds without another attempt after one to start it.
    PAUSE = 30.0

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_start = 0.0

    def connect(self) -> Undertone:
        """Connects; raises OSError where it does not run and cannot be started."""
        try:
            return Undertone()
        except (FileNotFoundError, ConnectionRefusedError):
            # Those who wait here meanwhile find it running.
            with self._lock:
                may_start = time.monotonic() >= self._next_start
                if may_start:
                    self._next_start = time.monotonic() + self.PAUSE
                return Undertone(start=may_start)


class Asker(Generic[Key, Answer]):
    """Questions on a connection of its own, on a thread of its own.

    What is no longer wanted is withdrawn by hanging up, so that a picture that takes long delays
    no other one. Delivers answers, an UndertoneError where there is none, and an OSError where
    nobody could be asked, as a Worker does.
    """

    def __init__(
        self,
        daemon: Daemon,
        ask: Callable[[Undertone, Key], Answer],
        deliver: Callable[[Key, Answer | Exception], None],
        post: Callable[[Callable[[], None]], object],
    ) -> None:
        self._daemon = daemon
        self._ask = ask
        self._connection: Undertone | None = None
        self._worker = Worker(self._answer, deliver, self._hang_up, post)
        self.want = self._worker.want

    def stop(self) -> None:
        """Ends it."""
        self._worker.stop()
        self._hang_up()

    def _answer(self, key: Key, is_wanted: Callable[[], bool]) -> Answer:
        if old := self._connection:
            try:
                return self._ask(old, key)
            except (UndertoneError, OSError) as error:
                # Where the daemon has ended its successor is asked, unless this was hung up.
                if not (is_wanted() and has_ended(error)):
                    raise
                old.close()
        self._connection = connection = self._daemon.connect()
        if not is_wanted():
            connection.close()
        return self._ask(connection, key)

    def _hang_up(self) -> None:
        # Taken first: closing it lets the thread go on, which may connect anew.
        connection, self._connection = self._connection, None
        if connection:
            connection.close()


def has_ended(error: UndertoneError | OSError) -> bool:
    """Whether it says that the daemon it comes from is no more, or soon will be."""
    if isinstance(error, UndertoneError):
        return error.code == "shutting_down"
    return not isinstance(error, TimeoutError)
