"""The questions that the carousel has, and what it takes from the answers."""

from __future__ import annotations

from typing import Literal, NamedTuple

from undertone import Drawing, Undertone, UndertoneError

from .looks import FRAMES, Look, Way, look_from_strip, looks_from_transitions

Average = Literal["simple", "squareRoot"]
Priority = Literal["normal", "idle"]
Material = Literal["auto", "light", "dark"]
Choice = Literal["automatic", "original", "tint"]
"""How the glyph is drawn: as the daemon says, in its own colours, or in that of the text."""

# Errors that say nothing of the picture, which may have an answer later.
PASSING = frozenset(
    {
        "busy",
        "file_changed",
        "internal",
        "malformed_reply",
        "sandbox_unavailable",
        "shutting_down",
        "timeout",
    }
)


class PageQuestion(NamedTuple):
    """What is asked about a page: which strip goes under `path`, and how `glyph` is drawn on it."""

    path: bytes
    average: Average
    material: Material
    glyph: bytes | None
    priority: Priority


class PageAnswer(NamedTuple):
    """A page's look, None where its picture has no colour; and how to draw the glyph."""

    look: Look | None
    drawing: Drawing | None


def ask_page(undertone: Undertone, question: PageQuestion) -> PageAnswer:
    """Asks about a page; about its picture alone if the glyph is none that can be asked about."""
    try:
        answer = undertone.indicator(
            question.path,
            average=question.average,
            scheme=question.material,
            glyph=question.glyph,
            priority=question.priority,
        )
    except UndertoneError as error:
        if question.glyph is None or not error.message.startswith("glyph: "):
            raise
        return ask_page(undertone, question._replace(glyph=None))
    return PageAnswer(
        look_from_strip(answer.strip) if answer.strip else None,
        answer.glyph.drawing if answer.glyph else None,
    )


def ask_way(undertone: Undertone, way: Way) -> tuple[Look, ...]:
    """Asks for the frames between two backgrounds."""
    texts = undertone.transition(*way, frames=FRAMES, contrast=4.5)
    dots = undertone.transition(*way, frames=FRAMES, contrast=3)
    return looks_from_transitions(texts, dots)


def may_pass(error: Exception) -> bool:
    """Whether it is worth asking again after a while."""
    return not isinstance(error, UndertoneError) or error.code in PASSING
