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
from .operations import FRAMES, OPERATIONS, TOLERANCE, check, check_frames, distance, request

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

LARGE = frozenset({"image_too_large"})
BAD = frozenset({"decode_failed"})
# What is not enough of a picture may get.
CUT = frozenset({"decode_failed", "unsupported_format"})


@dataclass
class Picture:
    """A file's bytes, its mean colour, and the whole answer of each operation about it."""

    name: str
    data: bytes
    color: tuple[int, int, int]
    answers: dict[str, Reply]

    @property
    def flat(self) -> bool:
        """Whether it has its colour everywhere."""
        return self.color != KEPT_COLOR

    @property
    def average(self) -> str:
        """The colour that answers give it."""
        average = self.answers["color"]["background"]
        assert isinstance(average, str)
        return average


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

    They must follow from the colours that were drawn; what else is in one need only stay the same.
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
        picture = Picture(name, data, color, {})
        for operation in OPERATIONS:
            reply = daemon.ask(**request(operation, path))
            assert "result" in reply, (name, reply)
            picture.answers[operation] = reply["result"]
            check(operation, reply["result"], color, picture.flat)
        image = picture.answers["color"]["image"]
        assert image["complete"] is True
        assert image["format"] == format_
        pictures.append(picture)
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
        self.place(picture.data, self._path(picture.name))

    def place(self, data: bytes, path: Path) -> None:
        """Writes a file whole and at once: a reader never sees half of it."""
        new = self._path("new")
        new.write_bytes(data)
        new.rename(path)

    def good(self, anew: float = 0.5) -> tuple[Picture, Question]:
        """Asks about a picture by any operation: often anew, else perhaps what is known."""
        picture = self._random.choice(self._pictures)
        operation = self._random.choice(OPERATIONS)
        if operation == "transition" and self._random.random() < 0.5:
            return picture, self._between(picture, self._random.choice(self._pictures))
        asked = request(operation, self._path(picture.name))
        edge = {"edge": "top", "size": round(self._random.uniform(0.1, 1), 6)}
        is_new = self._random.random() < anew
        if is_new and operation == "color":
            asked["regions"] = {"r": edge}
        elif is_new and operation == "indicator" and picture.flat:
            # Of a flat picture every area is as the whole.
            asked["area"] = edge

        def wrong(result: Reply) -> str | None:
            regions = result.pop("regions", None)
            if (regions is None) == ("regions" in asked):
                return "another request's regions"
            return None if result == picture.answers[operation] else "another answer"

        return picture, Question(asked, wrong)

    def another(self, than: Picture | None) -> Picture:
        """Chooses a picture, but not a certain one."""
        return self._random.choice([picture for picture in self._pictures if picture is not than])

    def _between(self, one: Picture, other: Picture) -> Question:
        ends = {"from": one, "to": other}
        asked = {name: {"path": str(self._path(end.name))} for name, end in ends.items()}

        def wrong(result: Reply) -> str | None:
            for name, end in ends.items():
                if result[name]["image"] != end.answers["color"]["image"]:
                    return "another picture"
            check_frames(result, one.average, other.average)
            return None

        return Question({"op": "transition", **asked, "frames": FRAMES}, wrong)

    def bad(self) -> Question:
        """Asks about what can't be answered, or only in part."""
        if self._random.random() < 0.3:
            return self._cut()
        name, codes = self._random.choice(self._faults)
        asked = request(self._random.choice(OPERATIONS), self._path(name))
        return Question(asked, None, codes)

    def _cut(self) -> Question:
        picture = self._random.choice(self._pictures)
        path = self._path(f"cut.{picture.name}")
        self.place(picture.data[: self._random.randrange(len(picture.data))], path)

        def wrong(result: Reply) -> str | None:
            sent = result["average"]["simple"]
            # Of the ramps only some rows may be left, so that only red is known.
            known = picture.color if picture.flat else (KEPT_COLOR[0], *wcag.parse(sent)[1:])
            return (
                "the colour of what is not there" if distance(sent, known) > 2 * TOLERANCE else None
            )

        return Question({"path": str(path)}, wrong, CUT)

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
        zero = self._path("zero")
        if not zero.is_symlink():
            zero.symlink_to("/dev/zero")
        others = [
            ("zero", frozenset({"not_a_file"})),
            ("missing.png", frozenset({"not_found"})),
            ("loop", frozenset({"not_found"})),
            ("empty/below", frozenset({"not_found"})),
            ("fifo.png", frozenset({"not_a_file"})),
            (".", frozenset({"not_a_file"})),
        ]
        return [(name, codes) for name, _, codes in files] + others
