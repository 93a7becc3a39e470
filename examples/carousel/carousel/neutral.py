"""The look of the strip where a picture gives none."""

from __future__ import annotations

from .looks import Look
from .toolkit import Gtk


def neutral_look(widget: Gtk.Widget) -> Look:
    """The theme's own colours of a bar, text being as opaque on it as it takes to be read."""
    context = widget.get_style_context()
    known, background = context.lookup_color("headerbar_bg_color")
    known_too, text = context.lookup_color("headerbar_fg_color")
    if not (known and known_too):
        return Look("#ebebeb", "#2f2f2f", "#5e5e5e", "#5e5e5e", "#808080")
    under = (background.red, background.green, background.blue)
    over = (text.red, text.green, text.blue)
    primary, secondary, others = (
        blend(over, text.alpha * opacity, under) for opacity in (1, 0.75, 0.6)
    )
    return Look(blend(over, 0, under), primary, secondary, secondary, others)


def blend(
    over: tuple[float, float, float], opacity: float, under: tuple[float, float, float]
) -> str:
    """Lays a colour over another, both of channels from 0 to 1; gives `#rrggbb`."""
    channels = (
        round(255 * (above * opacity + below * (1 - opacity)))
        for above, below in zip(over, under, strict=True)
    )
    return "#" + bytes(channels).hex()
