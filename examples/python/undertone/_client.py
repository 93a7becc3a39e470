"""The questions to the daemon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeVar, Unpack, overload

from ._cache import Cache, cache_from_wire
from ._colors import Colors, colors_from_wire
from ._connection import default_socket_path
from ._errors import UndertoneError
from ._indicator import Indicator, indicator_from_wire
from ._options import (
    ColorOptions,
    IndicatorOptions,
    PaletteOptions,
    Path,
    ThemeOptions,
    TransitionOptions,
)
from ._palette import Palette, palette_from_wire
from ._reading import answer, answer_or_error
from ._requests import (
    color_request,
    indicator_request,
    palette_request,
    theme_request,
    transition_request,
)
from ._session import Session
from ._starting import start_daemon
from ._theme import Theme, theme_from_wire
from ._transition import Transition, transition_from_wire
from ._watch import Watch

AnyPath = TypeVar("AnyPath", bound=Path)


class Undertone(Session):
    """A connection to undertoned, for one thread; a context manager.

    `socket_path` is by default that of the daemon. `timeout` bounds each wait, in seconds; the
    daemon itself gives up a picture after ten. Where no daemon runs, `start` has one started by
    the command `undertone`, if it is on PATH. Raises the OSError of connecting, such as
    FileNotFoundError or ConnectionRefusedError where there is still none, with the socket's name.
    Every question raises UndertoneError where there is no answer; options that are not given are
    left to the daemon.
    """

    def __init__(
        self, socket_path: Path | None = None, timeout: float | None = 30.0, *, start: bool = False
    ) -> None:
        self._path = socket_path or default_socket_path()
        try:
            super().__init__(self._path, timeout)
        except (FileNotFoundError, ConnectionRefusedError):
            if not start:
                raise
            start_daemon(self._path)
            super().__init__(self._path, timeout)

    def color(self, path: Path, **options: Unpack[ColorOptions]) -> Colors:
        """Asks for the colours of one picture."""
        return answer(colors_from_wire, self.ask(color_request(path, **options)))

    def colors(
        self, paths: Iterable[AnyPath], *, window: int = 16, **options: Unpack[ColorOptions]
    ) -> Iterator[tuple[AnyPath, Colors | UndertoneError]]:
        """Asks for the colours of many pictures side by side, and yields the answers in order.

        At most `window` questions, 1 to 64, are under way. An error is yielded, not raised, so that
        the other pictures are answered all the same; UndertoneRefusedError is raised where the
        daemon does not take the connection, and no picture is answered.
        """
        requests = ((path, color_request(path, **options)) for path in paths)
        for path, result in self.ask_many(requests, window):
            yield path, answer_or_error(colors_from_wire, result)

    def palette(self, path: Path, **options: Unpack[PaletteOptions]) -> Palette:
        """Asks for the colours that a picture is made of."""
        return answer(palette_from_wire, self.ask(palette_request(path, **options)))

    def indicator(self, path: Path, **options: Unpack[IndicatorOptions]) -> Indicator:
        """Asks for the strip under a picture, and how to draw another picture, `glyph`, on it."""
        return answer(indicator_from_wire, self.ask(indicator_request(path, **options)))

    def theme(self, path: Path, **options: Unpack[ThemeOptions]) -> Theme:
        """Asks for terminal colours and roles made from a picture."""
        return answer(theme_from_wire, self.ask(theme_request(path, **options)))

    def pywal_theme(self, path: Path, **options: Unpack[ThemeOptions]) -> dict[str, Any]:
        """Asks for the same colours as pywal has them in its `colors.json`, to be written as JSON.

        Raises UndertoneError with the code `decode_failed` where nothing of the picture can be
        seen.
        """
        return self.ask({**theme_request(path, **options), "format": "pywal"})

    def transition(
        self, start: Path, end: Path, **options: Unpack[TransitionOptions]
    ) -> Transition:
        """Asks for the way from one colour, text like `#1e90ff`, or picture to another."""
        return answer(transition_from_wire, self.ask(transition_request(start, end, **options)))

    @overload
    def watch(
        self, path: Path, op: Literal["color"] = "color", **options: Unpack[ColorOptions]
    ) -> Watch[Colors]: ...

    @overload
    def watch(
        self, path: Path, op: Literal["palette"], **options: Unpack[PaletteOptions]
    ) -> Watch[Palette]: ...

    @overload
    def watch(
        self, path: Path, op: Literal["indicator"], **options: Unpack[IndicatorOptions]
    ) -> Watch[Indicator]: ...

    @overload
    def watch(
        self, path: Path, op: Literal["theme"], **options: Unpack[ThemeOptions]
    ) -> Watch[Theme]: ...

    def watch(
        self,
        path: Path,
        op: Literal["color", "palette", "indicator", "theme"] = "color",
        **options: Any,
    ) -> Watch[Any]:
        """Asks about a picture now and again each time its file changes.

        On a connection of its own; `options` are those of the method that `op` names.
        """
        operations: dict[str, tuple[Callable[..., dict[str, Any]], Callable[..., Any]]] = {
            "color": (color_request, colors_from_wire),
            "palette": (palette_request, palette_from_wire),
            "indicator": (indicator_request, indicator_from_wire),
            "theme": (theme_request, theme_from_wire),
        }
        request, from_wire = operations[op]
        return Watch(self._path, request(path, **options), from_wire)

    def status(self) -> dict[str, Any]:
        """Asks what the daemon is, can do and has done."""
        return self.ask({"op": "status"})

    def cache(self, *, clear: bool = False) -> Cache:
        """Asks what the daemon keeps; with `clear`, after it has forgotten all of it."""
        return answer(cache_from_wire, self.ask({"op": "cache", "clear": clear}))
