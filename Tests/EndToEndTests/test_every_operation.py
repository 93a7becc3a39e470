"""What holds for every operation about pictures."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import generated, processes
from .harness.connection import wait_until
from .harness.generated import PICTURES, save
from .harness.schema import check_reply

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy.typing as npt

    from .harness.connection import Json
    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.int64]


def questions(path: Path | str) -> list[dict[str, Json]]:
    """Every operation about one picture, without regions."""
    picture = {"path": str(path)}
    return [
        {"op": "color", **picture},
        {"op": "palette", **picture, "count": 5},
        {"op": "indicator", **picture, "over": "image", "glyph": picture},
        {"op": "indicator", **picture, "average": "squareRoot", "scheme": "light"},
        {"op": "transition", "from": picture, "to": "#1e90ff", "frames": 7},
        {"op": "theme", **picture},
    ]


def results(daemon: Daemon, path: Path, **options: Json) -> list[Json]:
    """What the daemon answers to all of them, without what it says of the file."""
    found = []
    with daemon.connect() as connection:
        for question in questions(path):
            reply = connection.ask(**question, **options)
            check_reply(reply)
            found.append(without_images(reply["result"]))
    return found


def without_images(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: without_images(item) for key, item in value.items() if key != "image"}
    return value


@pytest.mark.parametrize("name", ["landscape-0", "noise", "disc", "alpha-noise", "page", "pixel"])
def test_two_runs_give_equal_bytes(
    make_daemon: Callable[..., Daemon], directory: Path, name: str
) -> None:
    path = save(PICTURES[name], directory / "x.png")

    def run() -> list[bytes]:
        with make_daemon().start().connect() as connection:
            lines = []
            for question in questions(path):
                connection.send(**question)
                lines.append(connection.raw_line().lstrip(b" "))
            return lines

    assert run() == run()


@pytest.mark.parametrize("name", ["landscape-0", "noise", "disc", "alpha-noise", "page", "night"])
def test_the_order_of_pixels_does_not_matter(shared: Daemon, directory: Path, name: str) -> None:
    pixels = PICTURES[name]
    mixed = pixels.reshape(-1, pixels.shape[2]).copy()
    np.random.default_rng(8).shuffle(mixed)
    one = save(pixels, directory / "one.png")
    other = save(mixed.reshape(pixels.shape), directory / "other.png")
    assert results(shared, one) == results(shared, other)


def test_the_eight_orientations_agree(shared: Daemon, directory: Path) -> None:
    upright = Image.fromarray(generated.landscape(3, 30, 50))
    upright.save(directory / "1.tiff")
    expected = results(shared, directory / "1.tiff")
    area = {"edge": "bottom", "size": 0.3}
    strip = {"op": "indicator", "area": area, "sampling": "exact"}
    bottom = shared.ask(**strip, path=str(directory / "1.tiff"))["result"]
    # How the pixels lie in the file so that the tag turns them upright.
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    for orientation, transpose in stored.items():
        path = directory / f"{orientation}.tiff"
        upright.transpose(transpose).save(path, tiffinfo={274: orientation})
        assert results(shared, path) == expected
        result = shared.ask(**strip, path=str(path))["result"]
        assert result["image"]["orientation"] == orientation
        assert without_images(result) == without_images(bottom)


def test_what_cannot_be_seen_never_matters(shared: Daemon, directory: Path) -> None:
    answers = []
    for hidden in [(0, 0, 0), (255, 255, 255), (255, 0, 255)]:
        pixels = generated.with_alpha(generated.landscape(5, 24, 24), np.ones((24, 24)))
        pixels[::3] = (*hidden, 0)
        answers.append(results(shared, save(pixels, directory / "x.png")))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("name", ["grey", "white", "black", "pixel"])
def test_a_flat_picture_is_its_own_colour(shared: Daemon, directory: Path, name: str) -> None:
    path = save(PICTURES[name], directory / "x.png")
    color = "#" + bytes(PICTURES[name][0, 0]).hex()
    answers = results(shared, path)
    assert answers[0]["background"] == color
    assert [entry["color"] for entry in answers[1]["colors"]] == [color]
    assert answers[1]["colors"][0]["share"] == 1
    assert answers[2]["base"] == answers[3]["base"] == color
    assert answers[4]["from"]["color"] == answers[4]["frames"][0]["background"] == color


def test_a_strips_area_is_its_crop(shared: Daemon, directory: Path) -> None:
    pixels = generated.landscape(4, 40, 50)
    whole = save(pixels, directory / "whole.png")
    crop = save(pixels[30:], directory / "crop.png")
    strip = {"op": "indicator", "sampling": "exact", "over": "image"}
    area = {"edge": "bottom", "size": 0.25}
    one = shared.ask(**strip, path=str(whole), area=area)["result"]
    other = shared.ask(**strip, path=str(crop))["result"]
    assert without_images(one) == without_images(other)


def test_two_pictures_are_decoded_once(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    daemon = make_daemon().start()
    one = save(PICTURES["landscape-0"], directory / "one.png")
    other = save(PICTURES["landscape-1"], directory / "other.png")
    ends = {"from": {"path": str(one)}, "to": {"path": str(other)}}
    # What has only just been written may change again unseen, and is not kept.
    time.sleep(0.05)
    before = daemon.counters()
    first = daemon.ask(op="transition", **ends)
    assert daemon.ask(op="transition", **ends) == first
    assert daemon.ask(op="indicator", path=str(one), glyph={"path": str(other)})["result"]
    assert daemon.ask(op="palette", path=str(other))["result"]
    after = daemon.counters()
    assert after["decodes"] - before["decodes"] == 2
    # One picture that nobody knows yet is enough for a miss.
    assert after["cacheMisses"] - before["cacheMisses"] == 1
    assert after["cacheHits"] - before["cacheHits"] == 3


def test_two_pictures_are_decoded_side_by_side(
    make_daemon: Callable[..., Daemon], directory: Path, slow: Path
) -> None:
    daemon = make_daemon(arguments=["--jobs", "2", "--deadline", "60"]).start()
    (directory / "again.png").write_bytes(slow.read_bytes())
    ends = {"from": {"path": str(slow)}, "to": {"path": str(directory / "again.png")}}
    with daemon.connect(timeout=60) as connection:
        connection.send(op="transition", sampling="exact", **ends)
        wait_until(lambda: daemon.counters()["decodersRunning"] == 2, what="both are decoded")
        result = connection.receive()["result"]
        assert result["from"]["color"] == result["to"]["color"]
    daemon.settle()
    # Whoever hangs up withdraws both.
    with daemon.connect() as connection:
        (directory / "again.png").touch()
        connection.send(
            op="indicator", sampling="exact", path=ends["to"]["path"], glyph=ends["from"]
        )
        wait_until(lambda: daemon.decoders() != [], what="it is decoded")
    daemon.settle()
    assert daemon.counters()["decodersStuck"] == 0
    assert processes.threads(daemon.pid) == processes.THREADS


def test_a_picture_that_fails_is_named(shared: Daemon, directory: Path) -> None:
    good = save(PICTURES["page"], directory / "good.png")
    bad = directory / "bad.png"
    bad.write_bytes(b"not a picture")
    ends = {"good": {"path": str(good)}, "bad": {"path": str(bad)}}
    gone = {"path": str(directory / "gone.png")}
    asked = [
        ({"op": "indicator", **ends["good"], "glyph": ends["bad"]}, "glyph: "),
        ({"op": "indicator", **ends["bad"], "glyph": gone}, ""),
        ({"op": "transition", "from": ends["bad"], "to": gone}, "from: "),
        ({"op": "transition", "from": ends["good"], "to": ends["bad"]}, "to: "),
        ({"op": "transition", "from": "#ffffff", "to": ends["bad"]}, "to: "),
    ]
    plain = shared.error(bad)
    for question, prefix in asked:
        error = shared.ask(**question)["error"]
        assert error == {**plain, "message": prefix + plain["message"]}
