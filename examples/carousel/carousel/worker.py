"""A thread that does what is wanted now, and leaves what no longer is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class Worker(Generic[Key, Result]):
    """Does one thing after the other, the latest wishes only.

    `work` and `deliver` are called on the thread. Its result is delivered, or the exception that it
    raised, unless it is no longer wanted by then. `withdraw` is called when what is under way is no
    longer wanted; it may make `work` end early, and must not wait. `work` is also given what tells
    whether it still is: `withdraw` may have been called before there was anything to be ended.
    """

    def __init__(
        self,
        work: Callable[[Key, Callable[[], bool]], Result],
        deliver: Callable[[Key, Result | Exception], None],
        withdraw: Callable[[], None],
    ) -> None:
        self._work = work
        self._deliver = deliver
        self._withdraw = withdraw
        self._changed = threading.Condition()
        self._wanted: list[Key] = []
        # What is under way, each time another tuple.
        self._current: tuple[Key] | None = None
        self._stopped = False
        # What hangs, as on a lost network, must not keep the program from ending.
        threading.Thread(target=self._run, daemon=True).start()

    def want(self, keys: Sequence[Key]) -> None:
        """Replaces what is wanted, the most urgent first."""
        with self._changed:
            if self._current and self._current[0] in keys:
                self._wanted = [key for key in keys if key != self._current[0]]
            else:
                self._wanted = list(keys)
                if self._current:
                    self._current = None
                    # Not later: then it would end what is begun next.
                    self._withdraw()
            self._changed.notify()

    def stop(self) -> None:
        """Ends the thread, once what is under way has ended."""
        self._stopped = True
        self.want([])

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted or self._stopped)
                if self._stopped:
                    return
                key = self._wanted.pop(0)
                self._current = current = (key,)
            result: Result | Exception
            try:
                result = self._work(key, lambda: self._current is current)  # noqa: B023
            except Exception as error:  # Whatever it is, it is that of one key.
                result = error
            with self._changed:
                wanted = self._current is current
                self._current = None
            if wanted:
                self._deliver(key, result)
