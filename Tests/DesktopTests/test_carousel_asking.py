"""What the carousel asks the daemon, and on which connection."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .carousel import COLORS, Carousel, flat_pictures, strip_color
from .desktop import Daemon, Desktop, wait_until


class Recorder:
    """Stands before the daemon, and keeps what it is asked, connection by connection."""

    def __init__(self, place: Path, daemon: Path) -> None:
        self.connections: list[list[dict[str, Any]]] = []
        self._daemon = daemon
        self._server = socket.create_server(str(place), family=socket.AF_UNIX)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more connections."""
        self._server.close()

    def asked(self, **fields: str) -> list[tuple[int, str]]:
        """The questions with these fields: each one's connection, and its picture's name."""
        return [
            (number, Path(line.get("path", "")).name)
            for number, lines in enumerate(self.connections)
            for line in lines
            if fields.items() <= line.items()
        ]

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            lines: list[dict[str, Any]] = []
            self.connections.append(lines)
            threading.Thread(target=self._serve, args=(client, lines), daemon=True).start()

    def _serve(self, client: socket.socket, lines: list[dict[str, Any]]) -> None:
        with client, socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(str(self._daemon))
            with client.makefile("rb") as questions, daemon.makefile("rb") as answers:
                for question in questions:
                    lines.append(json.loads(question))
                    daemon.sendall(question)
                    client.sendall(answers.readline())


@pytest.fixture
def recorder(desktop: Desktop, daemon: Daemon) -> Iterator[Recorder]:
    """What the desktop's programs take for the daemon."""
    place = desktop.runtime / "recorder"
    recorder = Recorder(place, daemon.socket)
    desktop.environment["UNDERTONE_SOCKET"] = str(place)
    yield recorder
    recorder.close()


def test_neighbors_are_asked_about_ahead(
    desktop: Desktop, daemon: Daemon, recorder: Recorder
) -> None:
    """As idle, where they keep no other question waiting; and nothing is asked twice."""
    paths = flat_pictures(desktop)
    strips = [strip_color(daemon, path) for path in paths]
    carousel = Carousel(desktop, paths[1], len(paths))
    carousel.wait_for(COLORS[1], strips[1])

    def ways(start: int, end: int) -> int:
        return len(recorder.asked(op="transition", **{"from": strips[start], "to": strips[end]}))

    def is_settled() -> bool:
        return len(recorder.asked(priority="idle")) == 3 and ways(1, 2) == ways(0, 1) == 2

    wait_until(is_settled, what="the neighbors are known, and the ways to the nearest")
    now = recorder.asked(op="indicator", priority="normal")
    ahead = recorder.asked(op="indicator", priority="idle")
    assert [name for _, name in now] == ["1.png"]
    # The nearest first.
    assert [name for _, name in ahead] == ["2.png", "0.png", "3.png"]
    connections = [
        {number for number, _ in asked} for asked in (now, ahead, recorder.asked(op="transition"))
    ]
    assert sorted(sorted(numbers) for numbers in connections) == [[0], [1], [2]]
    carousel.press("Right")
    carousel.wait_for(COLORS[2], strips[2])
    wait_until(lambda: ways(2, 3) == 2, what="the way to the next")
    asked = sorted(name for _, name in recorder.asked(op="indicator"))
    assert asked == [f"{number}.png" for number in range(5)]
    assert len(recorder.connections) == 3
    carousel.end()
