"""Asking the daemon, which is started where none runs."""

from __future__ import annotations

from typing import Literal

from undertone import Undertone

from .formats import Material

Scheme = Literal["dark", "light", "auto"]


class NothingSeenError(Exception):
    """Nothing of the picture can be seen, so that no colors can be told."""


def material(picture: bytes, scheme: Scheme) -> Material:
    """Asks for a picture's theme, `dark`, `light` or, with `auto`, as the picture is.

    Raises UndertoneError where the daemon has no answer and OSError where there is no daemon.
    """
    with Undertone(start=True) as undertone:
        theme = undertone.theme(picture, scheme=scheme).colors
        if theme is None:
            raise NothingSeenError
        return Material(
            theme=theme,
            pywal=undertone.pywal_theme(picture, scheme=scheme),
            average=undertone.color(picture).background or theme.background,
        )
