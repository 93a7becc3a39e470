"""Pictures with known answers; each case stands for a kind of fault that such tools have."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .harness import processes, wcag
from .harness.daemon import Daemon

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parent / "cases"

Color = tuple[float, float, float]


def check_color(sent: str, expected: Color, tolerance: float) -> None:
    for channel, value in zip(wcag.parse(sent), expected, strict=True):
        # What is sent is a whole number.
        assert abs(channel - value) <= max(tolerance, 0.5), (sent, expected)


def check(area: dict[str, Any], simple: Color, tolerance: float = 1, opacity: float = 1) -> None:
    check_color(area["average"]["simple"], simple, tolerance)
    assert area["opacity"] == pytest.approx(opacity, abs=0.001)
    wcag.check_area(area)


SIMPLE: list[tuple[str, Color, float, float, str]] = [
    ("01-alpha-half-red-opaque-blue/input.png", (85.22, 0, 169.78), 1, 0.751, "none"),
    ("04-palette-trns/input.png", (176.48, 30, 103.52), 1, 0.5007, "none"),
    ("09-one-bit-checkerboard/input.png", (127.5, 127.5, 127.5), 1, 1, "none"),
    ("18-cmyk-jpeg-adobe/input.jpg", (129.5, 168.3, 127.5), 6, 1, "none"),
    ("22-truncated-jpeg/complete.jpg", (125.39, 50.1, 124.91), 2, 1, "none"),
    ("30-icc-display-p3/input.png", (226.78, 79.62, 47.45), 2.5, 1, "converted"),
    ("30-icc-display-p3/input.jpg", (226.78, 79.62, 47.45), 2.5, 1, "converted"),
    ("36-tiff-min-is-white-16bit-multipage/miniswhite8.tif", (111, 111, 111), 1.5, 1, "none"),
    ("36-tiff-min-is-white-16bit-multipage/miniswhite1.tif", (191.25,) * 3, 1.5, 1, "none"),
    ("36-tiff-min-is-white-16bit-multipage/rgb16.tif", (135.47, 71.72, 143.44), 1.5, 1, "none"),
    (
        "36-tiff-min-is-white-16bit-multipage/rgb16-big-endian.tif",
        (135.47, 71.72, 143.44),
        1.5,
        1,
        "none",
    ),
    ("36-tiff-min-is-white-16bit-multipage/two-pages.tif", (200, 10, 10), 1.5, 1, "none"),
    ("42-xpm-svg-ico/two-sizes.ico", (20, 80, 200), 1.5, 1, "none"),
    ("49-ipc-framing/red.png", (200, 20, 20), 0, 1, "none"),
]


@pytest.mark.parametrize("sampling", ["auto", "exact", "thumbnail"])
@pytest.mark.parametrize(
    ("name", "simple", "tolerance", "opacity", "profile"), SIMPLE, ids=[row[0] for row in SIMPLE]
)
def test_average(
    shared: Daemon,
    sampling: str,
    name: str,
    simple: Color,
    tolerance: float,
    opacity: float,
    profile: str,
) -> None:
    answer = shared.color(CASES / name, sampling=sampling)
    check(answer, simple, tolerance, opacity)
    assert answer["image"]["complete"] is True
    assert answer["image"]["profile"] == profile
    # There is no thumbnail of these.
    assert answer["image"]["sampling"] == ("exact" if sampling == "exact" else "auto")


LINEAR: list[tuple[str, Color]] = [
    ("01-alpha-half-red-opaque-blue/input.png", (156.37, 0, 213.06)),
    ("04-palette-trns/input.png", (209.47, 30, 155.08)),
    ("09-one-bit-checkerboard/input.png", (187.52, 187.52, 187.52)),
    ("36-tiff-min-is-white-16bit-multipage/rgb16.tif", (176.89, 93.06, 168.64)),
]


@pytest.mark.parametrize(("name", "linear"), LINEAR, ids=[row[0] for row in LINEAR])
def test_linear_average(shared: Daemon, name: str, linear: Color) -> None:
    answer = shared.color(CASES / name, average="linear")
    check_color(answer["average"]["linear"], linear, 1)
    assert answer["background"] == answer["average"]["linear"]
    wcag.check_area(answer)


def test_four_averages_of_black_and_white(shared: Daemon) -> None:
    answer = shared.color(CASES / "09-one-bit-checkerboard/input.png")
    assert answer["average"] == {
        "simple": "#808080",
        "squareRoot": "#b4b4b4",
        "linear": "#bcbcbc",
        "oklab": "#636363",
    }


CONTRAST = {
    # Name: (luminance, white text, black text).
    "767676": (0.1812, 4.542, 4.623),
    "777777": (0.1845, 4.478, 4.689),
    "747474": (0.1746, 4.674, 4.493),
    "757575": (0.1779, 4.608, 4.558),
    "808080": (0.2159, 3.949, 5.317),
    "bd93f9": (0.3853, 2.412, 8.705),
    "ff0000": (0.2126, 3.998, 5.252),
    "0000ff": (0.0722, 8.592, 2.444),
    "00ff00": (0.7152, 1.372, 15.304),
    "ff7f00": (0.3644, 2.534, 8.288),
    "2ab5c8": (0.3771, 2.458, 8.542),
    "efefef": (0.8632, 1.15, 18.263),
    "1e1e2e": (0.014, 16.402, 1.28),
    "949494": (0.2961, 3.033, 6.923),
    "b8b8b8": (0.4793, 1.984, 10.586),
}


@pytest.mark.parametrize("name", CONTRAST)
def test_contrast_table(shared: Daemon, name: str) -> None:
    luminance, on_white, on_black = CONTRAST[name]
    answer = shared.color(CASES / f"13-contrast-table/{name}.png")
    assert set(answer["average"].values()) == {f"#{name}"}
    wcag.check_area(answer)
    best = "#ffffff" if on_white > on_black else "#000000"
    assert answer["foreground"]["color"] == answer["overImage"]["color"] == best
    assert answer["foreground"]["contrast"] == pytest.approx(max(on_white, on_black), abs=0.001)
    assert answer["overImage"]["contrast"] == answer["foreground"]["contrast"]
    assert answer["overImage"]["coverage"] == 1
    assert all(v == pytest.approx(luminance, abs=0.0001) for v in answer["luminance"].values())


@pytest.mark.parametrize("sampling", ["auto", "exact"])
def test_a_region_is_answered_for_itself(shared: Daemon, sampling: str) -> None:
    answer = shared.color(
        CASES / "14-contrast-mixed-region/input.png",
        sampling=sampling,
        regions={
            "top": {"x": 0, "y": 0, "width": 1, "height": 0.5},
            "bottom": {"edge": "bottom", "size": 0.5},
        },
    )
    check(answer, (131, 131, 133))
    assert answer["foreground"]["color"] == "#000000"
    top, bottom = answer["regions"]["top"], answer["regions"]["bottom"]
    check(top, (250, 250, 250), 0)
    assert top["foreground"]["color"] == "#000000"
    assert top["foreground"]["contrast"] == pytest.approx(20.119, abs=0.001)
    check(bottom, (12, 12, 16), 0)
    assert bottom["foreground"]["color"] == "#ffffff"
    assert bottom["foreground"]["contrast"] == pytest.approx(19.522, abs=0.001)
    # On the whole picture nothing can be read without a scrim.
    assert not answer["overImage"]["meets"]
    assert answer["overImage"]["coverage"] == pytest.approx(0.5, abs=0.005)


def test_a_cut_jpeg_is_no_plain_success(shared: Daemon) -> None:
    reply = shared.ask(path=str(CASES / "22-truncated-jpeg/input.jpg"))
    if "error" in reply:
        assert reply["error"]["code"] == "decode_failed"
        return
    answer = reply["result"]
    assert answer["image"]["complete"] is False
    # The mean with the decoder's filler in it.
    red, green, blue = wcag.parse(answer["average"]["simple"])
    assert abs(red - 160.92) + abs(green - 92.6) + abs(blue - 92.77) > 10


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientations_agree(shared: Daemon, orientation: int) -> None:
    answer = shared.color(
        CASES / f"26-exif-orientation-1-to-8/o{orientation}.jpg",
        regions={
            "corner": {"x": 0, "y": 0, "width": 0.5, "height": 0.5},
            "top": {"edge": "top", "size": 0.5},
        },
    )
    image = answer["image"]
    assert (image["width"], image["height"]) == (32, 64)
    assert image["orientation"] == orientation
    check(answer, (132.5, 80, 120), 2.5)
    check(answer["regions"]["corner"], (240, 200, 20), 3)
    check(answer["regions"]["top"], (225, 120, 30), 3)


@pytest.mark.parametrize("name", ["viewbox-only.svg", "no-size-at-all.svg", "external-ref.svg"])
def test_svg(shared: Daemon, name: str) -> None:
    if "svg" not in shared.status()["formats"]:
        pytest.skip("the SVG loader is not installed")
    answer = shared.color(CASES / "42-xpm-svg-ico" / name)
    # An SVG may not pull in local files.
    expected = (255.0, 255.0, 255.0) if name == "external-ref.svg" else (51.0, 102.0, 204.0)
    check_color(answer["average"]["simple"], expected, 1.5)
    if name == "viewbox-only.svg":
        assert answer["opacity"] == 1
        assert answer["image"]["width"] == 2 * answer["image"]["height"]


@pytest.mark.parametrize("name", ["green.xpm", "none.xpm"])
def test_xpm_is_refused(shared: Daemon, name: str) -> None:
    assert shared.error(CASES / "42-xpm-svg-ico" / name)["code"] == "unsupported_format"


def test_icon_of_png_entries_is_right_or_refused(shared: Daemon) -> None:
    reply = shared.ask(path=str(CASES / "42-xpm-svg-ico/png-entries.ico"))
    if "error" in reply:
        assert reply["error"]["code"] in {"decode_failed", "unsupported_format"}
    else:
        check_color(reply["result"]["average"]["simple"], (20, 80, 200), 1.5)


BOMBS = {
    "white-30000x30000-1bit.png": {"image_too_large"},
    "header-60000x60000-rgba.png": {"image_too_large"},
    "header-max.png": {"image_too_large", "decode_failed"},
    "header-zero.png": {"decode_failed"},
    "jpeg-sof-65500.jpg": {"image_too_large", "decode_failed"},
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_go_off(daemon: Daemon, name: str) -> None:
    daemon.color(CASES / "49-ipc-framing/red.png")
    watched = {daemon.pid, *daemon.zygotes()}
    before = {pid: processes.resident(pid) for pid in watched}
    with daemon.connect() as connection:
        connection.send(path=str(CASES / "44-decompression-bomb" / name))
        largest = 0
        answered = threading.Event()

        def watch() -> None:
            nonlocal largest
            while not answered.is_set():
                for pid in daemon.decoders():
                    try:
                        largest = max(largest, processes.resident(pid))
                    except (KeyError, OSError):
                        continue

        watcher = threading.Thread(target=watch)
        watcher.start()
        # Others are served, too.
        daemon.color(CASES / "49-ipc-framing/blue.png", sampling="exact")
        reply = connection.receive()
        answered.set()
        watcher.join()
    assert reply["error"]["code"] in BOMBS[name], reply
    assert largest < 400 << 20
    assert all(processes.resident(pid) < before[pid] + (16 << 20) for pid in watched)


def test_the_limit_leaves_room_for_photographs(shared: Daemon, draw: Callable[..., Path]) -> None:
    # 24 megapixels of a colour.
    picture = draw("large.png", size=(6000, 4000), color=(10, 200, 30))
    answer = shared.color(picture)
    check(answer, (10, 200, 30), 0)
    assert (answer["image"]["width"], answer["image"]["height"]) == (6000, 4000)


def test_answers_are_of_the_file_as_it_is_now(daemon: Daemon, directory: Path) -> None:
    red, blue, green = (
        CASES / "45-cache-same-size-same-mtime" / name
        for name in ["a-red.png", "b-blue.png", "c-green-other-size.png"]
    )
    path = directory / "w.png"
    long_ago = 1704067200
    red_color, blue_color, green_color = (200, 20, 20), (20, 20, 200), (20, 160, 20)

    def ask(expected: Color) -> None:
        for _ in range(2):
            check_color(daemon.color(path)["average"]["simple"], expected, 1)

    def set_time(target: Path, seconds: float) -> None:
        os.utime(target, (seconds, seconds))

    shutil.copy(red, path)
    set_time(path, long_ago)
    ask(red_color)
    # A new file of the same size and time.
    other = directory / "n.png"
    shutil.copy(blue, other)
    set_time(other, long_ago)
    other.rename(path)
    ask(blue_color)
    # The same file, size and time: only ctime has moved.
    path.write_bytes(red.read_bytes())
    set_time(path, long_ago)
    ask(red_color)
    # Another size.
    path.write_bytes(green.read_bytes())
    set_time(path, long_ago)
    ask(green_color)
    # Older than before.
    path.write_bytes(blue.read_bytes())
    set_time(path, long_ago - 3600)
    ask(blue_color)
    # Within one second, and the clock's own tick.
    for turn in range(50):
        path.write_bytes((red if turn % 2 else blue).read_bytes())
        expected = red_color if turn % 2 else blue_color
        check_color(daemon.color(path)["average"]["simple"], expected, 1)
    path.unlink()
    assert daemon.error(path)["code"] == "not_found"


def test_a_second_question_comes_from_the_cache(daemon: Daemon) -> None:
    path = CASES / "49-ipc-framing/red.png"
    first = daemon.color(path)
    before = daemon.counters()
    several: list[dict[str, Any]] = [{}, {"average": "linear"}, {"contrast": 7}]
    for options in several:
        again = daemon.color(path, **options)
        assert again["average"] == first["average"]
    after = daemon.counters()
    assert after["decodes"] == before["decodes"] == 1
    assert after["cacheHits"] == before["cacheHits"] + 3
    # Other pixels of it are another question.
    daemon.color(path, regions={"a": {"edge": "top", "size": 0.5}})
    assert daemon.counters()["decodes"] == 2
    daemon.color(path, regions={"other name": {"x": 0, "y": 0, "width": 1, "height": 0.5}})
    assert daemon.counters()["decodes"] == 2


def test_equal_questions_get_equal_bytes(
    daemon: Daemon, make_daemon: Callable[..., Daemon]
) -> None:
    request = b'{"path":"%s","regions":{"a":{"edge":"left","size":0.3}}}\n'
    lines = set()
    for one in [daemon, make_daemon().start()]:
        with one.connect() as connection:
            for _ in range(3):
                path = os.fsencode(CASES / "26-exif-orientation-1-to-8/o6.jpg")
                connection.send_bytes(request % path)
                lines.add(connection.raw_line())
    assert len(lines) == 1
