"""The row of dots, one for each page, and the mark on the current one."""

from __future__ import annotations

from collections.abc import Callable

from .dotrow import DotRow
from .glyphs import Glyph
from .looks import Look
from .toolkit import Gdk, Graphene, Gsk, Gtk, name_widget, rgba

# Pixels: what can be clicked on, the dot in it, and the image on the current page's.
SLOT = 24
DOT = 8
MARK = 24


class Dots(Gtk.Widget):
    """Shows where one is among the pages, and goes to the one that is clicked on.

    Screen readers meet it as a list of tabs, each with its picture's name.
    """

    def __init__(self, go_to: Callable[[int], None]) -> None:
        super().__init__(
            accessible_role=Gtk.AccessibleRole.TAB_LIST,
            valign=Gtk.Align.CENTER,
            overflow=Gtk.Overflow.HIDDEN,
        )
        name_widget(self, "Pictures")
        self._go_to = go_to
        self._names: list[str] = []
        self._row = DotRow(0, 0)
        self._buttons: dict[int, Gtk.Button] = {}
        self._look: Look | None = None
        self._glyph: Glyph | None = None
        self._tinted = False
        self._reason = ""

    def set_pages(self, names: list[str]) -> None:
        """Begins anew, with other pages."""
        self._names = names
        for page in list(self._buttons):
            self._buttons.pop(page).unparent()
        self._row = DotRow(len(names), 0)
        self.set_visible(len(names) > 1)
        self.queue_resize()

    def set_position(self, position: float) -> None:
        """Moves to a position, 0 being the first page."""
        self._row = DotRow(len(self._names), position)
        self._provide()
        self.queue_allocate()
        self.queue_draw()

    def set_look(self, look: Look) -> None:
        """Takes other colours."""
        self._look = look
        self.queue_draw()

    def set_glyph(self, glyph: Glyph | None, is_tinted: bool, reason: str) -> None:
        """Marks the current page with an image, in its own colours or that of the text."""
        self._glyph, self._tinted, self._reason = glyph, is_tinted, reason
        self._describe()
        self.queue_draw()

    def _provide(self) -> None:
        """Gives each dot that is seen something to click on, and to read out."""
        seen = self._row.seen()
        for page in set(self._buttons) - set(seen):
            self._buttons.pop(page).unparent()
        for page in seen:
            if page not in self._buttons and page < len(self._names):
                self._buttons[page] = self._button(page)
        self._describe()

    def _describe(self) -> None:
        """Says of the current page's button that it is, and why the mark on it looks so."""
        for page, button in self._buttons.items():
            current = page == round(self._row.position)
            told = [self._names[page], self._reason] if current else [self._names[page]]
            tooltip = "\n".join(filter(None, told))
            if button.get_tooltip_text() != tooltip:
                button.set_tooltip_text(tooltip)
            button.update_state([Gtk.AccessibleState.SELECTED], [int(current)])

    def _button(self, page: int) -> Gtk.Button:
        button = Gtk.Button(
            accessible_role=Gtk.AccessibleRole.TAB,
            focusable=False,
            css_classes=["dot"],
        )
        name_widget(button, f"{page + 1}: {self._names[page]}")
        button.connect("clicked", lambda _: self._go_to(page))
        button.set_parent(self)
        return button

    def do_measure(self, orientation: Gtk.Orientation, _for_size: int) -> tuple[int, int, int, int]:
        """As wide as the dots that may be seen, as high as one."""
        length = self._row.length if orientation == Gtk.Orientation.HORIZONTAL else 1
        return length * SLOT, length * SLOT, -1, -1

    def do_size_allocate(self, width: int, _height: int, _baseline: int) -> None:
        """Puts the buttons where the dots are."""
        for page, button in self._buttons.items():
            _, smallest, _, _ = button.measure(Gtk.Orientation.HORIZONTAL, -1)
            size = max(SLOT, smallest)
            corner = Graphene.Point()
            corner.x = self._middle(page, width) - size / 2
            button.allocate(size, SLOT, -1, Gsk.Transform.new().translate(corner))

    def do_snapshot(self, snapshot: Gtk.Snapshot) -> None:
        """Draws the dots, and the mark over them; the buttons have nothing to be seen."""
        if self._look is None or not self._names:
            return
        width, middle = self.get_width(), self.get_height() / 2
        for page in self._buttons:
            size = DOT * self._row.scale(page)
            if opacity := self._row.opacity(page):
                color = rgba(self._look.others, opacity)
                draw_dot(snapshot, self._middle(page, width), middle, size, color)
        center = self._middle(self._row.position, width)
        if self._glyph is None:
            draw_dot(snapshot, center, middle, DOT * 1.25, rgba(self._look.current))
            return
        image = self._glyph.tinted(self._look.primary) if self._tinted else self._glyph.original
        scale = MARK / max(self._glyph.width, self._glyph.height)
        across, down = self._glyph.width * scale, self._glyph.height * scale
        # On whole pixels, where it is sharp.
        left, top = round(center - across / 2), round(middle - down / 2)
        snapshot.append_texture(image, rectangle(left, top, across, down))

    def _middle(self, page: float, width: int) -> float:
        place = self._row.place(page) * SLOT
        right_to_left = self.get_direction() == Gtk.TextDirection.RTL
        return width - place if right_to_left else place


def draw_dot(snapshot: Gtk.Snapshot, x: float, y: float, size: float, color: Gdk.RGBA) -> None:
    """Draws a filled circle around a point."""
    square = rectangle(x - size / 2, y - size / 2, size, size)
    circle = Gsk.RoundedRect()
    circle.init_from_rect(square, size / 2)
    snapshot.push_rounded_clip(circle)
    snapshot.append_color(color, square)
    snapshot.pop()


def rectangle(x: float, y: float, width: float, height: float) -> Graphene.Rect:
    """A rectangle as GTK has it."""
    return Graphene.Rect().init(x, y, width, height)
