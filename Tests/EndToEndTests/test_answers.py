"""What is promised of palettes, strips, transitions and themes, verified on what is sent."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import generated, oklab, processes, wcag
from .harness.connection import wait_until
from .harness.schema import check_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from .harness.connection import Json, Reply
    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.int64]

PICTURES = dict(generated.pictures())
# The angles in OKLCh within which each of the terminal's hues is, in the order of its colours.
WINDOWS = [(15, 45), (140, 165), (80, 110), (250, 280), (315, 345), (195, 220)]


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


def save(pixels: generated.Image, path: Path, **options: Json) -> Path:
    Image.fromarray(pixels).save(path, **options)
    return path


def check_text(text: Reply, background: str, target: float) -> None:
    """Fails unless a text's ratio is the one with its background."""
    ratio = wcag.contrast(wcag.parse(text["color"]), wcag.parse(background))
    assert wcag.truncated(ratio, text["contrast"])
    assert text["meets"] == (ratio >= target)


# Palettes


@pytest.mark.parametrize("name", PICTURES)
def test_a_palettes_colours_are_the_pictures_own(
    shared: Daemon, directory: Path, name: str
) -> None:
    path = save(PICTURES[name], directory / "x.png")
    pixels = np.asarray(Image.open(path).convert("RGBA")).reshape(-1, 4)
    own = np.unique(pixels[pixels[:, 3] > 0, :3], axis=0)
    with shared.connect() as connection:
        for count in [1, 3, 8, 32]:
            connection.send(op="palette", path=str(path), count=count, contrast=7)
            line = connection.raw_line()
            result = json.loads(line, parse_float=Decimal)["result"]
            colors = [entry["color"] for entry in result["colors"]]
            shares = [entry["share"] for entry in result["colors"]]
            # As they are written, not as they are rounded.
            assert sum(shares) == 1
            assert shares == sorted(shares, reverse=True)
            assert all(share * 10**6 == int(share * 10**6) >= 1 for share in shares)
            assert len(colors) == min(len(own), len(colors)) <= count
            assert len(colors) == min(len(own), count) or len(own) > 2
            rgb = [wcag.parse(color) for color in colors]
            if len(rgb) > 1 and len(own) > 2:
                assert oklab.closest(rgb) >= 0.05
            entries = json.loads(line)["result"]["colors"]
            accent = json.loads(line)["result"]["accent"]
            for entry in entries + ([accent] if accent else []):
                check_text(entry["foreground"], entry["color"], 7)
                # One of few colours, or the mean of some that are alike.
                distances = np.linalg.norm(
                    oklab.oklab(own) - oklab.oklab([wcag.parse(entry["color"])]), axis=1
                )
                assert distances.min() <= (0 if len(own) <= 64 else 0.05)
            greys = (own == own[:, :1]).all()
            if greys:
                assert accent is None
                assert all(color[1:3] == color[3:5] == color[5:7] for color in colors)


# Strips


