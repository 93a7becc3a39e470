"""A connection to the daemon that hides nothing of the stream."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

# A value of parsed JSON.
Json = Any
Reply = dict[str, Json]


class ClosedError(Exception):
    """The daemon closed the connection where a reply was due."""


class Connection:
    """One connection: bytes go out as they are, replies come in line by line."""

    def __init__(self, path: Path, timeout: float = 60) -> None:
        """Connects to a socket; no wait for an answer is longer than the timeout."""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self._received = b""

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up."""
        self.socket.close()

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.socket.sendall(data)

    def send(self, **request: Json) -> None:
        """Sends a request as a line."""
        self.send_bytes(encode(request))

    def end(self) -> None:
        """Says that there are no more questions: closes the writing half."""
        self.socket.shutdown(socket.SHUT_WR)

    def raw_line(self) -> bytes:
        """Receives one line, its newline and the spaces before it included."""
        while b"\n" not in self._received:
            more = self.socket.recv(1 << 16)
            if not more:
                raise ClosedError(self._received)
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line + b"\n"

    def receive(self) -> Reply:
        """Receives one reply."""
        line = self.raw_line()
        reply = json.loads(line.decode("utf-8"))
        assert isinstance(reply, dict)
        return reply

    def receive_all(self) -> list[Reply]:
        """Receives replies until the daemon closes the connection."""
        replies = []
        while True:
            try:
                replies.append(self.receive())
            except ClosedError as error:
                # Spaces may have been sent while we waited; nothing else may be left over.
                assert not error.args[0].strip(b" "), error.args[0]
                return replies

    def ask(self, **request: Json) -> Reply:
        """Sends a request and receives its reply."""
        self.send(**request)
        return self.receive()

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing comes for a while."""
        if self._received:
            return False
        before = self.socket.gettimeout()
        self.socket.settimeout(seconds)
        try:
            self._received += self.socket.recv(1 << 16)
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(before)
        return False


def encode(request: dict[str, Any]) -> bytes:
    """Returns a request as a line."""
    return json.dumps(request, ensure_ascii=False).encode("utf-8") + b"\n"


def wait_until(condition: Callable[[], bool], seconds: float = 60, what: str = "") -> None:
    """Waits until a condition holds, and fails if it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, (
            f"still not after {seconds} s: {what or condition.__name__}"
        )
        time.sleep(0.01)
