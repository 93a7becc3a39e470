"""Thumbnails of the desktop's cache that stand in for pictures.

A picture here is blue and its thumbnail is not, so that the answer tells which of them it is of.
"""

from __future__ import annotations

import ctypes
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness.bombs import chunk, png_header
from .harness.schema import check_reply
from .harness.thumbnails import keys_of, put_thumbnail, thumbnail_path, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .harness.connection import Json
    from .harness.daemon import Daemon

SIZE = (400, 300)
SMALL = (256, 192)
BLUE, RED, GREEN = (20, 20, 200), (200, 20, 20), (20, 200, 20)
BLUE_CODE, RED_CODE, GREEN_CODE = "#1414c8", "#c81414", "#14c814"


@pytest.fixture
def cache(daemon: Daemon) -> Path:
    """The daemon's cache directory."""
    return daemon.directory / "cache"


@pytest.fixture
def picture(directory: Path) -> Path:
    """A blue picture."""
    return blue(directory / "picture.png")


def blue(path: Path | bytes, kind: str = "PNG") -> Path:
    place = Path(os.fsdecode(path))
    Image.new("RGB", SIZE, BLUE).save(place, kind)
    return place


def plain(color: tuple[int, ...] = RED, size: tuple[int, int] = SMALL) -> Image.Image:
    return Image.new("RGB" if len(color) == 3 else "RGBA", size, color)


def ask(daemon: Daemon, path: Path | bytes, **options: Json) -> Json:
    """The result of a question that a thumbnail may answer."""
    request = {"path": os.fsdecode(path), "sampling": "thumbnail", **options}
    reply = daemon.ask(**request)
    check_reply(reply)
    return reply["result"]


def assert_ignored(daemon: Daemon, path: Path) -> None:
    result = ask(daemon, path)
    assert result["image"]["sampling"] == "auto"
    assert result["background"] == BLUE_CODE


