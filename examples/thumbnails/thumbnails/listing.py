"""The pictures that have ever been given colors, so that these can be taken away again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path


class UnusableListError(Exception):
    """The list cannot be read or written; its text names the file and says why."""


class Listing:
    """The list of their URIs, a file in the user's state."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        state = environment.get("XDG_STATE_HOME", "")
        base = Path(state) if state.startswith("/") else Path.home() / ".local/state"
        self.path = base / "undertone/thunar-tiles"

    def prepare(self) -> None:
        """Makes the folder that it is in."""
        with self._naming():
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, uri: str) -> None:
        """Lists a picture, which is in the file when it returns."""
        # The end of a line that was cut short, on a full disk, must not become a part of this one.
        with self._naming(), self.path.open("a", encoding="utf-8") as listed:
            listed.write(f"\n{uri}")

    def uris(self) -> list[str]:
        """What is listed, each once."""
        with self._naming():
            try:
                text = self.path.read_text("utf-8", "replace")
            except FileNotFoundError:
                return []
        return list(dict.fromkeys(text.split()))

    def replace(self, uris: Iterable[str]) -> None:
        """Lists other pictures instead; without any there is no list."""
        text = "".join(f"\n{uri}" for uri in uris)
        new = self.path.with_suffix(".new")
        with self._naming():
            if not text:
                self.path.unlink(missing_ok=True)
                return
            try:
                new.write_text(text, "utf-8")
                new.replace(self.path)
            except OSError:
                new.unlink(missing_ok=True)
                raise

    @contextlib.contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            place = error.filename or self.path
            raise UnusableListError(f"{place}: {error.strerror}") from error
