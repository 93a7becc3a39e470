"""The application: windows, and what they share."""

from __future__ import annotations

import os
import sys

from .actions import add_choice
from .dots import MARK
from .glyphs import Glyph
from .menu import KEYS, STYLE
from .options import Options, parse
from .toolkit import Adw, Gdk, Gio, GLib, Gtk
from .window import Window

SCHEMES = {
    "system": Adw.ColorScheme.DEFAULT,
    "light": Adw.ColorScheme.FORCE_LIGHT,
    "dark": Adw.ColorScheme.FORCE_DARK,
}


class Application(Adw.Application):
    """Opens a window for each folder that it is asked for, also when it already runs."""

    def __init__(self) -> None:
        super().__init__(
            application_id="org.undertone.Carousel",
            flags=Gio.ApplicationFlags.HANDLES_COMMAND_LINE,
        )
        GLib.set_application_name("Carousel")

    def do_startup(self) -> None:
        """Takes the keys and the style."""
        Adw.Application.do_startup(self)
        for action, keys in KEYS.items():
            self.set_accels_for_action(action, keys)
        style = Gtk.CssProvider()
        style.load_from_data(STYLE)
        Gtk.StyleContext.add_provider_for_display(
            Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        )
        add_choice(self, "color-scheme", "system", self._set_scheme)

    def do_command_line(self, line: Gio.ApplicationCommandLine) -> int:
        """Opens a window as a command line asks, which `main` has found to be right."""
        folder = os.fsencode(line.get_cwd() or ".")
        options = parse([os.fsdecode(argument) for argument in line.get_arguments()[1:]], folder)
        if options.color_scheme != "system":
            self.change_action_state("color-scheme", GLib.Variant("s", options.color_scheme))
        Window(self, options, self._glyph(options)).present()
        return 0

    def _set_scheme(self, name: str) -> None:
        Adw.StyleManager.get_default().set_color_scheme(SCHEMES[name])

    def _glyph(self, options: Options) -> Glyph | None:
        if options.glyph is None:
            return None
        try:
            return Glyph(options.glyph, MARK * largest_scale())
        except GLib.Error as error:
            print(f"undertone-carousel: {options.glyph!r}: {error.message}", file=sys.stderr)
            return None


def largest_scale() -> int:
    """How many pixels there are for one, on the finest monitor."""
    monitors = Gdk.Display.get_default().get_monitors()
    scales = [monitors.get_item(index).get_scale_factor() for index in range(len(monitors))]
    return max(scales, default=1)


def main() -> int:
    """Runs it; returns its exit status."""
    parse(sys.argv[1:], os.getcwdb())  # noqa: PTH109 (pathlib knows no bytes)
    if Gdk.Display.get_default() is None:
        print("undertone-carousel: there is no display to open a window on", file=sys.stderr)
        return 1
    return int(Application().run(sys.argv))
