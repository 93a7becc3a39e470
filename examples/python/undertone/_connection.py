"""A connection on which lines go out and come in."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

from ._errors import UndertoneClosedError
from ._options import Path
from ._reading import parsed


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
        # Held by the thread that reads or writes.
        self._use = threading.Lock()
        self._is_closed = False
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
        self._is_closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._close_unused()

    def send(self, request: Mapping[str, Any]) -> None:
        """Sends a request."""
        line = json.dumps(request, ensure_ascii=False) + "\n"
        # Where the daemon reads no more it may have said why; that is still to be read.
        with self._using(), contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(line.encode())

    def receive(self) -> dict[str, Any]:
        """Waits for the next line; raises UndertoneRefusedError where it is no object."""
        while (end := self._buffer.find(b"\n")) < 0:
            try:
                with self._using():
                    piece = self._socket.recv(65536)
            except ConnectionResetError:
                piece = b""
            if not piece:
                raise UndertoneClosedError("undertoned closed the connection")
            self._buffer += piece
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return parsed(line)

    @contextlib.contextmanager
    def _using(self) -> Iterator[None]:
        try:
            with self._use:
                yield
        finally:
            if self._is_closed:
                self._close_unused()

    def _close_unused(self) -> None:
        """Gives the descriptor back, or leaves that to the thread that uses it.

        Under that one's hands it would be given to whatever is opened next, and waited on.
        """
        if self._use.acquire(blocking=False):
            self._socket.close()
            self._use.release()


def default_socket_path() -> bytes:
    """Where the daemon listens, by the rules of protocol 1."""
    if named := os.environb.get(b"UNDERTONE_SOCKET"):
        return named
    runtime = os.environb.get(b"XDG_RUNTIME_DIR") or b"/run/user/%d" % os.getuid()
    return runtime + b"/undertone/undertone.sock"
