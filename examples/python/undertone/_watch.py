"""Answers that come again whenever a picture changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._connection import Closing, Connection
from ._errors import MALFORMED, UndertoneError
from ._options import Path
from ._reading import answer, error_of, result_of

Answer = TypeVar("Answer")

# The errors with which no watch begins. Others are the picture's, which may change.
_PREVENTING = frozenset(
    {
        "parse_error",
        "invalid_request",
        "unknown_op",
        "request_too_large",
        "busy",
        "timeout",
        "shutting_down",
        "sandbox_unavailable",
        "watch_unsupported",
        "internal",
    }
)


class Watch(Closing, Iterator[Answer | UndertoneError], Generic[Answer]):
    """The answers about a picture, on a connection of their own; a context manager.

    The first comes at once, the others when the picture's file has changed, and an UndertoneError
    stands for one while there is none, as when the file is gone. What comes while nobody looks is
    not kept: the next answer is the latest. Ends when it is closed, which another thread may do,
    or when the daemon ends. A daemon that does not watch raises UndertoneError, and so does one
    whose lines are no answers; that ends the watch as well.
    """

    def __init__(
        self,
        socket_path: Path,
        request: Mapping[str, Any],
        from_wire: Callable[[Mapping[str, Any]], Answer],
    ) -> None:
        self._from_wire = from_wire
        self._connection = Connection(socket_path, timeout=None)
        # The watch's own to have, not that of the request in it.
        priority = {name: value for name, value in request.items() if name == "priority"}
        asked = {name: value for name, value in request.items() if name != "priority"}
        self._connection.send({"op": "watch", **priority, "request": asked})

    def close(self) -> None:
        """Ends the watch."""
        self._connection.close()

    def __next__(self) -> Answer | UndertoneError:
        """Waits for the next answer."""
        while True:
            try:
                line = self._connection.receive()
                event = line.get("event")
                if event not in (None, "changed", "error"):
                    continue  # What a newer daemon tells.
                if "error" not in line:
                    return answer(self._from_wire, result_of(line))
                error = error_of(line)
                if error.code == MALFORMED or (event is None and error.code in _PREVENTING):
                    raise error
            except OSError as ending:
                raise StopIteration from ending
            except UndertoneError:
                self.close()
                raise
            return error