@pytest.mark.parametrize("over", ["background", "image"])
@pytest.mark.parametrize("name", PICTURES)
def test_a_strips_layer_is_the_thinnest_that_serves(
    shared: Daemon, directory: Path, name: str, over: str
) -> None:
    path = save(PICTURES[name], directory / "x.png")
    pixels = np.asarray(Image.open(path).convert("RGBA")).reshape(-1, 4).astype(np.int64)
    pixels = pixels[pixels[:, 3] > 0]
    steps = {}
    for scheme in ["dark", "light", "auto"]:
        result = shared.ask(
            op="indicator",
            path=str(path),
            over=over,
            scheme=scheme,
            backdrop="#203040",
            sampling="exact",
        )["result"]
        text = 255 if result["scheme"] == "dark" else 0
        alpha = pixels[:, 3:]
        colors = (pixels[:, :3] * alpha + np.array([32, 48, 64]) * (255 - alpha) + 127) // 255
        if over == "background":
            colors = np.array([wcag.parse(result["base"])])
        layer = 255 - text
        assert result["material"]["color"] == ("#ffffff" if layer else "#000000")

        def lowest(step: int, text: wcag.RGB, colors: Pixels = colors, layer: int = layer) -> float:
            strip = np.unique((colors * (255 - step) + layer * step + 127) // 255, axis=0)
            return min(wcag.contrast(text, (int(r), int(g), int(b))) for r, g, b in strip)

        step = steps[scheme] = round(result["material"]["opacity"] * 255)
        assert result["material"]["opacity"] >= step / 255
        assert lowest(step, (text, text, text)) >= 7
        assert step == 0 or lowest(step - 1, (text, text, text)) < 7
        base = wcag.parse(result["base"])
        assert wcag.parse(result["background"]) == wcag.composite(base, layer, step)
        texts = [(result["labels"]["active"], 7), (result["labels"]["others"], 4.5)]
        texts += [(result["dots"]["current"], 4.5), (result["dots"]["others"], 3)]
        for sent, target in texts:
            assert sent["meets"]
            ratio = lowest(step, wcag.parse(sent["color"]))
            assert wcag.truncated(ratio, sent["contrast"])
            assert ratio >= target
    assert steps["auto"] == min(steps["dark"], steps["light"])


def test_glyphs_keep_their_colours_only_where_they_can_be_seen(
    shared: Daemon, directory: Path
) -> None:
    page = save(generated.flat(255, 255, 255), directory / "page.png")
    shape = np.zeros((40, 40, 4), dtype=np.uint8)
    shape[10:30, 10:30] = (200, 20, 20, 255)
    flag = shape.copy()
    flag[10:30, 20:30, :3] = (20, 20, 200)
    pale = shape.copy()
    pale[10:30, 10:20, :3] = (255, 190, 190)
    pale[10:30, 20:30, :3] = (255, 255, 130)
    expected = {
        "shape": (shape, "tint", "shapeOnly", "#000000"),
        "flag": (flag, "original", "severalColors", None),
        "pale": (pale, "tint", "tooLittleContrast", "#000000"),
        "block": (shape[10:30, 10:30], "original", "opaqueBlock", "#c81414"),
    }
    for name, (pixels, style, reason, color) in expected.items():
        glyph = save(pixels, directory / f"{name}.png")
        result = shared.ask(op="indicator", path=str(page), glyph={"path": str(glyph)})["result"]
        drawn = result["glyph"]
        assert (drawn["style"], drawn["reason"]) == (style, reason)
        assert color in {None, drawn["color"]}
        check_text(drawn, result["background"], 3)
        assert drawn["meets"]


# Transitions


def interpolated(start: wcag.RGB, end: wcag.RGB, position: float, space: str) -> oklab.Values:
    ends = np.array([start, end], dtype=np.float64)
    if space == "oklab":
        ends = oklab.oklab([start, end])
    between = ends[0] + (ends[1] - ends[0]) * position
    result: oklab.Values = oklab.srgb(between) if space == "oklab" else between
    return result


@pytest.mark.parametrize("space", ["oklab", "srgb"])
def test_text_stays_legible_through_transitions(shared: Daemon, space: str) -> None:
    random = np.random.default_rng(6)
    ends = [[wcag.BLACK, wcag.WHITE], [(0, 0, 255), (255, 255, 0)], [wcag.WHITE, wcag.WHITE]]
    ends += random.integers(0, 256, (40, 2, 3)).tolist()
    flips = 0
    with shared.connect() as connection:
        for (start, end), frames in zip(ends, [2, 3, 30, 240] * 11, strict=False):
            hexes = ["#" + bytes(color).hex() for color in [start, end]]
            reply = connection.ask(
                **{"op": "transition", "from": hexes[0], "to": hexes[1]},
                frames=frames,
                space=space,
            )
            check_reply(reply)
            result = reply["result"]
            assert [result["from"]["color"], result["to"]["color"]] == hexes
            assert len(result["frames"]) == frames
            assert result["frames"][0]["background"] == hexes[0]
            assert result["frames"][-1]["background"] == hexes[1]
            for index, frame in enumerate(result["frames"]):
                assert frame["position"] == pytest.approx(index / (frames - 1), abs=1e-6)
                sent = np.array(wcag.parse(frame["background"]))
                exact = interpolated(start, end, index / (frames - 1), space)
                assert np.abs(sent - exact).max() <= 0.5 + 1e-3
                check_text(frame["foreground"], frame["background"], 4.5)
                check_text(frame["secondary"], frame["background"], 4.5)
                assert frame["foreground"]["contrast"] >= 4.58
                assert frame["secondary"]["meets"]
            ratios = [frame["foreground"]["contrast"] for frame in result["frames"]]
            assert result["lowest"] == min(ratios)
            texts = [frame["foreground"]["color"] for frame in result["frames"]]
            if result["flip"] is None:
                assert len(set(texts)) == 1
                continue
            flips += 1
            first = next(index for index, text in enumerate(texts) if text != texts[0])
            assert (first - 1) / (frames - 1) <= result["flip"] <= first / (frames - 1) + 1e-6
    assert flips > 5


# Themes


def check_theme(result: Reply) -> None:
    """Fails unless everything holds that is promised of a theme."""
    background = wcag.parse(result["background"])
    colors = [wcag.parse(result["colors"][f"color{index}"]) for index in range(16)]
    roles = {name: wcag.parse(color) for name, color in result["roles"].items()}
    assert colors[0] == background
    assert colors[15] == wcag.parse(result["foreground"])
    ratios = [wcag.contrast(color, background) for color in colors]
    assert min(ratios[1:8] + ratios[9:]) >= 4.5
    assert ratios[8] >= 3
    assert ratios[15] >= 7
    texts = [roles[name] for name in ["accent", "muted", "error", "success", "warning", "info"]]
    legible = [wcag.contrast(color, background) for color in texts]
    assert min(legible) >= 4.5
    assert wcag.truncated(min(ratios[1:8] + ratios[9:] + legible), result["lowest"])
    assert oklab.closest(colors) >= 0.05
    for index, (low, high) in enumerate(WINDOWS, 1):
        for color in [colors[index], colors[index + 8]]:
            hue, chroma = oklab.hue_and_chroma(color)
            assert low <= hue <= high
            assert chroma > 0.06
    is_dark = wcag.contrast(wcag.WHITE, background) > wcag.contrast(wcag.BLACK, background)
    assert result["scheme"] == ("dark" if is_dark else "light")


def degenerate() -> Iterator[generated.Image]:
    """Yields a hundred pictures on which themes tend to fail."""
    for value in range(0, 256, 15):
        yield generated.flat(value, value, value, height=1, width=1)
    for index in range(24):
        lab = [[0.1 * step, 0, 0] for step in range(1, 10)]
        angle = np.radians(15 * index)
        hue = np.array([[0, 0.3 * np.cos(angle), 0.3 * np.sin(angle)]])
        shades = np.clip(np.rint(oklab.srgb(np.array(lab) + hue)), 0, 255).astype(np.uint8)
        yield shades[None]
        yield shades[None, 4:5]
    for seed in range(12):
        yield generated.noise(1, 2, seed=seed)
        yield generated.noise(3, 4, 0, 8, seed=seed)
        yield generated.noise(3, 4, 248, 256, seed=seed)


def random_pictures() -> Iterator[generated.Image]:
    """Yields a thousand small pictures of several kinds."""
    for seed in range(250):
        yield generated.noise(6, 6, seed=seed)
        yield generated.landscape(seed, 8, 8)
        low = seed % 200
        yield generated.noise(6, 6, low, low + 50, seed=seed)
        yield generated.noise(6, 6, channels=4, seed=seed)


@pytest.mark.parametrize(
    ("pictures", "count"),
    [(degenerate, 100), (random_pictures, 1000)],
    ids=lambda value: str(value),
)
def test_every_themes_promises_hold(
    shared: Daemon,
    directory: Path,
    pictures: Callable[[], Iterator[generated.Image]],
    count: int,
) -> None:
    paths = [
        save(pixels, directory / f"{index}.png", compress_level=1)
        for index, pixels in enumerate(pictures())
    ]
    assert len(paths) >= count
    with shared.connect(timeout=120) as connection:
        for start in range(0, len(paths), 16):
            part = paths[start : start + 16]
            for path in part:
                for scheme in ["dark", "light"]:
                    connection.send(op="theme", path=str(path), scheme=scheme)
            for _ in part:
                for scheme in ["dark", "light"]:
                    result = connection.receive()["result"]
                    assert result["scheme"] == scheme
                    check_theme(result)


def test_a_grey_pictures_theme_is_grey_but_for_muted_hues(shared: Daemon, directory: Path) -> None:
    path = save(PICTURES["grey-gradient"], directory / "x.png")
    for scheme in ["dark", "light"]:
        result = shared.ask(op="theme", path=str(path), scheme=scheme)["result"]
        colors, roles = result["colors"], result["roles"]
        others = [colors[f"color{index}"] for index in [0, 7, 8, 15]]
        others += [roles[name] for name in ["accent", "surface", "muted", "border"]]
        for color in [*others, result["cursor"]]:
            assert color[1:3] == color[3:5] == color[5:7]
        for index in range(1, 7):
            assert oklab.hue_and_chroma(wcag.parse(colors[f"color{index}"]))[1] < 0.09


def test_pywals_shape_is_the_same_theme(shared: Daemon, directory: Path) -> None:
    path = save(PICTURES["landscape-1"], directory / 'a "b" ü.png')
    theme = shared.ask(op="theme", path=str(path))["result"]
    pywal = shared.ask(op="theme", path=str(path), format="pywal")["result"]
    special = {name: theme[name] for name in ["background", "foreground", "cursor"]}
    assert pywal == {
        "wallpaper": str(path),
        "alpha": "100",
        "special": special,
        "colors": theme["colors"],
    }


# What holds for all of them


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
    assert processes.threads(daemon.pid) == 1


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
