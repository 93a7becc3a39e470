"""Questions and their replies on one connection."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from ._connection import Closing, Connection
from ._errors import MALFORMED, UndertoneError, UndertoneRefusedError
from ._options import Path
from ._reading import error_of, result_of

Key = TypeVar("Key")

# Beyond that the daemon does not read on: who sends without reading then waits for ever.
MAXIMUM_WINDOW = 64

# Errors about a line in which the daemon has found no `id`. Others without one are about the
# connection: there are too many, for example.
_ABOUT_A_LINE = frozenset({"parse_error", "invalid_request", "request_too_large"})


class Session(Closing):
    """A connection that knows which reply is whose; a context manager."""

    def __init__(self, socket_path: Path, timeout: float | None) -> None:
        self._connection = Connection(socket_path, timeout)
        self._ids = itertools.count(1)
        # Questions without a reply yet, and those of them whose reply nobody wants any more.
        self._asked: set[int] = set()
        self._unwanted: set[int] = set()
        # Replies that came while another one was waited for.
        self._replies: dict[int, dict[str, Any]] = {}

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
        are under way. An error is yielded, not raised, unless it is the connection's.
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
                except UndertoneRefusedError:
                    raise
                except UndertoneError as error:
                    yield key, error
                else:
                    yield key, result
        finally:
            # Whoever stopped early does not want the others.
            self._unwanted.update(number for _, number in waiting if number in self._asked)
            for _, number in waiting:
                self._replies.pop(number, None)

    def _send(self, request: Mapping[str, Any]) -> int:
        number = next(self._ids)
        self._connection.send({"id": number, **request})
        self._asked.add(number)
        return number

    def _receive(self, number: int) -> dict[str, Any]:
        try:
            while number not in self._replies:
                reply = self._connection.receive()
                identifier = self._question_of(reply)
                self._asked.remove(identifier)
                if identifier in self._unwanted:
                    self._unwanted.remove(identifier)
                else:
                    self._replies[identifier] = reply
        except (TimeoutError, UndertoneRefusedError):
            # It may still come, and is nobody's then.
            self._unwanted.add(number)
            raise
        return result_of(self._replies.pop(number))

    def _question_of(self, reply: Mapping[str, Any]) -> int:
        """Finds out which question is answered; raises UndertoneRefusedError where none is."""
        identifier = reply.get("id")
        if isinstance(identifier, int) and identifier in self._asked:
            return identifier
        error = error_of(reply, UndertoneRefusedError)
        if identifier is not None:
            raise UndertoneRefusedError(MALFORMED, "a reply to a question that was not asked")
        if error.code in _ABOUT_A_LINE and self._asked:
            # The replies come in the order of the questions.
            return min(self._asked)
        raise error
