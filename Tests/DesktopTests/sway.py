"""A Wayland screen to test examples on: sway without a display, run by an ordinary user.

def test_it_is_red(desktop: Desktop, sway: Sway) -> None:
    desktop.spawn("foot", "--override", "colors.background=c81414")
    sway.wait_for_pixel((400, 300), (200, 20, 20))
"""

from __future__ import annotations

import os
import subprocess

from PIL import Image

from .desktop import Color, Desktop, wait_for_color, wait_until

CONFIGURATION = """\
output HEADLESS-1 resolution 800x600
default_border none
xwayland disable
"""
# Debian's `nobody`: sway refuses to run as root.
ORDINARY_USER = 65534


class Sway:
    """A running compositor, which the desktop's programs find by `WAYLAND_DISPLAY`."""

    def __init__(self, desktop: Desktop) -> None:
        """Starts it, on a screen of 800 x 600 pixels."""
        self.desktop = desktop
        user = ORDINARY_USER if os.getuid() == 0 else None
        self.runtime = desktop.directory / "wayland"
        self.runtime.mkdir(mode=0o700)
        (self.runtime / "config").write_text(CONFIGURATION)
        if user:
            desktop.directory.chmod(0o711)
            os.chown(self.runtime, user, user)
        self.log = desktop.directory / "sway.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["sway", "-c", str(self.runtime / "config")],
                env={
                    **desktop.environment,
                    "HOME": str(self.runtime),
                    "XDG_RUNTIME_DIR": str(self.runtime),
                    "WLR_BACKENDS": "headless",
                    "WLR_LIBINPUT_NO_DEVICES": "1",
                    "WLR_RENDERER": "pixman",
                },
                cwd=self.runtime,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        sockets: list[str] = []

        def is_ready() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            sockets[:] = [
                str(entry)
                for entry in self.runtime.glob("wayland-*")
                if entry.suffix != ".lock" and any(self.runtime.glob("sway-ipc.*"))
            ]
            return bool(sockets)

        wait_until(is_ready, what="sway has a screen")
        desktop.environment["WAYLAND_DISPLAY"] = sockets[0]

    def close(self) -> None:
        """Ends it, with what was shown on it."""
        self.process.terminate()
        self.process.wait(timeout=60)

    def screenshot(self) -> Image.Image:
        """The whole screen as it is now, in RGB."""
        shot = self.desktop.directory / "sway.png"
        self.desktop.run("grim", shot)
        with Image.open(shot) as image:
            return image.convert("RGB")

    def wait_for_pixel(
        self, place: tuple[int, int], color: Color, tolerance: int = 0, seconds: float = 60
    ) -> None:
        """Waits until a place on the screen has a color, in each channel within the tolerance."""
        wait_for_color(self.screenshot, place, color, tolerance, seconds)
