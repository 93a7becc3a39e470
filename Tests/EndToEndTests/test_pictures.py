"""Pictures of each format, of each transparency and of real light, against a second decoder."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import wcag

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.float64]

# Where lomiri-wallpapers-16.04 has its photographs.
PHOTOGRAPHS = sorted(Path("/usr/share/backgrounds").glob("*_by_*.jpg"))
# Questions of one connection that are not answered yet.
AHEAD = 60


def pixels(path: Path) -> Pixels:
    """Returns a picture's straight red, green, blue and alpha, 0…255, by another decoder."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"), dtype=np.float64)


def mean(path: Path) -> tuple[Pixels, float]:
    """Returns the alpha-weighted mean colour and the mean alpha, 0…1."""
    values = pixels(path).reshape(-1, 4)
    alpha = values[:, 3]
    weight = float(alpha.sum())
    color = (values[:, :3] * alpha[:, np.newaxis]).sum(axis=0) / weight
    return color, weight / 255 / len(values)


def check_simple(sent: str, expected: Pixels, tolerance: float = 1) -> None:
    difference = np.abs(np.array(wcag.parse(sent)) - expected)
    # Half a step is the rounding of what is sent.
    assert difference.max() <= tolerance, (sent, expected)


# What becomes of each photograph: its ending, its width, and how it is coded. The widths are such
# that JPEGs are decoded whole, at a half, a quarter and an eighth, with blocks that lie half
# outside; what is as large as it was is decoded at an eighth too.
VERSIONS: dict[str, tuple[str, int, dict[str, object]]] = {
    "small": ("jpg", 400, {"quality": 85}),
    "half": ("jpg", 1003, {"quality": 90}),
    "quarter": ("jpg", 1925, {"quality": 75}),
    "fine": ("jpg", 700, {"quality": 98, "subsampling": "4:4:4"}),
    "coarse": ("jpg", 1290, {"quality": 40}),
    "wide": ("jpg", 1111, {"quality": 80, "subsampling": "4:2:2"}),
    "progressive": ("jpg", 651, {"quality": 85, "progressive": True}),
    "progressive-half": ("jpg", 1530, {"quality": 92, "progressive": True}),
    "progressive-eighth": ("jpg", 3877, {"quality": 80, "progressive": True}),
    "plain": ("png", 333, {}),
    "lossy": ("webp", 620, {"quality": 80, "method": 0}),
    "lossless": ("webp", 200, {"lossless": True, "method": 0}),
    "strips": ("tif", 500, {"compression": "tiff_lzw"}),
    "few": ("gif", 517, {}),
}


def photographs(directory: Path) -> list[Path]:
    """Makes a version of each kind of each photograph, and returns them with the photographs."""
    paths = list(PHOTOGRAPHS)
    for photograph in PHOTOGRAPHS:
        with Image.open(photograph) as image:
            image.draft("RGB", (2000, 2000))
            image = image.convert("RGB")
        for name, (ending, width, options) in VERSIONS.items():
            # An odd part, so that no two versions have the same blocks.
            box = (7, 3, image.size[0] - width % 19, image.size[1] - width % 13)
            height = width * (box[3] - box[1]) // (box[2] - box[0])
            path = directory / f"{photograph.stem}-{name}.{ending}"
            image.resize((width, height), Image.Resampling.BILINEAR, box).save(path, **options)
            paths.append(path)
    return paths


