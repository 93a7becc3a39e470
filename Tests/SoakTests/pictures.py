"""Pictures whose answers are known, and files that are none."""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from EndToEndTests.harness import bombs, wcag
from PIL import Image

from .ledger import Question

if TYPE_CHECKING:
    from random import Random

    from EndToEndTests.harness.connection import Reply
    from EndToEndTests.harness.daemon import Daemon

FIXTURES = Path(__file__).parents[1] / "UndertoneDecodingTests/Fixtures"

# Name, Pillow's name of the format, and its options.
SAVED: list[tuple[str, str, dict[str, Any]]] = [
    ("png", "PNG", {}),
    ("jpg", "JPEG", {"quality": 90}),
    ("progressive.jpg", "JPEG", {"quality": 90, "progressive": True}),
    ("gif", "GIF", {}),
    ("webp", "WEBP", {"quality": 90}),
    ("lossless.webp", "WEBP", {"lossless": True}),
    ("tif", "TIFF", {}),
    ("bmp", "BMP", {}),
    ("ico", "ICO", {"sizes": [(48, 48)], "bitmap_format": "bmp"}),
    ("ppm", "PPM", {}),
]
# Pictures that came with the decoder's tests: their colour is (127, 127, 64).
KEPT = {"avif": "picture.avif", "heic": "picture.heic", "large.jpg": "quarter.jpg"}
KEPT_COLOR = (127, 127, 64)
TOLERANCE = 4

LARGE = frozenset({"image_too_large"})
BAD = frozenset({"decode_failed"})


@dataclass
class Picture:
    """A file's bytes, its colour, and the whole answer about it."""

    name: str
    data: bytes
    color: tuple[int, int, int]
    answer: Reply


def draw(color: tuple[int, int, int], kind: str, options: dict[str, Any]) -> bytes:
    """Returns a picture of one colour."""
    file = BytesIO()
    Image.new("RGB", (48, 48), color).save(file, kind, **options)
    return file.getvalue()


def svg(color: tuple[int, int, int]) -> bytes:
    """Returns an SVG of one colour."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48">'
        f'<rect width="48" height="48" fill="rgb{color}"/></svg>'
    ).encode()


def good_pictures(daemon: Daemon, directory: Path) -> list[Picture]:
    """Makes a picture of each format that the daemon knows, and learns the answers in quiet.

    Their colours must be those that were drawn; what else is in an answer need only stay the same.
    """
    drawn: dict[str, tuple[bytes, tuple[int, int, int]]] = {}
    for number, (name, kind, options) in enumerate(SAVED):
        color = (200, 20 + 20 * number, 40)
        drawn[name] = (draw(color, kind, options), color)
    drawn["svg"] = (svg((20, 40, 180)), (20, 40, 180))
    for name, file in KEPT.items():
        drawn[name] = ((FIXTURES / file).read_bytes(), KEPT_COLOR)
    formats = set(daemon.status()["formats"])
    pictures = []
    for name, (data, color) in drawn.items():
        ending = name.rpartition(".")[2]
        format_ = {"jpg": "jpeg", "tif": "tiff", "ppm": "pnm"}.get(ending, ending)
        if format_ not in formats:
            print(f"soak: no loader for {format_} is installed: it is left out")
            continue
        path = directory / f"good.{name}"
        path.write_bytes(data)
        answer = daemon.color(path)
        simple = wcag.parse(answer["average"]["simple"])
        distance = max(abs(sent - drawn) for sent, drawn in zip(simple, color, strict=True))
        assert distance <= TOLERANCE, (name, answer)
        assert answer["image"]["complete"] is True
        assert answer["image"]["format"] == format_
        pictures.append(Picture(name, data, color, answer))
    return pictures


class Folder:
    """A client's own files: what one client does to its files does not disturb another's."""

    def __init__(self, directory: Path, pictures: list[Picture], random: Random) -> None:
        """Writes all pictures and faults into a folder, anew if they were there before."""
        directory.mkdir(exist_ok=True)
        self.directory = directory
        self._pictures = pictures
        self._random = random
        for picture in pictures:
            self.restore(picture)
        self._faults = self._make_faults()

    def _path(self, name: str) -> Path:
        return self.directory / name

    def restore(self, picture: Picture) -> None:
        """Writes a picture again, so that it is a new file for whoever remembers the old one."""
        new = self._path("new")
        new.write_bytes(picture.data)
        new.rename(self._path(picture.name))

    def good(self, anew: float = 0.5) -> tuple[Picture, Question]:
        """Asks about a picture: often anew, by a region of its own, else perhaps of the cache."""
        picture = self._random.choice(self._pictures)
        request: dict[str, Any] = {"path": str(self._path(picture.name))}
        if self._random.random() < anew:
            size = self._random.uniform(0.1, 1)
            request["regions"] = {"r": {"edge": "top", "size": round(size, 6)}}

        def check(result: Reply) -> str | None:
            regions = result.pop("regions", None)
            if (regions is None) == ("regions" in request):
                return "another request's regions"
            return None if result == picture.answer else "another answer"

        return picture, Question(request, check)

    def bad(self) -> Question:
        """Asks about what can't be answered, or only in part."""
        if self._random.random() < 0.3:
            return self._cut()
        name, codes = self._random.choice(self._faults)
        return Question({"path": str(self._path(name))}, None, codes)

    def _cut(self) -> Question:
        picture = self._random.choice(self._pictures)
        path = self._path(f"cut.{picture.name}")
        data = picture.data[: self._random.randrange(len(picture.data))]
        # Whole and at once: a reader never sees half of it.
        new = self._path("new")
        new.write_bytes(data)
        new.rename(path)

        def check(result: Reply) -> str | None:
            sent = wcag.parse(result["average"]["simple"])
            distance = max(abs(a - b) for a, b in zip(sent, picture.color, strict=True))
            # Of the ramps only some rows may be left, so that only red is known.
            if picture.color == KEPT_COLOR:
                distance = abs(sent[0] - picture.color[0])
            return "the colour of what is not there" if distance > 2 * TOLERANCE else None

        return Question(
            {"path": str(path)}, check, frozenset({"decode_failed", "unsupported_format"})
        )

    def _make_faults(self) -> list[tuple[str, frozenset[str]]]:
        files: list[tuple[str, bytes, frozenset[str]]] = [
            ("empty", b"", BAD),
            ("magic", bombs.PNG_SIGNATURE, BAD),
            ("random", b"\1" + self._random.randbytes(5000), frozenset({"unsupported_format"})),
            ("text.png", b"no picture at all " * 99, frozenset({"unsupported_format"})),
            ("giant.png", bombs.png_header(60_000, 60_000), LARGE),
            ("giant.gif", bombs.gif(65_535, 65_535), LARGE),
            ("giant.webp", bombs.webp(16_383, 16_383), LARGE | {"unsupported_format"}),
            ("giant.jpg", bombs.jpeg(65_500), LARGE),
            ("giant.bmp", bombs.bmp(65_535, 65_535), LARGE),
        ]
        for name, data, _ in files:
            self._path(name).write_bytes(data)
        fifo = self._path("fifo.png")
        if not fifo.exists():
            os.mkfifo(fifo)
        loop = self._path("loop")
        if not loop.is_symlink():
            loop.symlink_to(loop)
        others = [
            ("missing.png", frozenset({"not_found"})),
            ("loop", frozenset({"not_found"})),
            ("empty/below", frozenset({"not_found"})),
            ("fifo.png", frozenset({"not_a_file"})),
            (".", frozenset({"not_a_file"})),
        ]
        return [(name, codes) for name, _, codes in files] + others
