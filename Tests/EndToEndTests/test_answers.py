"""What is promised of palettes, strips and transitions, verified on what is sent."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import generated, oklab, wcag
from .harness.generated import PICTURES, save
from .harness.schema import check_reply

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from .harness.daemon import Daemon

    Pixels = npt.NDArray[np.int64]


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
                wcag.check_text(entry["foreground"], entry["color"], 7)
                # One of few colours, or the mean of some that are alike.
                distances = np.linalg.norm(
                    oklab.oklab(own) - oklab.oklab([wcag.parse(entry["color"])]), axis=1
                )
                # A matrix product may differ in its last bit from one with other rows.
                assert distances.min() <= (1e-12 if len(own) <= 64 else 0.05)
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
        wcag.check_text(drawn, result["background"], 3)
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
                wcag.check_text(frame["foreground"], frame["background"], 4.5)
                wcag.check_text(frame["secondary"], frame["background"], 4.5)
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
