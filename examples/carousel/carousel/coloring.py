"""Has the strip take the colours of the pictures."""

from __future__ import annotations

from undertone import Drawing

from .daemon import Asker, Daemon
from .glyphs import Glyph, is_tinted, reason
from .looks import Look, Looks, Way
from .options import Options
from .pictures import Album
from .questions import Choice, PageAnswer, PageQuestion, Priority, ask_page, ask_way, may_pass
from .strip import Strip
from .toolkit import GLib, on_main


class Coloring:
    """Asks about the picture shown and, ahead of need, about those near it.

    On three connections: the idle questions would keep the others waiting, as would one about a
    picture the ways between colours.
    """

    # How many pages ahead, and behind.
    REACH = 2
    # Seconds before those are asked about again that had no answer for now.
    PAUSE = 5

    def __init__(self, strip: Strip, neutral: Look, glyph: Glyph | None, options: Options) -> None:
        self._strip = strip
        self._glyph = glyph
        self._glyph_path = options.glyph if glyph else None
        self.average = options.average
        self.material = options.material
        self.choice: Choice = options.glyph_style
        self._album = Album(b"")
        self._position = 0.0
        self._looks = Looks(neutral)
        self._drawings: dict[int, Drawing | None] = {}
        # Pages that look neutral for want of an answer.
        self._unanswered: set[int] = set()
        daemon = Daemon()
        self._now = Asker(daemon, ask_page, self._answered, on_main)
        self._ahead = Asker(daemon, ask_page, self._answered, on_main)
        self._between = Asker(daemon, ask_way, self._way_answered, on_main)
        self._timer = GLib.timeout_add_seconds(self.PAUSE, self._ask_again)
        strip.set_look(neutral)

    def stop(self) -> None:
        """Asks nothing any more."""
        GLib.source_remove(self._timer)
        self._now.stop()
        self._ahead.stop()
        self._between.stop()

    def begin(self, album: Album) -> None:
        """Takes other pictures."""
        self._album = album
        self._position = float(album.start)
        self.ask_anew()

    def ask_anew(self) -> None:
        """Asks for everything again, as after `average` or `material` was changed."""
        self._looks = Looks(self._looks.neutral)
        self._drawings.clear()
        self._unanswered.clear()
        self._want()

    def set_neutral(self, neutral: Look) -> None:
        """Takes the colours of another theme where pictures give none."""
        self._looks.neutral = neutral
        self._settle()

    def follow(self, position: float, is_jump: bool) -> None:
        """Goes where the carousel is; fades where it was elsewhere before."""
        turned = round(position) != round(self._position)
        self._position = position
        if is_jump:
            self._settle()
        elif look := self._looks.at(position):
            self._strip.set_look(look)
        if turned or is_jump:
            self.show_mark()
            self._want()

    def show_mark(self) -> None:
        """Draws the mark as is right on the page shown, or as `choice` says."""
        drawing = self._drawings.get(round(self._position))
        told = reason(self.choice, drawing) if self._glyph else ""
        self._strip.dots.set_glyph(self._glyph, is_tinted(self.choice, drawing), told)

    def _want(self) -> None:
        page = round(self._position)
        if not self._album.names:
            return
        self._now.want([self._question(page, "normal")] if page not in self._looks else [])
        self._ahead.want(
            [
                self._question(near, "idle")
                for near in self._album.neighbors(page, self.REACH)
                if near not in self._looks
            ]
        )
        self._settle()

    def _question(self, page: int, priority: Priority) -> PageQuestion:
        path = self._album.path(page)
        return PageQuestion(path, self.average, self.material, self._glyph_path, priority)

    def _answered(self, question: PageQuestion, answer: PageAnswer | Exception) -> None:
        page = self._album.page(question.path)
        if page is None or question != self._question(page, question.priority):
            return  # Of before.
        if isinstance(answer, Exception):
            if may_pass(answer):
                self._unanswered.add(page)
            answer = PageAnswer(None, None)
        self._looks.set_page(page, answer.look)
        self._drawings[page] = answer.drawing
        if page == round(self._position):
            self.show_mark()
        self._want()

    def _settle(self) -> None:
        """Fades to the look that belongs here, and asks for the ways from here."""
        ways = self._looks.ways_wanted(self._position)
        look, shown = self._looks.at(self._position), self._strip.look
        if look and shown and look != self._strip.target:
            frames = self._looks.way(shown, look)
            if frames is None and self._strip.may_fade():
                # Comes back here with the answer.
                ways.insert(0, (shown.background, look.background))
            else:
                self._strip.fade(frames or (), look)
        self._between.want(ways)

    def _way_answered(self, way: Way, answer: tuple[Look, ...] | Exception) -> None:
        self._looks.set_way(way, () if isinstance(answer, Exception) else answer)
        self._settle()

    def _ask_again(self) -> bool:
        """Tries whether those have an answer by now that had none."""
        for page in self._unanswered:
            self._looks.forget(page)
        if self._unanswered:
            self._unanswered.clear()
            self._want()
        return bool(GLib.SOURCE_CONTINUE)
