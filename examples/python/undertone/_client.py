"""The connection to the daemon."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from ._answers import Colors, colors_from_wire
from ._errors import UndertoneClosedError, UndertoneError
from ._requests import Average, Path, Region, Sampling, color_options, picture

AnyPath = TypeVar("AnyPath", bound=Path)


class Undertone:
    """A connection to undertoned, for one thread; a context manager.

    `socket_path` is by default that of the daemon. `timeout` bounds each wait, in seconds; the
    daemon itself gives up a picture after ten.
    """

    def __init__(self, socket_path: Path | None = None, timeout: float | None = 30.0) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(os.fsencode(socket_path or default_socket_path()))
        except BaseException:
            self._socket.close()
            raise
        self._buffer = bytearray()
        self._ids = itertools.count(1)
        # Replies that came while another one was waited for, and those that nobody wants.
        self._replies: dict[int, dict[str, Any]] = {}
        self._unwanted: set[int] = set()

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
        """Ends the connection; the daemon stops working on what is still unanswered."""
        self._socket.close()

    def color(
        self,
        path: Path,
        *,
        average: Average | None = None,
        contrast: float | None = None,
        regions: Mapping[str, Region] | None = None,
        sampling: Sampling | None = None,
        backdrop: str | None = None,
    ) -> Colors:
        """Asks for the colours of one picture; raises UndertoneError where there are none."""
        options = color_options(average, contrast, regions, sampling, backdrop)
        return colors_from_wire(self.ask({**picture(path), **options}))

    def colors(
        self,
        paths: Iterable[AnyPath],
        *,
        average: Average | None = None,
        contrast: float | None = None,
        regions: Mapping[str, Region] | None = None,
        sampling: Sampling | None = None,
        backdrop: str | None = None,
        window: int = 16,
    ) -> Iterator[tuple[AnyPath, Colors | UndertoneError]]:
        """Asks for the colours of many pictures side by side, and yields the answers in order.

        At most `window` questions are under way. An error is yielded, not raised, so that the
        other pictures are answered all the same.
        """
        options = color_options(average, contrast, regions, sampling, backdrop)
        waiting: deque[tuple[AnyPath, int]] = deque()
        rest = iter(paths)
        try:
            while True:
                for path in itertools.islice(rest, window - len(waiting)):
                    waiting.append((path, self._send({**picture(path), **options})))
                if not waiting:
                    return
                path, number = waiting.popleft()
                try:
                    answer = colors_from_wire(self._receive(number))
                except UndertoneError as error:
                    yield path, error
                else:
                    yield path, answer
        finally:
            # Whoever stopped early does not want the others.
            self._unwanted.update(number for _, number in waiting)

    def status(self) -> dict[str, Any]:
        """Asks what the daemon is, can do and has done."""
        return self.ask({"op": "status"})

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Sends any request of the protocol, without `id`, and returns its result."""
        return self._receive(self._send(request))

    def _send(self, request: Mapping[str, Any]) -> int:
        number = next(self._ids)
        line = json.dumps({"id": number, **request}, ensure_ascii=False) + "\n"
        # Where the daemon reads no more it may have said why; that is still to be read.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(line.encode())
        return number

    def _receive(self, number: int) -> dict[str, Any]:
        while number not in self._replies:
            reply = json.loads(self._read_line())
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

    def _read_line(self) -> bytes:
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
        return line


def default_socket_path() -> bytes:
    """Where the daemon listens, by the rules of protocol 1."""
    if named := os.environb.get(b"UNDERTONE_SOCKET"):
        return named
    runtime = os.environb.get(b"XDG_RUNTIME_DIR") or b"/run/user/%d" % os.getuid()
    return runtime + b"/undertone/undertone.sock"
