"""Whoever listens in the daemon's place may say anything, for which the client has one error."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest
from conftest import ROOT, environment
from EndToEndTests.harness import programs
from EndToEndTests.harness.lying import BUSY, MALFORMED, Liar
from PIL import Image
from undertone import Undertone, UndertoneError, UndertoneRefusedError

COLORS_OF_NO_TYPE = (
    '{"id":%d,"result":{"image":{"width":1,"height":1,"format":"png","orientation":1,'
    '"profile":"none","complete":true,"sampling":"auto"},"opacity":1,"average":null,'
    '"background":5,"scheme":null,"foreground":null,"secondary":null,"luminance":null,'
    '"overImage":null}}'
)
TINT = ROOT / "examples/python/tint.py"
FOLDER_COLORS = ROOT / "examples/thumbnails/folder-colors"


@pytest.fixture
def place() -> Iterator[pathlib.Path]:
    """Where a daemon could listen, with a short path."""
    with tempfile.TemporaryDirectory(prefix="ut-") as directory:
        yield pathlib.Path(directory) / "socket"


@pytest.fixture
def pictures(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with three pictures."""
    for name in ("a.png", "b.png", "c.png"):
        Image.new("RGB", (1, 1), "red").save(tmp_path / name)
    return tmp_path


def run(
    place: pathlib.Path, *command: str | pathlib.Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs a program, which asks whoever listens at the place."""
    return programs.run(command, {**environment(place.parent), **variables})


@pytest.mark.parametrize("line", [*MALFORMED.values(), COLORS_OF_NO_TYPE])
def test_what_is_no_reply_is_one_error(place: pathlib.Path, line: str) -> None:
    """By each way to ask."""
    with Liar(place, line), Undertone(place) as undertone:
        with pytest.raises(UndertoneError) as caught:
            undertone.color("/a.png")
        assert caught.value.code == "malformed_reply"
        assert len(str(caught.value)) < 200
        with pytest.raises(UndertoneError, match="malformed_reply"):
            undertone.theme("/a.png")
        answers = undertone.colors(["/a.png", "/b.png"])
        if "%d" in line:
            for _, answer in answers:
                assert isinstance(answer, UndertoneError)
                assert answer.code == "malformed_reply"
        else:
            with pytest.raises(UndertoneRefusedError, match="malformed_reply"):
                list(answers)


# An event of another name is what a newer daemon may tell.
@pytest.mark.parametrize("line", [line for line in MALFORMED.values() if "event" not in line])
def test_what_is_no_event_ends_a_watch(place: pathlib.Path, line: str) -> None:
    """With the same error, and nothing comes after it."""
    with Liar(place, line), Undertone(place) as undertone:
        with (
            undertone.watch("/a.png") as watch,
            pytest.raises(UndertoneError, match="malformed_reply"),
        ):
            next(watch)
        assert list(watch) == []


def test_a_line_that_is_too_long_is_one_question_s(place: pathlib.Path) -> None:
    """The daemon cannot tell its `id`, but answers in order."""
    error = '{"id":null,"error":{"code":"request_too_large","message":"it is too large"}}'
    with Liar(place, error), Undertone(place) as undertone:
        answers = list(undertone.colors(["/a.png", "/b.png"]))
    assert [path for path, _ in answers] == ["/a.png", "/b.png"]
    assert all(
        isinstance(answer, UndertoneError) and answer.code == "request_too_large"
        for _, answer in answers
    )


@pytest.mark.parametrize("line", [*MALFORMED.values(), BUSY])
@pytest.mark.parametrize("program", [TINT, FOLDER_COLORS])
def test_programs_say_it_in_a_line(
    place: pathlib.Path, pictures: pathlib.Path, program: pathlib.Path, line: str
) -> None:
    """Of the whole, or of each picture; nothing is printed that only looks like an answer."""
    with Liar(place, line):
        done = run(place, sys.executable, program, pictures)
    code = "busy" if line == BUSY else "malformed_reply"
    if "%d" in line:
        assert done.returncode == 1
        told = done.stderr if program == TINT else done.stdout
        assert [code in said for said in told.splitlines()[-3:]] == [True] * 3
        assert "Traceback" not in done.stderr
    else:
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        assert f"{program.name}: " in done.stderr
        assert code in done.stderr


def test_tint_prints_whole_rules_only(place: pathlib.Path, pictures: pathlib.Path) -> None:
    """Nothing at all where the daemon ends in the middle."""
    answer = COLORS_OF_NO_TYPE.replace('"background":5', '"background":null')
    with Liar(place, answer, replies=1):
        done = run(place, sys.executable, TINT, pictures)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tint.py: undertoned cannot be asked: undertoned closed the connection\n"
    )


@pytest.mark.parametrize("program", [TINT, FOLDER_COLORS])
def test_programs_end_quietly_when_interrupted(
    place: pathlib.Path, pictures: pathlib.Path, program: pathlib.Path
) -> None:
    """By Ctrl-C, while they wait."""
    with Liar(place, None) as liar:
        waiting = subprocess.Popen(
            [sys.executable, program, pictures],
            env=environment(place.parent),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert liar.is_asked.wait(60)
        waiting.send_signal(signal.SIGINT)
        assert waiting.communicate() == (b"", b"")
    assert waiting.returncode == 128 + signal.SIGINT


@pytest.mark.parametrize("program", [TINT, FOLDER_COLORS])
def test_programs_name_an_output_that_is_full(
    place: pathlib.Path, pictures: pathlib.Path, program: pathlib.Path
) -> None:
    """In one line."""
    answer = COLORS_OF_NO_TYPE.replace('"background":5', '"background":null')
    with Liar(place, answer):
        done = run(place, "sh", "-c", f"'{sys.executable}' '{program}' '{pictures}' >/dev/full")
    assert done.returncode == 2
    assert done.stderr == f"{program.name}: standard output: No space left on device\n"


def test_folder_colors_takes_any_locale(place: pathlib.Path, pictures: pathlib.Path) -> None:
    """Also one that is not installed."""
    answer = COLORS_OF_NO_TYPE.replace('"background":5', '"background":null')
    with Liar(place, answer):
        done = run(place, sys.executable, FOLDER_COLORS, pictures, LC_ALL="xx_YY.UTF-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 3
