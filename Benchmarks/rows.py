"""The rows that Undertone is held to: each with its limit, which thresholds.json has."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

LIMITS: dict[str, dict[str, float]] = json.loads(
    Path(__file__).with_name("thresholds.json").read_text()
)


@dataclasses.dataclass(frozen=True)
class Row:
    """One row: what was measured, how it was found, and whether it is within its limit."""

    name: str
    figure: str
    limit: str
    held: bool


class Report:
    """The rows of one run, in their order; each is printed as it comes."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(self, name: str, figure: str, limit: str, held: bool) -> bool:
        """Adds a row whose limit was judged already."""
        self.rows.append(Row(name, figure, limit, held))
        mark = "ok  " if held else "OVER"
        print(f"{mark}  {name:<58} {figure:>30}   limit {limit}", flush=True)
        return held

    def judge(self, name: str, value: float, how: str = "") -> bool:
        """Adds a row with its limit from thresholds.json; `how` tells where the value is from."""
        limit = LIMITS[name]
        figure = f"{how} = {value:.2f}" if how else f"{value:.2f}"
        if "at_most" in limit:
            return self.add(name, figure, f"≤ {limit['at_most']:g}", value <= limit["at_most"])
        return self.add(name, figure, f"≥ {limit['at_least']:g}", value >= limit["at_least"])