@pytest.mark.parametrize(
    ("folder", "side"), [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
)
def test_of_any_size(daemon: Daemon, cache: Path, picture: Path, folder: str, side: int) -> None:
    put_thumbnail(cache, picture, plain(RED, (side, side * 3 // 4)), folder)
    result = ask(daemon, picture)
    assert result["background"] == RED_CODE
    assert result["image"] == {
        "width": 400,
        "height": 300,
        "format": "png",
        "orientation": 1,
        "profile": "none",
        "complete": True,
        "sampling": "thumbnail",
    }


def test_only_where_it_is_asked_for(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain())
    assert ask(daemon, picture)["background"] == RED_CODE
    for sampling in ["auto", "exact"]:
        result = daemon.color(picture, sampling=sampling)
        assert result["background"] == BLUE_CODE
        assert result["image"]["sampling"] == sampling


@pytest.mark.parametrize(
    "name",
    [
        b"with blanks and 100%.png",
        "gr\u00fcn \u2013 \U0001f33f.png".encode(),
        b"hash#question?semi;colon:at@.png",
        b"not \xff\xfe utf-8.png",
        b"a!$&'()*+,=~_-.[]{}|^`<>\"\\b.png",
        b"line\nfeed\ttab\x7f.png",
    ],
)
def test_names_are_escaped_as_glib_does(
    daemon: Daemon, cache: Path, directory: Path, name: bytes
) -> None:
    path = os.fsencode(directory) + b"/" + name
    blue(path)
    put_thumbnail(cache, path, plain())
    # The same by GLib itself, so that the test does not trust its own table.
    assert uri_of(path).encode() == glib_uri(path)
    request = {"sampling": "thumbnail", "uri": uri_of(path)}
    result = daemon.ask(**request)["result"]
    assert result["image"]["sampling"] == "thumbnail"
    assert result["background"] == RED_CODE


def glib_uri(path: bytes) -> bytes:
    """A path's URI by GIO, which file managers and thumbnailers take it from."""
    gio = ctypes.CDLL("libgio-2.0.so.0")
    gio.g_file_new_for_path.restype = ctypes.c_void_p
    gio.g_file_get_uri.restype = ctypes.c_char_p
    file = ctypes.c_void_p(gio.g_file_new_for_path(path))
    uri = gio.g_file_get_uri(file)
    assert isinstance(uri, bytes)
    return uri


def test_a_path_with_detours(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain())
    detour = f"{picture.parent}/./x/../{picture.name}"
    (picture.parent / "x").mkdir()
    assert ask(daemon, Path(detour))["background"] == RED_CODE
    reply = daemon.ask(path=detour, sampling="thumbnail")
    assert reply["result"]["background"] == RED_CODE


def test_a_link_has_its_own_or_its_targets(daemon: Daemon, cache: Path, picture: Path) -> None:
    link = picture.parent / "link.png"
    link.symlink_to(picture)
    put_thumbnail(cache, picture, plain(RED))
    assert ask(daemon, link)["background"] == RED_CODE
    other = blue(picture.parent / "other.png")
    link.unlink()
    link.symlink_to(other)
    put_thumbnail(cache, link, plain(GREEN))
    put_thumbnail(cache, other, plain(RED))
    assert ask(daemon, link)["background"] == GREEN_CODE


def test_compressed_keys(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain(), compressed=True)
    assert ask(daemon, picture)["background"] == RED_CODE


def test_the_size_is_optional(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain(), keys={"Thumb::Size": None})
    assert ask(daemon, picture)["background"] == RED_CODE


def test_a_time_with_a_fraction(daemon: Daemon, cache: Path, picture: Path) -> None:
    # As tumbler writes it.
    seconds = f"{picture.stat().st_mtime_ns // 1_000_000_000}.043717"
    put_thumbnail(cache, picture, plain(), keys={"Thumb::MTime": seconds})
    assert ask(daemon, picture)["background"] == RED_CODE


@pytest.mark.parametrize(
    "keys",
    [
        {"Thumb::MTime": "1"},
        {"Thumb::MTime": None},
        {"Thumb::MTime": ""},
        {"Thumb::URI": "file:///another.png"},
        {"Thumb::URI": None},
        {"Thumb::Size": "1"},
    ],
)
def test_keys_of_another_picture(
    daemon: Daemon, cache: Path, picture: Path, keys: dict[str, str | None]
) -> None:
    put_thumbnail(cache, picture, plain(), keys=keys)
    assert_ignored(daemon, picture)


def test_a_second_before_and_after(daemon: Daemon, cache: Path, picture: Path) -> None:
    for place, (nanoseconds, seconds, is_valid) in enumerate(
        [
            (1_700_000_000_000_000_000, "1700000000", True),
            (1_700_000_000_999_999_999, "1700000000", True),
            (1_700_000_001_000_000_000, "1700000000", False),
            (1_699_999_999_999_999_999, "1700000000", False),
            (-1_500_000_000, "-2", True),
            (-1_500_000_000, "-1", False),
        ]
    ):
        path = blue(picture.parent / f"{place}.png")
        os.utime(path, ns=(nanoseconds, nanoseconds))
        put_thumbnail(cache, path, plain(), keys={"Thumb::MTime": seconds})
        expected = "thumbnail" if is_valid else "auto"
        assert ask(daemon, path)["image"]["sampling"] == expected, (nanoseconds, seconds)


def test_a_change_within_the_same_second(daemon: Daemon, cache: Path, picture: Path) -> None:
    second = 1_700_000_000 * 1_000_000_000
    os.utime(picture, ns=(second + 700_000_000, second + 700_000_000))
    thumbnail = put_thumbnail(cache, picture, plain())
    os.utime(thumbnail, ns=(second + 400_000_000, second + 400_000_000))
    assert_ignored(daemon, picture)


def test_another_size_where_one_is_stale(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain(RED), "large", keys={"Thumb::MTime": "1"})
    put_thumbnail(cache, picture, plain(GREEN, (128, 96)), "normal")
    result = ask(daemon, picture)
    assert result["background"] == GREEN_CODE
    assert result["image"]["sampling"] == "thumbnail"


def test_the_large_one_is_preferred(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain(GREEN, (128, 96)), "normal")
    put_thumbnail(cache, picture, plain(GREEN, (512, 384)), "x-large")
    put_thumbnail(cache, picture, plain(RED), "large")
    assert ask(daemon, picture)["background"] == RED_CODE


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"IDAT") + 8] ^= 0xFF
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def replace_with_text(path: Path) -> None:
    path.write_text("no picture")


def replace_with_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_suffix(".fifo"))
    path.unlink()
    path.symlink_to(path.with_suffix(".fifo"))


def link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nonexistent")


def link_to_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def replace_with_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def grow(path: Path) -> None:
    os.truncate(path, 100 << 20)


@pytest.mark.parametrize(
    "spoil",
    [
        truncate,
        damage,
        empty,
        replace_with_text,
        replace_with_fifo,
        link_to_fifo,
        link_to_nothing,
        link_to_device,
        replace_with_directory,
        grow,
    ],
)
def test_what_is_no_thumbnail(
    daemon: Daemon, cache: Path, picture: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(put_thumbnail(cache, picture, plain()))
    assert_ignored(daemon, picture)


def text_chunks(picture: Path) -> bytes:
    return b"".join(
        chunk(b"tEXt", key.encode() + b"\0" + value.encode())
        for key, value in keys_of(picture).items()
    )


@pytest.mark.parametrize("size", [(60000, 60000), (1 << 30, 1), (0, 0), (1025, 769)])
def test_a_bomb(daemon: Daemon, cache: Path, picture: Path, size: tuple[int, int]) -> None:
    path = thumbnail_path(cache, uri_of(picture))
    path.parent.mkdir(parents=True)
    path.write_bytes(
        png_header(*size) + text_chunks(picture) + chunk(b"IDAT", bytes(64)) + chunk(b"IEND")
    )
    assert_ignored(daemon, picture)
    assert daemon.counters()["crashes"] == 0


def test_a_jpeg_in_its_place(daemon: Daemon, cache: Path, picture: Path) -> None:
    path = put_thumbnail(cache, picture, plain())
    plain().save(path, "JPEG")
    assert_ignored(daemon, picture)


@pytest.mark.parametrize("size", [(192, 256), (256, 256), (256, 100)])
def test_another_shape(daemon: Daemon, cache: Path, picture: Path, size: tuple[int, int]) -> None:
    put_thumbnail(cache, picture, plain(RED, size))
    assert_ignored(daemon, picture)


def test_a_turned_picture(daemon: Daemon, cache: Path, directory: Path) -> None:
    # Stored with its left half white and its right half black, displayed turned by 90 degrees to
    # the right: white is above.
    stored = np.zeros((300, 400, 3), np.uint8)
    stored[:, :200] = 255
    path = directory / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(stored).save(path, exif=exif)
    displayed = Image.fromarray(np.rot90(stored, -1)).resize((192, 256))
    put_thumbnail(cache, path, displayed)
    regions = {
        "top": {"edge": "top", "size": 0.4},
        "bottom": {"edge": "bottom", "size": 0.4},
        "left": {"edge": "left", "size": 0.4},
    }
    result = ask(daemon, path, regions=regions)
    image = result["image"]
    assert (image["sampling"], image["format"]) == ("thumbnail", "jpeg")
    assert (image["width"], image["height"], image["orientation"]) == (300, 400, 6)
    backgrounds = {name: area["background"] for name, area in result["regions"].items()}
    assert backgrounds == {"top": "#ffffff", "bottom": "#000000", "left": "#808080"}
    # As the picture itself says.
    auto = daemon.color(path, regions=regions)
    assert {**auto["image"], "sampling": "thumbnail"} == image
    assert {name: area["background"] for name, area in auto["regions"].items()} == backgrounds


def test_one_that_was_not_turned(daemon: Daemon, cache: Path, directory: Path) -> None:
    path = directory / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", SIZE, BLUE).save(path, exif=exif, quality=100, subsampling=0)
    put_thumbnail(cache, path, plain())
    assert ask(daemon, path)["image"]["sampling"] == "auto"


def test_transparency(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain((*RED, 51)))
    result = ask(daemon, picture)
    assert result["background"] == RED_CODE
    assert result["opacity"] == 0.2


def test_other_formats(daemon: Daemon, cache: Path, directory: Path) -> None:
    formats = daemon.status()["formats"]
    for name in ["jpeg", "gif", "webp", "tiff", "bmp", "pnm"]:
        assert name in formats
        path = blue(directory / f"a.{name}", "PPM" if name == "pnm" else name.upper())
        put_thumbnail(cache, path, plain())
        result = ask(daemon, path)
        assert (result["image"]["sampling"], result["background"]) == ("thumbnail", RED_CODE), name
        auto = daemon.color(path)["image"]
        assert {**auto, "sampling": "thumbnail"} == result["image"]


def test_a_vector_picture_tells_its_size_by_keys(
    daemon: Daemon, cache: Path, directory: Path
) -> None:
    path = directory / "a.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">'
        '<rect width="40" height="30" fill="#1414c8"/></svg>'
    )
    put_thumbnail(cache, path, plain())
    # The picture's own size is nowhere to be read, so the picture is decoded.
    assert_ignored(daemon, path)
    path.write_text(path.read_text() + "<!-- -->")
    keys = {"Thumb::Image::Width": "40", "Thumb::Image::Height": "30"}
    put_thumbnail(cache, path, plain(), keys=keys)
    result = ask(daemon, path)
    assert result["background"] == RED_CODE
    assert (result["image"]["width"], result["image"]["height"]) == (40, 30)
    assert result["image"]["format"] == "svg"


def test_thumbnails_of_thumbnails_are_just_read(daemon: Daemon, cache: Path, picture: Path) -> None:
    inner = put_thumbnail(cache, picture, Image.new("RGB", SMALL, BLUE))
    put_thumbnail(cache, inner, plain())
    assert_ignored(daemon, inner)


def test_the_cache_keeps_both(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain())
    # Answers of a file that has just changed are not kept.
    time.sleep(0.05)
    for _ in range(2):
        assert ask(daemon, picture)["background"] == RED_CODE
        assert daemon.color(picture)["background"] == BLUE_CODE
    assert daemon.counters()["decodes"] == 2


def test_an_answer_of_the_picture_answers_on(daemon: Daemon, cache: Path, picture: Path) -> None:
    time.sleep(0.05)
    assert ask(daemon, picture)["image"]["sampling"] == "auto"
    put_thumbnail(cache, picture, plain())
    # It is better, and it is there.
    assert_ignored(daemon, picture)
    assert daemon.color(picture)["background"] == BLUE_CODE
    assert daemon.counters()["decodes"] == 1


@pytest.mark.parametrize("home", ["HOME", "XDG_CACHE_HOME"])
def test_where_the_cache_is(
    make_daemon: Callable[..., Daemon], directory: Path, picture: Path, home: str
) -> None:
    own = directory / "own"
    environment = {"XDG_CACHE_HOME": "", home: str(own)}
    daemon = make_daemon(environment=environment).start()
    put_thumbnail(own / ".cache" if home == "HOME" else own, picture, plain())
    assert ask(daemon, picture)["background"] == RED_CODE


@pytest.mark.parametrize(
    "request_",
    [
        {"op": "palette"},
        {"op": "theme"},
        {"op": "indicator"},
        {"op": "transition", "to": "#000000"},
    ],
    ids=lambda request: str(request["op"]),
)
def test_every_operation(
    daemon: Daemon, cache: Path, picture: Path, request_: dict[str, Json]
) -> None:
    put_thumbnail(cache, picture, plain())
    place: dict[str, Json] = {"path": str(picture)}
    request = {**request_, **({"from": place} if request_["op"] == "transition" else place)}
    request["sampling"] = "thumbnail"
    reply = daemon.ask(**request)
    check_reply(reply)
    result = reply["result"]
    image = result.get("from", result)["image"]
    assert image["sampling"] == "thumbnail"
    assert (image["width"], image["height"]) == SIZE
    if request["op"] == "palette":
        assert [color["color"] for color in result["colors"]] == [RED_CODE]
    if request["op"] == "indicator":
        assert result["base"] == RED_CODE


def test_a_thumbnail_is_no_escape_from_errors(daemon: Daemon, cache: Path, picture: Path) -> None:
    put_thumbnail(cache, picture, plain())
    picture.unlink()
    reply = daemon.ask(path=str(picture), sampling="thumbnail")
    assert reply["error"]["code"] == "not_found"
