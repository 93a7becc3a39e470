"""Relative luminance and contrast by WCAG 2.x, written down a second time to compare with."""

from __future__ import annotations

from typing import Any

RGB = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)


def parse(color: str) -> RGB:
    """Reads `#rrggbb`."""
    assert len(color) == 7
    assert color[0] == "#"
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def decode(value: float) -> float:
    """Returns the linear light, 0…1, of an encoded sRGB value, 0…255."""
    value /= 255
    if value <= 0.04045:
        return value / 12.92
    return float(((value + 0.055) / 1.055) ** 2.4)


def luminance(color: RGB) -> float:
    """Returns a colour's relative luminance."""
    red, green, blue = (decode(channel) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """Returns the contrast ratio of two colours."""
    lighter, darker = sorted([luminance(one), luminance(other)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def composite(color: RGB, scrim: int, step: int) -> RGB:
    """Lays black (0) or white (255) of the opacity step/255 over a colour, in eight bits."""

    def channel(value: int) -> int:
        # To the nearest; 255 is odd, so there are no halves.
        return (value * (255 - step) + scrim * step + 127) // 255

    return channel(color[0]), channel(color[1]), channel(color[2])


def truncated(value: float, sent: float) -> bool:
    """Whether a number was cut to six significant digits, never rounded up."""
    return sent <= value + 1e-12 and value - sent < max(value, 1e-9) * 1.0001e-5


def check_text(text: dict[str, Any], background: str, target: float) -> None:
    """Fails unless a text's ratio is the one with its background."""
    ratio = contrast(parse(text["color"]), parse(background))
    assert truncated(ratio, text["contrast"])
    assert text["meets"] == (ratio >= target)


def check_area(area: dict[str, Any], target: float = 4.5) -> None:
    """Fails unless what an answer says of an area follows from its background."""
    background = parse(area["background"])
    black, white = contrast(BLACK, background), contrast(WHITE, background)
    foreground = area["foreground"]
    assert foreground["color"] == ("#ffffff" if white > black else "#000000")
    assert truncated(max(black, white), foreground["contrast"])
    assert foreground["contrast"] >= 4.58
    assert foreground["meets"] == (max(black, white) >= target)
    assert area["scheme"] == ("dark" if white > black else "light")
    secondary = area["secondary"]
    ratio = contrast(parse(secondary["color"]), background)
    assert truncated(ratio, secondary["contrast"])
    assert secondary["meets"] == (ratio >= target)
    assert secondary["meets"] == foreground["meets"]
    if not secondary["meets"]:
        assert secondary["color"] == foreground["color"]
    spread = area["luminance"]
    ranks = [spread[key] for key in ["min", "p05", "p50", "p95", "max"]]
    assert ranks == sorted(ranks)
    # Printed with six digits, the mean of equal pixels may lie a step beyond them.
    assert spread["min"] - 1e-6 <= spread["mean"] <= spread["max"] + 1e-6
    over = area["overImage"]
    assert over["meets"] == (over["coverage"] == 1)
    assert over["meets"] == (over["scrim"]["opacity"] == 0)
    assert over["scrim"]["color"] == ("#000000" if over["color"] == "#ffffff" else "#ffffff")
    # For 4.5 black text needs #757575 and white text #767676: on the worst of pixels, black and
    # white, that takes a scrim of 117 and of 137 steps.
    if target <= 4.5:
        most = 137 if over["scrim"]["color"] == "#000000" else 117
        assert round(over["scrim"]["opacity"] * 255) <= most
