"""A thread that does what is wanted now, and leaves what no longer is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class Worker(Generic[Key, Result]):
    """Does one thing after the other, the latest wishes only.

    `work` is called on the thread, and `deliver` with its result, or the exception that it raised,
    where `post` has calls made, unless it is no longer wanted by then; until it is called, the same
    is not begun again. `withdraw` is called when what is under way is no longer wanted; it may make
    `work` end early, and must not wait. `work` is also given what tells whether it still is:
    `withdraw` may have been called before there was anything to be ended.
    """

    def __init__(
        self,
        work: Callable[[Key, Callable[[], bool]], Result],
        deliver: Callable[[Key, Result | Exception], None],
        withdraw: Callable[[], None],
        post: Callable[[Callable[[], None]], object],
    ) -> None:
        self._work = work
        self._deliver = deliver
        self._withdraw = withdraw
        self._post = post
        self._changed = threading.Condition()
        self._wanted: list[Key] = []
        # What is under way, each time another tuple.
        self._current: tuple[Key] | None = None
        # What is done, and not delivered yet.
        self._done: set[Key] = set()
        self._stopped = False
        # What hangs, as on a lost network, must not keep the program from ending.
        threading.Thread(target=self._run, daemon=True).start()

    def want(self, keys: Sequence[Key]) -> None:
        """Replaces what is wanted, the most urgent first."""
        with self._changed:
            if self._current and self._current[0] not in keys:
                self._current = None
                # Not later: then it would end what is begun next.
                self._withdraw()
            under_way = {*self._done, *(self._current or ())}
            self._wanted = [key for key in keys if key not in under_way]
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
                is_wanted = self._current is current
                self._current = None
                if is_wanted:
                    self._done.add(key)
            if is_wanted:
                self._post(partial(self._hand_over, key, result))

    def _hand_over(self, key: Key, result: Result | Exception) -> None:
        with self._changed:
            self._done.discard(key)
        self._deliver(key, result)
