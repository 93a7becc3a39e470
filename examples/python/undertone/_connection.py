"""A connection on which lines go out and come in."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from ._errors import UndertoneClosedError
from ._options import Path


class Closing:
    """A context manager that is closed at its end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends it."""
        raise NotImplementedError


class Connection:
    """A connection to the daemon; `timeout` bounds each wait, in seconds."""

    def __init__(self, socket_path: Path, timeout: float | None) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._buffer = bytearray()
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(os.fsencode(socket_path))
        except BaseException as error:
            self._socket.close()
            if isinstance(error, OSError) and error.errno is not None:
                # The same, with the socket's name: most often no daemon runs there.
                name = os.fsdecode(socket_path)
                raise type(error)(error.errno, error.strerror, name) from None
            raise

    def close(self) -> None:
        """Ends the connection, also for another thread that waits for a line."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def send(self, request: Mapping[str, Any]) -> None:
        """Sends a request."""
        line = json.dumps(request, ensure_ascii=False) + "\n"
        # Where the daemon reads no more it may have said why; that is still to be read.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(line.encode())

    def receive(self) -> dict[str, Any]:
        """Waits for the next line."""
        while (end := self._buffer.find(b"\n")) < 0:
            try:
                piece = self._socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            if not piece:
                raise UndertoneClosedError("undertoned closed the connection")
            self._buffer += piece
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        reply: dict[str, Any] = json.loads(line)
        return reply


def default_socket_path() -> bytes:
    """Where the daemon listens, by the rules of protocol 1."""
    if named := os.environb.get(b"UNDERTONE_SOCKET"):
        return named
    runtime = os.environb.get(b"XDG_RUNTIME_DIR") or b"/run/user/%d" % os.getuid()
    return runtime + b"/undertone/undertone.sock"
