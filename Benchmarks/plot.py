#!/usr/bin/env python3
"""Draws the figures of the latest run, and puts them into the README's table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
# Text stays text, and equal figures make equal files.
mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "undertone", "font.size": 9})

import decoding  # noqa: E402
from matplotlib import pyplot as plt  # noqa: E402 # Looks at the backend as it is imported.

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / ".build" / "bench" / "results.json"
PICTURE = HERE.parent / "docs" / "bench.svg"
README = HERE.parent / "README.md"
WORDS = "Bars for five pictures and a library: what Undertone, C programs and other tools take"
KEY = (
    "Paler are C programs that do nothing else, as a floor; bars with … behind them are longer "
    "than there is room for."
)
# Between these lines stand the table and the drawing.
BEGIN, END = "<!-- Benchmarks/plot.py writes this -->\n", "<!-- until here -->\n"
OURS, OTHERS, FLOORS = "#1f6f8b", "#b9b4aa", "#dcd8cf"
# In the tables only.
HIDDEN = {"its decoding alone", "one core"}


def shade(tool: str) -> str:
    if tool == "Undertone":
        return OURS
    return FLOORS if tool.endswith(" in C") else OTHERS


def draw(results: dict[str, Any], target: Path) -> None:
    """Draws a panel of bars for each picture, and one for the library."""
    panels = {**results["single"], **results["library"]}
    figure, axes = plt.subplots(2, 3, figsize=(10, 6.4), layout="constrained")
    for axis, (name, times) in zip(axes.flat, panels.items(), strict=True):
        shown = {tool: time for tool, time in times.items() if tool not in HIDDEN}
        order = sorted(shown, key=shown.__getitem__, reverse=True)
        # What is far slower than ours would leave no room for the rest.
        limit = 4 * shown["Undertone"]
        lengths = [min(shown[tool], limit) for tool in order]
        bars = axis.barh(order, lengths, color=[shade(tool) for tool in order])
        axis.bar_label(bars, [text(shown[tool], limit) for tool in order], padding=3)
        axis.set_title(name, loc="left", fontweight="bold")
        axis.set_xlim(0, 1.35 * limit)
        axis.spines[["top", "right", "bottom"]].set_visible(False)
        axis.tick_params(left=False, bottom=False, labelbottom=False)
    figure.savefig(target, metadata={"Date": None})


def text(milliseconds: float, limit: float) -> str:
    figure = f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"
    return figure + " …" * (milliseconds > limit)


def write_table(results: dict[str, Any]) -> None:
    """Puts a table with all figures where the README has the last one."""
    before, rest = README.read_text().split(BEGIN)
    after = rest.split(END)[1]
    table = decoding.table({**results["single"], **results["library"]})
    said = f"Medians of {results['runs']} runs on two cores."
    README.write_text(
        f"{before}{BEGIN}{said}\n\n{table}\n\n![{WORDS}](docs/bench.svg)\n\n{KEY}\n{END}{after}"
    )


def main() -> int:
    results = json.loads(RESULTS.read_text())
    draw(results, PICTURE)
    write_table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
