"""What a window wears: a style sheet for its header bar, and the colour around the picture."""

from __future__ import annotations

from gi.repository import Eog, Gdk, Gio, Gtk

# Text has the contrast that the daemon has verified, also in windows without the focus, where the
# theme would dim it. A button under the pointer gets a ring and a pressed one the colours the other
# way round: a tint would cost contrast.
STYLE = """
.{name} headerbar, .{name} headerbar:backdrop {{
    background: {background}; color: {foreground};
    border-color: {background}; box-shadow: none;
}}
.{name} headerbar *, .{name} headerbar *:backdrop {{
    color: {foreground}; text-shadow: none; -gtk-icon-shadow: none; opacity: 1;
}}
.{name} headerbar .subtitle, .{name} headerbar .subtitle:backdrop,
.{name} headerbar button:disabled, .{name} headerbar button:disabled * {{ color: {secondary}; }}
.{name} headerbar button, .{name} headerbar button:backdrop,
.{name} headerbar entry, .{name} headerbar entry:backdrop {{
    background: none; border-color: transparent; box-shadow: none;
}}
.{name} headerbar entry {{ caret-color: {foreground}; }}
.{name} headerbar button:hover, .{name} headerbar entry:focus {{ border-color: {foreground}; }}
.{name} headerbar button:checked, .{name} headerbar button:active,
.{name} headerbar entry selection {{ background: {foreground}; color: {background}; }}
.{name} headerbar button:checked *, .{name} headerbar button:active * {{ color: {background}; }}
"""


class Dress:
    """The colours that one window wears."""

    def __init__(self, window: Eog.Window) -> None:
        self.window, self.view = window, window.get_view()
        self.settings = Gio.Settings.new("org.gnome.eog.view")
        self.worn = False
        # Style sheets hold for the whole screen, and the next window shows another picture.
        self.name = f"undertone-{id(self):x}"
        self.sheet = Gtk.CssProvider()
        window.get_style_context().add_class(self.name)
        Gtk.StyleContext.add_provider_for_screen(
            window.get_screen(), self.sheet, Gtk.STYLE_PROVIDER_PRIORITY_USER
        )

    def on(self, background: str, foreground: str, secondary: str) -> None:
        """Puts the colours on."""
        style = STYLE.format(
            name=self.name, background=background, foreground=foreground, secondary=secondary
        )
        self.sheet.load_from_data(style.encode())
        if not self.worn:
            # Bound to the user's settings, it would change them.
            Gio.Settings.unbind(self.view, "use-background-color")
            self.view.set_use_bg_color(True)
            self.worn = True
        self.surround(background)

    def off(self) -> None:
        """Takes them off again: what surrounds the picture is as the user has set it."""
        if self.worn:
            self.sheet.load_from_data(b"")
            self.surround(self.settings["background-color"])
            name = "use-background-color"
            self.settings.bind(name, self.view, name, Gio.SettingsBindFlags.DEFAULT)
            self.worn = False

    def surround(self, color: str) -> None:
        """Paints what surrounds the picture; where it fills the screen, eog has black there."""
        around = Gdk.RGBA()
        around.parse(color)
        # The method, unlike the property, leaves the settings alone.
        self.view.set_background_color(around)

    def discard(self) -> None:
        """Takes the colours off for good."""
        self.off()
        self.window.get_style_context().remove_class(self.name)
        Gtk.StyleContext.remove_provider_for_screen(self.window.get_screen(), self.sheet)
