"""Themes programs from the wallpaper: where it is, what is written, and how that is undone."""