def test_simple_is_the_mean_of_two_hundred_photographs(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    if len(PHOTOGRAPHS) < 12:
        pytest.skip("the photographs of lomiri-wallpapers-16.04 are not installed")
    paths = photographs(directory)
    assert len(paths) >= 200
    # Builds for development are many times slower.
    daemon = make_daemon(arguments=["--deadline", "120"]).start()
    formats = daemon.status()["formats"]
    with daemon.connect(timeout=240) as connection:
        # No more than the daemon takes at once, so that both it and we have something to do.
        for path in paths[:AHEAD]:
            connection.send(path=str(path))
        for index, path in enumerate(paths):
            if index + AHEAD < len(paths):
                connection.send(path=str(paths[index + AHEAD]))
            expected, _ = mean(path)
            reply = connection.receive()
            if path.suffix == ".webp" and "webp" not in formats:
                assert reply["error"]["code"] == "unsupported_format"
                continue
            answer = reply["result"]
            check_simple(answer["average"]["simple"], expected)
            assert answer["image"]["complete"] is True
            wcag.check_area(answer)


@pytest.mark.parametrize(
    ("name", "format_", "options"),
    [
        ("x.png", "png", {}),
        ("x.jpg", "jpeg", {"quality": 90}),
        ("progressive.jpg", "jpeg", {"quality": 90, "progressive": True}),
        ("x.gif", "gif", {}),
        ("x.webp", "webp", {"quality": 90}),
        ("lossless.webp", "webp", {"lossless": True}),
        ("x.tif", "tiff", {}),
        ("lzw.tif", "tiff", {"compression": "tiff_lzw"}),
        ("x.bmp", "bmp", {}),
        ("x.ico", "ico", {"sizes": [(64, 64)], "bitmap_format": "bmp"}),
        ("x.ppm", "pnm", {}),
    ],
)
def test_formats_agree(
    shared: Daemon, directory: Path, name: str, format_: str, options: dict[str, object]
) -> None:
    if format_ not in shared.status()["formats"]:
        pytest.skip(f"the loader of {format_} is not installed")
    # Smooth, so that lossy formats keep it, and different in each corner.
    ramp = np.linspace(20, 230, 64)
    picture = np.zeros((64, 64, 3))
    picture[..., 0] = ramp
    picture[..., 1] = ramp[::-1, np.newaxis]
    picture[..., 2] = 90
    path = directory / name
    Image.fromarray(picture.astype(np.uint8)).save(path, **options)
    corner = {"corner": {"x": 0, "y": 0, "width": 0.25, "height": 0.25}}
    answer = shared.color(path, regions=corner)
    assert answer["image"]["format"] == format_
    assert (answer["image"]["width"], answer["image"]["height"]) == (64, 64)
    # GIF has 256 colours only.
    tolerance = 6 if format_ == "gif" else 2
    check_simple(answer["average"]["simple"], picture.mean(axis=(0, 1)), tolerance)
    expected = picture[:16, :16].mean(axis=(0, 1))
    check_simple(answer["regions"]["corner"]["average"]["simple"], expected, tolerance)


@pytest.mark.parametrize(
    ("encoder", "ending", "format_"), [("avifenc", "avif", "avif"), ("heif-enc", "heic", "heic")]
)
def test_newer_formats(
    shared: Daemon, draw: Callable[..., Path], encoder: str, ending: str, format_: str
) -> None:
    if format_ not in shared.status()["formats"]:
        pytest.skip(f"the loader of {format_} is not installed")
    if not shutil.which(encoder):
        pytest.skip(f"{encoder} is not installed")
    source = draw("source.png", size=(64, 48), color=(200, 100, 40))
    path = source.with_suffix(f".{ending}")
    order = [str(source), str(path)] if encoder == "avifenc" else [str(source), "-o", str(path)]
    subprocess.run([encoder, *order], check=True, capture_output=True, timeout=60)
    answer = shared.color(path)
    assert answer["image"]["format"] == format_
    assert (answer["image"]["width"], answer["image"]["height"]) == (64, 48)
    check_simple(answer["average"]["simple"], np.array([200.0, 100.0, 40.0]), 3)


def test_svg_text_is_not_lost(shared: Daemon, directory: Path) -> None:
    if "svg" not in shared.status()["formats"]:
        pytest.skip("the SVG loader is not installed")
    path = directory / "text.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">'
        '<rect width="100" height="100" fill="#ffffff"/>'
        '<text x="0" y="90" font-size="100" fill="#000000">MM</text></svg>'
    )
    fonts = subprocess.run(["fc-list"], capture_output=True, text=True, check=False).stdout
    if not fonts:
        pytest.skip("there are no fonts")
    assert shared.color(path)["luminance"]["min"] < 0.05


@pytest.mark.parametrize("sampling", ["auto", "exact"])
def test_transparency_by_its_weight(shared: Daemon, directory: Path, sampling: str) -> None:
    random = np.random.default_rng(2)
    values = random.integers(0, 256, (97, 61, 4), dtype=np.uint8)
    values[random.random((97, 61)) < 0.3, 3] = 0
    path = directory / "x.png"
    Image.fromarray(values).save(path)
    color, opacity = mean(path)
    answer = shared.color(path, sampling=sampling)
    check_simple(answer["average"]["simple"], color)
    assert answer["opacity"] == pytest.approx(opacity, abs=1e-4)


def test_invisible_pixels_never_count(shared: Daemon, directory: Path) -> None:
    answers = set()
    for hidden in [(0, 0, 0), (255, 255, 255), (255, 0, 255)]:
        values = np.zeros((32, 32, 4), dtype=np.uint8)
        values[..., :3] = hidden
        values[:16] = (30, 90, 200, 255)
        path = directory / "x.png"
        Image.fromarray(values).save(path)
        answer = shared.color(path)
        assert set(answer["average"].values()) == {"#1e5ac8"}
        answers.add(str(answer))
    assert len(answers) == 1


def test_a_wholly_transparent_picture_has_no_colour(
    shared: Daemon, draw: Callable[..., Path]
) -> None:
    answer = shared.color(draw("x.png", color=(1, 2, 3, 0)))
    image, opacity = answer.pop("image"), answer.pop("opacity")
    assert image["complete"] is True
    assert opacity == 0
    assert set(answer.values()) == {None}


