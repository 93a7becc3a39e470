"""Prints what a screen reader meets on the desktop, as JSON: role, name, description of each.

    accessible.py NAME

Waits at most a minute for something of that name.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import gi

gi.require_version("Atspi", "2.0")

from gi.repository import Atspi, GLib  # noqa: E402 (only now it is known which)


def below(accessible: Any) -> Iterator[dict[str, str]]:  # noqa: ANN401 (known to GLib alone)
    """Everything in it, from above."""
    yield {
        "role": accessible.get_role_name(),
        "name": accessible.get_name(),
        "description": accessible.get_description(),
    }
    for index in range(accessible.get_child_count()):
        if child := accessible.get_child_at_index(index):
            yield from below(child)


def main() -> None:
    """Looks again until it is there."""
    Atspi.init()
    deadline = time.monotonic() + 60
    found: list[dict[str, str]] = []
    while not any(one["name"] == sys.argv[1] for one in found) and time.monotonic() < deadline:
        time.sleep(0.2)
        try:
            found = list(below(Atspi.get_desktop(0)))
        except GLib.Error:
            continue  # It is changing.
    print(json.dumps(found))


if __name__ == "__main__":
    main()
