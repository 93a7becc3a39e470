"""Questions and their replies on one connection."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from ._connection import Closing, Connection
from ._errors import UndertoneError
from ._options import Path

Key = TypeVar("Key")

# Beyond that the daemon does not read on: who sends without reading then waits for ever.
MAXIMUM_WINDOW = 64


class Session(Closing):
    """A connection that knows which reply is whose; a context manager."""

    def __init__(self, socket_path: Path, timeout: float | None) -> None:
        self._connection = Connection(socket_path, timeout)
        self._ids = itertools.count(1)
        # Replies that came while another one was waited for, and those that nobody wants.
        self._replies: dict[int, dict[str, Any]] = {}
        self._unwanted: set[int] = set()

    def close(self) -> None:
        """Ends the connection; the daemon stops working on what is still unanswered."""
        self._connection.close()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Sends any request of the protocol but `watch`, without `id`, and returns its result."""
        return self._receive(self._send(request))

    def ask_many(
        self, requests: Iterable[tuple[Key, Mapping[str, Any]]], window: int
    ) -> Iterator[tuple[Key, dict[str, Any] | UndertoneError]]:
        """Sends requests while the first ones are answered, and yields results in their order.

        Each request comes with what its result is to be yielded with. At most `window`, 1 to 64,
        are under way. An error is yielded, not raised.
        """
        window = max(1, min(window, MAXIMUM_WINDOW))
        waiting: deque[tuple[Key, int]] = deque()
        rest = iter(requests)
        try:
            while True:
                for key, request in itertools.islice(rest, window - len(waiting)):
                    waiting.append((key, self._send(request)))
                if not waiting:
                    return
                key, number = waiting.popleft()
                try:
                    result = self._receive(number)
                except UndertoneError as error:
                    yield key, error
                else:
                    yield key, result
        finally:
            # Whoever stopped early does not want the others.
            self._unwanted.update(number for _, number in waiting)

    def _send(self, request: Mapping[str, Any]) -> int:
        number = next(self._ids)
        self._connection.send({"id": number, **request})
        return number

    def _receive(self, number: int) -> dict[str, Any]:
        while number not in self._replies:
            try:
                reply = self._connection.receive()
            except TimeoutError:
                # It may still come, and is nobody's then.
                self._unwanted.add(number)
                raise
            identifier = reply.get("id")
            if identifier in self._unwanted:
                self._unwanted.remove(identifier)
            elif identifier is None:
                # Not about a question, but about the connection: there are too many, for example.
                raise UndertoneError.from_wire(reply["error"])
            else:
                self._replies[identifier] = reply
        reply = self._replies.pop(number)
        if "error" in reply:
            raise UndertoneError.from_wire(reply["error"])
        result: dict[str, Any] = reply["result"]
        return result
