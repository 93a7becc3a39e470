"""What programs read colors from: a theme in the words of each."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undertone import ThemeColors

ROLES = ("accent", "surface", "muted", "border", "error", "success", "warning", "info")
HEADER = "Made from the wallpaper by Undertone's theme-from-wallpaper."


@dataclass(frozen=True)
class Material:
    """What formats are filled with: a theme, the same in pywal's shape, the picture's average."""

    theme: ThemeColors
    pywal: Mapping[str, Any]
    average: str


def pywal(material: Material) -> str:
    """Writes what `wal --theme` reads."""
    return json.dumps(material.pywal, indent=4) + "\n"


def kitty(material: Material) -> str:
    """Writes kitty's colors."""
    theme = material.theme
    settings = {
        "background": theme.background,
        "foreground": theme.foreground,
        "cursor": theme.cursor,
        "cursor_text_color": theme.background,
        "selection_background": theme.roles.accent,
        "selection_foreground": theme.background,
        "url_color": theme.roles.info,
        "active_border_color": theme.roles.accent,
        "inactive_border_color": theme.roles.border,
        "active_tab_background": theme.roles.surface,
        "active_tab_foreground": theme.foreground,
        "inactive_tab_background": theme.background,
        "inactive_tab_foreground": theme.roles.muted,
        **_numbered(theme),
    }
    return f"# {HEADER}\n" + "".join(f"{name} {color}\n" for name, color in settings.items())


def foot(material: Material) -> str:
    """Writes foot's section of colors, in which they have no number sign."""
    theme = material.theme
    settings = {
        "background": theme.background,
        "foreground": theme.foreground,
        "selection-background": theme.roles.accent,
        "selection-foreground": theme.background,
        "urls": theme.roles.info,
        **{f"regular{index}": color for index, color in enumerate(theme.terminal[:8])},
        **{f"bright{index}": color for index, color in enumerate(theme.terminal[8:])},
    }
    lines = (f"{name}={color.removeprefix('#')}\n" for name, color in settings.items())
    return f"# {HEADER}\n[colors]\n" + "".join(lines)


def xresources(material: Material) -> str:
    """Writes X resources, as xterm, urxvt and st take them."""
    theme = material.theme
    settings = {
        "background": theme.background,
        "foreground": theme.foreground,
        "cursorColor": theme.cursor,
        **_numbered(theme),
    }
    return f"! {HEADER}\n" + "".join(f"*.{name}: {color}\n" for name, color in settings.items())


def waybar(material: Material) -> str:
    """Names colors for Waybar's style, which decides what they are for."""
    theme = material.theme
    return _named_colors(
        {
            "background": theme.background,
            "foreground": theme.foreground,
            **{name: getattr(theme.roles, name) for name in ROLES},
            **_numbered(theme),
        }
    )


def gtk(material: Material) -> str:
    """Names the colors that libadwaita, and then those that GTK's own style, is drawn with."""
    theme, roles = material.theme, material.theme.roles
    colors: dict[str, str] = {}
    for place in ("window", "view"):
        colors |= {f"{place}_bg_color": theme.background, f"{place}_fg_color": theme.foreground}
    for place in ("headerbar", "card", "popover", "dialog", "sidebar"):
        colors |= {f"{place}_bg_color": roles.surface, f"{place}_fg_color": theme.foreground}
    # A role that is legible on the background is a background that it is legible on.
    for name, color in {
        "accent": roles.accent,
        "error": roles.error,
        "destructive": roles.error,
        "success": roles.success,
        "warning": roles.warning,
    }.items():
        colors |= {
            f"{name}_color": color,
            f"{name}_bg_color": color,
            f"{name}_fg_color": theme.background,
        }
    return _named_colors(
        {
            **colors,
            "theme_bg_color": theme.background,
            "theme_fg_color": theme.foreground,
            "theme_base_color": theme.background,
            "theme_text_color": theme.foreground,
            "theme_selected_bg_color": roles.accent,
            "theme_selected_fg_color": theme.background,
            "borders": roles.border,
        }
    )


def _numbered(theme: ThemeColors) -> dict[str, str]:
    return {f"color{index}": color for index, color in enumerate(theme.terminal)}


def _named_colors(colors: Mapping[str, str]) -> str:
    lines = (f"@define-color {name} {color};\n" for name, color in colors.items())
    return f"/* {HEADER} */\n" + "".join(lines)


def sequences(material: Material) -> str:
    """Writes what recolors a terminal that is open: OSC 4, 10, 11 and 12."""
    theme = material.theme
    settings = [(f"4;{index}", color) for index, color in enumerate(theme.terminal)]
    settings += [("10", theme.foreground), ("11", theme.background), ("12", theme.cursor)]
    return "".join(f"\x1b]{number};{color}\x1b\\" for number, color in settings)


def letterbox(material: Material) -> str:
    """Writes the color around a wallpaper that does not fill the screen."""
    return material.average


# What takes a terminal's own colors up again.
RESET_SEQUENCES = "".join(f"\x1b]{number}\x1b\\" for number in (104, 110, 111, 112))

FORMATS: Mapping[str, Callable[[Material], str]] = {
    "pywal": pywal,
    "kitty": kitty,
    "foot": foot,
    "xresources": xresources,
    "waybar": waybar,
    "gtk": gtk,
    "sequences": sequences,
    "letterbox": letterbox,
}


def places(environment: Mapping[str, str] = os.environ) -> dict[str, Path]:
    """Where each format's file is; `letterbox` keeps the color that feh was given."""

    def base(variable: str, default: str) -> Path:
        # What is not absolute does not count, says the specification of these folders.
        named = environment.get(variable, "")
        return Path(named) if named.startswith("/") else Path.home() / default

    config = base("XDG_CONFIG_HOME", ".config")
    cache = base("XDG_CACHE_HOME", ".cache")
    return {
        "pywal": cache / "wal/colors.json",
        "kitty": config / "kitty/undertone.conf",
        "foot": config / "foot/undertone.ini",
        "xresources": config / "undertone/Xresources",
        "waybar": config / "waybar/undertone.css",
        "gtk": config / "gtk-4.0/undertone.css",
        "sequences": cache / "undertone/sequences",
        "letterbox": cache / "undertone/letterbox",
        "state": base("XDG_STATE_HOME", ".local/state") / "undertone/wallpaper.json",
        "hook": config / "undertone/wallpaper-hook",
    }
