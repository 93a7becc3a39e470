"""Questions and their replies on one connection."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from ._connection import Closing, Connection
from ._errors import UndertoneError
from ._requests import Path


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
