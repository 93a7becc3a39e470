"""The plugins that ask in a main loop go on, whatever somebody says in the daemon's place."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from EndToEndTests.harness.lying import BUSY, MALFORMED, Liar

from .desktop import ROOT

gi = pytest.importorskip("gi", reason="not installed: python3-gi")
EOG = ROOT / "examples/viewers/eog/undertone_colors/asking.py"
NAUTILUS = ROOT / "examples/thumbnails/undertone-average-color.py"

LINES = [
    *MALFORMED.values(),
    BUSY,
    '{"result":{"background":5,"foreground":{"color":5},"secondary":{"color":5}}}',
    '{"result":{"background":null,"foreground":null,"secondary":null}}',
]
ANSWER = (
    '{"result":{"background":"#102030","foreground":{"color":"#ffffff"},'
    '"secondary":{"color":"#eeeeee"}}}'
)


def load(path: Path) -> ModuleType:
    """Loads a plugin's module without the program that it is for."""
    name = f"{path.parent.name}_{path.stem}".replace("-", "_")
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the plugins look for the daemon."""
    with tempfile.TemporaryDirectory(prefix="ut-") as directory:
        place = Path(directory) / "socket"
        monkeypatch.setenv("UNDERTONE_SOCKET", str(place))
        yield place


def told(ask: Callable[[Callable[..., None]], object]) -> object:
    """Asks, and returns what is told in a main loop."""
    from gi.repository import GLib

    loop = GLib.MainLoop()
    answers: list[object] = []

    def then(*answer: object) -> None:
        answers.append(answer[0])
        loop.quit()

    patience = GLib.timeout_add_seconds(60, loop.quit)
    question = ask(then)
    loop.run()
    assert answers, f"{question} was never answered"
    GLib.source_remove(patience)
    return answers[0]


def test_eog_takes_what_is_no_answer(place: Path) -> None:
    """As no colors, and what is one as its colors."""
    question = load(EOG).Question

    def ask(then: Callable[..., None]) -> object:
        return question(["file:///a.png"], "normal", then)

    for line in LINES:
        with Liar(place, line):
            assert told(ask) is None, line
        place.unlink()
    with Liar(place, ANSWER):
        assert told(ask) == ("#102030", "#ffffff", "#eeeeee")


def test_nautilus_takes_what_is_no_answer(place: Path) -> None:
    """As an empty column, and what is one as its color."""
    try:
        gi.require_version("Nautilus", "4.0")
    except ValueError:
        pytest.skip("not installed: python3-nautilus")
    question = load(NAUTILUS).Question

    def ask(then: Callable[..., None]) -> object:
        return question(b"/a.png", then)

    for line in LINES:
        with Liar(place, line):
            assert told(ask) == "", line
        place.unlink()
    with Liar(place, ANSWER):
        assert told(ask) == "#102030"
