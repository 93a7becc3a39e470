"""The operations about a picture, and what must be true of each one's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from EndToEndTests.harness import wcag

if TYPE_CHECKING:
    from pathlib import Path

    from EndToEndTests.harness.connection import Json, Reply

# Those about pictures; `watch` takes any of them.
OPERATIONS = ["color", "palette", "indicator", "transition", "theme"]
# How far a channel may be from the one that was drawn, where the format loses something.
TOLERANCE = 4

TARGET = "#1e90ff"
FRAMES = 7


def request(operation: str, path: Path) -> dict[str, Json]:
    """Returns the question that the soak asks of a picture by one operation."""
    picture: dict[str, Json] = {"path": str(path)}
    match operation:
        case "color":
            return picture
        case "palette":
            return {"op": operation, **picture, "count": 5}
        case "indicator":
            return {"op": operation, **picture, "glyph": picture}
        case "transition":
            return {"op": operation, "from": picture, "to": TARGET, "frames": FRAMES}
        case _:
            return {"op": operation, **picture}


def distance(sent: str, drawn: wcag.RGB) -> int:
    """Returns how far the most different channels of two colours are apart."""
    return max(abs(one - other) for one, other in zip(wcag.parse(sent), drawn, strict=True))


def check(operation: str, result: Reply, color: wcag.RGB, flat: bool) -> None:
    """Fails unless a whole picture's answer follows from the mean colour that was drawn.

    In a picture that is not flat, nothing but the mean is known.
    """
    match operation:
        case "color":
            assert distance(result["background"], color) <= TOLERANCE
            wcag.check_area(result)
        case "palette":
            shares = [round(1_000_000 * entry["share"]) for entry in result["colors"]]
            assert sum(shares) == 1_000_000
            assert shares == sorted(shares, reverse=True)
            for entry in result["colors"]:
                wcag.check_text(entry["foreground"], entry["color"], 4.5)
            assert not flat or distance(result["colors"][0]["color"], color) <= TOLERANCE
        case "indicator":
            assert distance(result["base"], color) <= TOLERANCE
            material = result["material"]
            layer, step = wcag.parse(material["color"])[0], round(255 * material["opacity"])
            covered = wcag.composite(wcag.parse(result["base"]), layer, step)
            assert covered == wcag.parse(result["background"])
            texts = [(result["labels"], "active", 7.0), (result["labels"], "others", 4.5)]
            texts += [(result["dots"], "current", 4.5), (result["dots"], "others", 3.0)]
            for group, name, ratio in texts:
                wcag.check_text(group[name], result["background"], ratio)
                assert group[name]["meets"]
        case "transition":
            assert distance(result["from"]["color"], color) <= TOLERANCE
            check_frames(result, result["from"]["color"], TARGET)
        case "theme":
            assert result["foreground"] == result["colors"]["color15"]
            for number in range(1, 16):
                text = wcag.parse(result["colors"][f"color{number}"])
                ratio = wcag.contrast(text, wcag.parse(result["background"]))
                assert ratio >= {8: 3, 15: 7}.get(number, 4.5)


def check_frames(result: Reply, first: str, last: str) -> None:
    """Fails unless a transition leads from one colour to another, and is legible all the way."""
    assert result["from"]["color"] == first
    assert result["to"]["color"] == last
    frames = result["frames"]
    assert len(frames) == FRAMES
    assert frames[0]["background"] == first
    assert frames[-1]["background"] == last
    for frame in frames:
        wcag.check_text(frame["foreground"], frame["background"], 4.5)
        assert frame["foreground"]["contrast"] >= 4.58
    assert result["lowest"] == min(frame["foreground"]["contrast"] for frame in frames)
