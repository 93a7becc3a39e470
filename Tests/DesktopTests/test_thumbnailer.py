"""Thumbnails that a real thumbnailer makes, as file managers have it do."""

from __future__ import annotations

from PIL import Image

from .desktop import Daemon, Desktop, rgb
from .thumbnailing import have_thumbnailed


def test_thumbnails_of_tumbler_answer(desktop: Desktop, daemon: Daemon) -> None:
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
