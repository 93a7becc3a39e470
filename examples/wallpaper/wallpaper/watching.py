"""Being told of changes, from threads of their own."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue

from undertone import Colors, Undertone, UndertoneError, Watch

# Anything in it says that something may have changed; what, is to be looked up.
Changes = SimpleQueue[None]


def start_thread(run: Callable[[], object]) -> None:
    """Runs something beside the program, until it or the program ends."""
    threading.Thread(target=run, daemon=True).start()


class FileWatch:
    """Tells of each change of a file by the daemon's `watch`, first of all that it is there.

    It need not be a picture: that it is none is an answer as well. Where the daemon has ended or
    cannot watch, it says every few seconds that there may be a change.
    """

    RETRY_SECONDS = 5.0

    def __init__(self, path: bytes, changes: Changes) -> None:
        self.path = path
        self._changes = changes
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._watch: Watch[Colors] | None = None
        start_thread(self._run)

    def close(self) -> None:
        """Tells no more."""
        with self._lock:
            self._closed.set()
            if self._watch:
                self._watch.close()

    def _run(self) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(OSError, UndertoneError):
                self._tell()
            self._closed.wait(self.RETRY_SECONDS)
            self._changes.put(None)

    def _tell(self) -> None:
        with Undertone(start=True) as undertone:
            watch = undertone.watch(self.path)
        with self._lock:
            self._watch = watch
            if self._closed.is_set():
                watch.close()
        for _ in watch:
            self._changes.put(None)
