"""The questions to the daemon."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar, overload

from ._colors import Colors, colors_from_wire
from ._connection import default_socket_path
from ._errors import UndertoneError
from ._indicator import Indicator, indicator_from_wire
from ._palette import Palette, palette_from_wire
from ._requests import (
    Average,
    Path,
    Region,
    Sampling,
    SchemeChoice,
    Space,
    color_request,
    indicator_request,
    palette_request,
    picture,
    theme_request,
    transition_request,
)
from ._session import Session
from ._theme import Theme, theme_from_wire
from ._transition import Transition, transition_from_wire
from ._watch import Watch

AnyPath = TypeVar("AnyPath", bound=Path)

# Beyond that the daemon does not read on: who sends without reading then waits for ever.
MAXIMUM_WINDOW = 64


class Undertone(Session):
    """A connection to undertoned, for one thread; a context manager.

    `socket_path` is by default that of the daemon. `timeout` bounds each wait, in seconds; the
    daemon itself gives up a picture after ten. Raises the OSError of connecting, such as
    FileNotFoundError or ConnectionRefusedError where no daemon runs, with the socket's name. Every
    question raises UndertoneError where there is no answer; options that are not given are left to
    the daemon.
    """

    def __init__(self, socket_path: Path | None = None, timeout: float | None = 30.0) -> None:
        self._path = socket_path or default_socket_path()
        super().__init__(self._path, timeout)

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
        """Asks for the colours of one picture."""
        request = color_request(
            average=average,
            contrast=contrast,
            regions=regions,
            sampling=sampling,
            backdrop=backdrop,
        )
        return colors_from_wire(self.ask({**picture(path), **request}))

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

        At most `window` questions, 1 to 64, are under way. An error is yielded, not raised, so that
        the other pictures are answered all the same.
        """
        request = color_request(
            average=average,
            contrast=contrast,
            regions=regions,
            sampling=sampling,
            backdrop=backdrop,
        )
        window = max(1, min(window, MAXIMUM_WINDOW))
        waiting: deque[tuple[AnyPath, int]] = deque()
        rest = iter(paths)
        try:
            while True:
                for path in itertools.islice(rest, window - len(waiting)):
                    waiting.append((path, self._send({**picture(path), **request})))
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

    def palette(
        self,
        path: Path,
        *,
        count: int | None = None,
        contrast: float | None = None,
        sampling: Sampling | None = None,
    ) -> Palette:
        """Asks for the colours that a picture is made of, at most `count` of them."""
        request = palette_request(count=count, contrast=contrast, sampling=sampling)
        return palette_from_wire(self.ask({**picture(path), **request}))

    def indicator(
        self,
        path: Path,
        *,
        area: Region | None = None,
        average: Average | None = None,
        scheme: SchemeChoice | None = None,
        over: Literal["background", "image"] | None = None,
        glyph: Path | None = None,
        sampling: Sampling | None = None,
        backdrop: str | None = None,
    ) -> Indicator:
        """Asks for the strip under a picture, and how to draw another picture, `glyph`, on it."""
        request = indicator_request(
            area=area,
            average=average,
            scheme=scheme,
            over=over,
            glyph=glyph,
            sampling=sampling,
            backdrop=backdrop,
        )
        return indicator_from_wire(self.ask({**picture(path), **request}))

    def theme(
        self, path: Path, *, scheme: SchemeChoice | None = None, sampling: Sampling | None = None
    ) -> Theme:
        """Asks for terminal colours and roles made from a picture."""
        request = theme_request(scheme=scheme, sampling=sampling)
        return theme_from_wire(self.ask({**picture(path), **request}))

    def transition(
        self,
        start: Path,
        end: Path,
        *,
        frames: int | None = None,
        space: Space | None = None,
        average: Average | None = None,
        contrast: float | None = None,
        sampling: Sampling | None = None,
    ) -> Transition:
        """Asks for the way from one colour, text like `#1e90ff`, or picture to another."""
        request = transition_request(
            start,
            end,
            frames=frames,
            space=space,
            average=average,
            contrast=contrast,
            sampling=sampling,
        )
        return transition_from_wire(self.ask(request))

    @overload
    def watch(
        self, path: Path, op: Literal["color"] = "color", **options: object
    ) -> Watch[Colors]: ...

    @overload
    def watch(self, path: Path, op: Literal["palette"], **options: object) -> Watch[Palette]: ...

    @overload
    def watch(
        self, path: Path, op: Literal["indicator"], **options: object
    ) -> Watch[Indicator]: ...

    @overload
    def watch(self, path: Path, op: Literal["theme"], **options: object) -> Watch[Theme]: ...

    def watch(
        self,
        path: Path,
        op: Literal["color", "palette", "indicator", "theme"] = "color",
        **options: object,
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
        question, from_wire = operations[op]
        return Watch(self._path, {**picture(path), **question(**options)}, from_wire)

    def status(self) -> dict[str, Any]:
        """Asks what the daemon is, can do and has done."""
        return self.ask({"op": "status"})
