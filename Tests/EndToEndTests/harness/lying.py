"""Something that listens as the daemon does, and answers otherwise."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# What no daemon says; %d stands for the number of the question.
MALFORMED = {
    "no JSON": "hello",
    "no UTF-8": "\udcff\udcfe",
    "too deep": "[" * 100_000,
    "a list": "[1]",
    "a number": "1",
    "empty": "{}",
    "no code": '{"error":{}}',
    "an error that is none": '{"error":5}',
    "another question's": '{"id":4711,"result":{}}',
    "no question's": '{"id":[],"result":{}}',
    "nothing in it": '{"id":%d}',
    "an empty result": '{"id":%d,"result":{}}',
    "a result that is none": '{"id":%d,"result":[1]}',
    "an event that is none": '{"id":%d,"event":[],"result":null}',
}
BUSY = '{"id":null,"error":{"code":"busy","message":"there are too many connections"}}'


class Liar:
    """Answers every question with a line, for as long as a block runs.

    After `replies` questions of a connection it hangs up; None stands for never. Without a line it
    answers nothing.
    """

    def __init__(self, place: Path, line: str | None, replies: int | None = None) -> None:
        """Listens at a place."""
        self._line = line
        self._replies = replies
        self._clients: list[socket.socket] = []
        self.is_asked = threading.Event()
        self._server = socket.create_server(str(place), family=socket.AF_UNIX)
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Liar:
        return self

    def __exit__(self, *_: object) -> None:
        for ended in (self._server, *self._clients):
            # Whoever waits on it does not notice that it is closed.
            with contextlib.suppress(OSError):
                ended.shutdown(socket.SHUT_RDWR)
            ended.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                self._clients.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), client, client.makefile("rb") as questions:
            for number, _ in enumerate(questions, 1):
                if self._line is not None:
                    line = self._line.replace("%d", str(number)) + "\n"
                    client.sendall(line.encode("utf-8", "surrogateescape"))
                self.is_asked.set()
                if number == self._replies:
                    client.shutdown(socket.SHUT_RDWR)
                    return
