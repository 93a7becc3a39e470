"""Thumbnails that a real thumbnailer makes, as file managers have it do."""

from __future__ import annotations

from pathlib import Path

import pytest
from EndToEndTests.harness.thumbnails import uri_of
from PIL import Image

from .desktop import Daemon, Desktop, require, rgb, wait_until

SERVICE = "org.freedesktop.thumbnails.Thumbnailer1"
ACTIVATION = Path("/usr/share/dbus-1/services") / "org.xfce.Tumbler.Thumbnailer1.service"


def have_thumbnailed(desktop: Desktop, pictures: dict[Path, str]) -> None:
    """Has tumbler make thumbnails of 256 pixels of pictures with these MIME types."""
    uris = ", ".join(f'"{uri_of(path)}"' for path in pictures)
    types = ", ".join(f'"{kind}"' for kind in pictures.values())
    command = ["gdbus", "call", "--session", "--dest", SERVICE]
    command += ["--object-path", "/org/freedesktop/thumbnails/Thumbnailer1"]
    command += ["--method", f"{SERVICE}.Queue", f"[{uris}]", f"[{types}]", "large", "default", "0"]
    desktop.run(*command)
    made = desktop.home / ".cache/thumbnails/large"
    # It writes another file first and renames it.
    wait_until(
        lambda: len([path for path in made.glob("*.png") if len(path.stem) == 32]) == len(pictures),
        what="the thumbnails are made",
    )


def test_thumbnails_of_tumbler_answer(desktop: Desktop, daemon: Daemon) -> None:
    require("gdbus")
    if not ACTIVATION.exists():
        pytest.skip("not installed: tumbler")
    folder = desktop.home / "a ü #% [x] (1)"
    folder.mkdir()
    # White above as it is displayed, which is at the left as it is stored.
    picture = Image.new("RGB", (900, 500), (20, 20, 60))
    picture.paste((250, 240, 230), (0, 0, 450, 500))
    exif = Image.Exif()
    exif[0x0112] = 6
    pictures = {
        folder / "turned.jpg": "image/jpeg",
        folder / "a.png": "image/png",
        folder / "a.webp": "image/webp",
    }
    for path in pictures:
        options = {"exif": exif} if path.suffix == ".jpg" else {"lossless": True}
        picture.save(path, **options)
    have_thumbnailed(desktop, pictures)
    for path in pictures:
        regions = {edge: {"edge": edge, "size": 0.4} for edge in ["top", "left"]}
        result = daemon.color(path, sampling="thumbnail", regions=regions)
        own = daemon.color(path, regions=regions)
        assert result["image"]["sampling"] == "thumbnail", path.name
        assert {**result["image"], "sampling": "auto"} == own["image"]
        for one, other in [
            (result, own),
            *((result["regions"][edge], own["regions"][edge]) for edge in regions),
        ]:
            pairs = zip(rgb(one["background"]), rgb(other["background"]), strict=True)
            assert max(abs(a - b) for a, b in pairs) <= 2, path.name