def worst_contrast(image: npt.NDArray[np.uint8], text: wcag.RGB) -> float:
    """Returns the lowest contrast ratio of a text colour with any pixel."""
    colors = np.unique(image.reshape(-1, 3), axis=0)
    return min(wcag.contrast(text, (int(r), int(g), int(b))) for r, g, b in colors)


def smallest_scrim(image: npt.NDArray[np.uint8], text: wcag.RGB, target: float) -> int:
    """Returns the first step with which every pixel's composite reaches the target."""
    scrim = 255 - text[0]
    colors = [tuple(map(int, color)) for color in np.unique(image.reshape(-1, 3), axis=0)]
    for step in range(256):
        composites = {wcag.composite((r, g, b), scrim, step) for r, g, b in colors}
        if all(wcag.contrast(text, color) >= target for color in composites):
            return step
    return 255


@pytest.mark.parametrize("target", [3, 4.5, 7])
@pytest.mark.parametrize("kind", ["dark", "light", "blue", "mixed"])
def test_over_the_picture_by_brute_force(
    shared: Daemon, directory: Path, kind: str, target: float
) -> None:
    random = np.random.default_rng(3)
    low, high = {"dark": (0, 90), "light": (150, 256)}.get(kind, (0, 256))
    image = random.integers(low, high, (12, 12, 3), dtype=np.uint8)
    if kind == "blue":
        # The darkest pixel is not the one that needs the most white.
        image[..., :2] = 0
        image[0, 0] = (0x4C, 0x4C, 0x4C)
    path = directory / "x.png"
    Image.fromarray(image).save(path)
    answer = shared.color(path, contrast=target)
    wcag.check_area(answer, target)
    over = answer["overImage"]
    lowest = {text: worst_contrast(image, wcag.parse(text)) for text in ["#000000", "#ffffff"]}
    assert over["color"] == max(lowest, key=lambda text: lowest[text])
    assert wcag.truncated(lowest[over["color"]], over["contrast"])
    assert over["meets"] == (lowest[over["color"]] >= target)
    text = wcag.parse(over["color"])
    assert round(over["scrim"]["opacity"] * 255) == smallest_scrim(image, text, target)
    reaching = [
        wcag.contrast(text, (int(r), int(g), int(b))) >= target for r, g, b in image.reshape(-1, 3)
    ]
    assert over["coverage"] == pytest.approx(sum(reaching) / len(reaching), abs=0.005)


def test_a_backdrop_is_what_transparent_parts_lie_on(
    shared: Daemon, draw: Callable[..., Path]
) -> None:
    path = draw("x.png", color=(0, 0, 0, 128))
    on_white = shared.color(path, backdrop="#ffffff")["overImage"]
    on_black = shared.color(path, backdrop="#000000")["overImage"]
    unknown = shared.color(path)["overImage"]
    grey = wcag.composite((255, 255, 255), 0, 128)
    expected = {wcag.contrast(text, grey) for text in [wcag.BLACK, wcag.WHITE]}
    assert wcag.truncated(max(expected), on_white["contrast"])
    assert on_black == {
        "color": "#ffffff",
        "contrast": 21,
        "coverage": 1,
        "meets": True,
        "scrim": {"color": "#000000", "opacity": 0},
    }
    # Without one, white text must fear white behind it.
    assert unknown["color"] == "#ffffff"
    assert wcag.truncated(wcag.contrast(wcag.WHITE, grey), unknown["contrast"])


def test_a_region_is_its_crop(shared: Daemon, directory: Path) -> None:
    random = np.random.default_rng(4)
    image = random.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    Image.fromarray(image).save(directory / "whole.png")
    # Columns 10 to 34 and rows 4 to 23.
    area = {"x": 0.2, "y": 0.1, "width": 0.5, "height": 0.5}
    Image.fromarray(image[4:24, 10:35]).save(directory / "crop.png")
    for sampling in ["auto", "exact"]:
        whole = shared.color(directory / "whole.png", sampling=sampling, regions={"r": area})
        crop = shared.color(directory / "crop.png", sampling=sampling)
        del crop["image"]
        assert whole["regions"]["r"] == crop


def test_the_answer_of_a_cut_picture_is_of_what_there_is(shared: Daemon, directory: Path) -> None:
    # White above, black below: with a filler the mean would be grey, or darker.
    image = np.full((400, 300, 3), 255, dtype=np.uint8)
    image[200:] = 0
    stream = io.BytesIO()
    random = np.random.default_rng(5)
    image[:200] -= random.integers(0, 20, (200, 300, 3), dtype=np.uint8)
    Image.fromarray(image).save(stream, "JPEG", quality=95)
    data = stream.getvalue()
    path = directory / "x.jpg"
    path.write_bytes(data[: len(data) // 2])
    reply = shared.ask(path=str(path))
    if "error" in reply:
        assert reply["error"]["code"] == "decode_failed"
        return
    assert reply["result"]["image"]["complete"] is False
    assert wcag.parse(reply["result"]["average"]["simple"])[0] > 225
