"""A connection that watches, and what it is told."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from .schema import check_event

if TYPE_CHECKING:
    from pathlib import Path

    from .connection import Json, Reply
    from .daemon import Daemon

COLORS = {"#c81414": "red", "#14c814": "green", "#1414c8": "blue", "#141414": "black"}
RED, GREEN, BLUE, BLACK = (200, 20, 20), (20, 200, 20), (20, 20, 200), (20, 20, 20)


def told(line: Reply) -> str:
    """Returns the colour that a line tells of, or its error's code."""
    if "error" in line:
        code = line["error"]["code"]
        assert isinstance(code, str)
        return code
    background = line["result"]["background"]
    return COLORS.get(background, background)


class Watch(contextlib.closing["Watch"]):
    """A watch of one picture's colours, by default."""

    def __init__(self, daemon: Daemon, path: Path | str, **request: Json) -> None:
        """Begins to watch; `first` is the answer."""
        super().__init__(self)
        self.connection = daemon.connect()
        request = {"path": str(path), **request}
        self.reply = self.connection.ask(id=7, op="watch", request=request)
        self.first = told(self.reply)

    def close(self) -> None:
        """Hangs up."""
        self.connection.close()

    def event(self) -> Reply:
        """Receives one event."""
        line = self.connection.receive()
        check_event(line)
        assert line["id"] == 7
        assert line["event"] == ("error" if "error" in line else "changed")
        return line

    def told(self) -> str:
        """Receives one event and returns the colour or the error's code."""
        return told(self.event())

    def tells(self, last: str) -> list[str]:
        """Receives events up to one of a colour or code, and returns them all."""
        seen = [self.told()]
        while seen[-1] != last:
            seen.append(self.told())
        return seen

    def is_silent(self, seconds: float = 0.4) -> bool:
        """Whether nothing comes for a while: longer than a change needs to settle."""
        return self.connection.is_silent(seconds)
