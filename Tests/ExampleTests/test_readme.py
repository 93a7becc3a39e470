"""The README: what it tells to type works, and what it says is so."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import BIN, ROOT, environment
from PIL import Image

README = (ROOT / "README.md").read_text()
BLOCKS: list[tuple[str, str]] = re.findall(
    r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL
)
SHELL = [text for language, text in BLOCKS if language == "sh"]
# Those that build and test everything are proven by `make fresh-machine`, not from within a test.
BUILDING = re.compile(r"^(make|swift|bats|/usr/bin/python3 -m pytest)\b")


@pytest.fixture
def home() -> Iterator[pathlib.Path]:
    """A home with a picture and a built repository, in which no daemon runs yet."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="ut-"))
    (home / "Pictures").mkdir()
    Image.new("RGB", (40, 30), "#9ab3d0").save(home / "Pictures/beach.jpg", quality=95)
    (home / ".build").mkdir()
    (home / ".build/release").symlink_to(BIN)
    (home / "examples").symlink_to(ROOT / "examples")
    (home / "run").mkdir(mode=0o700)
    yield home
    process = daemon(home)
    if process is not None:
        os.kill(process, signal.SIGTERM)
    shutil.rmtree(home)


def daemon(home: pathlib.Path) -> int | None:
    """The process identifier of the daemon that takes connections, None where none does."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(home / "run/undertone/undertone.sock"))
        except (ConnectionRefusedError, FileNotFoundError):
            return None
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    process: int = struct.unpack("3i", peer)[0]
    return process


def wait_for_no_daemon(home: pathlib.Path) -> None:
    """Waits until the daemon has ended, and fails where it goes on."""
    for _ in range(1200):
        if daemon(home) is None:
            return
        time.sleep(0.05)
    pytest.fail("the daemon still takes connections")


def run(script: str, home: pathlib.Path) -> str:
    """What a script prints that is typed in the repository's folder."""
    variables = environment(home)
    del variables["UNDERTONE_SOCKET"]
    variables["PATH"] = os.environ["PATH"]
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        env={**variables, "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_asking(home: pathlib.Path) -> None:
    """All the commands that ask, one after the other as a reader types them."""
    asking = [text for text in SHELL if not BUILDING.match(text)]
    assert len(asking) == 8
    first, ending, pipes, hosts, operations, caching, socat, examples = asking
    status, picture = map(json.loads, run(first, home).splitlines())
    assert status["result"]["protocol"] == 1
    assert picture["path"] == str(home / "Pictures/beach.jpg")
    background = picture["result"]["background"]

    path = 'export PATH="$PWD/.build/release:$PATH"\n'
    assert daemon(home) == status["result"]["pid"]
    assert run(path + ending, home) == ""
    wait_for_no_daemon(home)

    pairs, foreground = run(path + pipes, home).splitlines()
    assert json.loads(pairs) == [str(home / "Pictures/beach.jpg"), background]
    assert foreground == "#000000"

    shutil.copy(home / "Pictures/beach.jpg", home / "Pictures/the other 'beach'.jpg")
    (home / "hosts").write_text(":\n")
    assert run(path + hosts, home) == ""
    found = [json.loads(line) for line in (home / "colors.jsonl").read_text().splitlines()]
    assert {answer["path"] for answer in found} == set(map(str, (home / "Pictures").iterdir()))
    assert {answer["result"]["background"] for answer in found} == {background}
    (home / "Pictures/the other 'beach'.jpg").unlink()

    assert run(path + operations, home) == background + "\n"
    transition = json.loads((home / "transition.json").read_text())
    assert transition["result"]["to"]["color"] == background
    assert "never below" in (home / "transition.svg").read_text()
    assert len(json.loads((home / "colors.json").read_text())["colors"]) == 16

    kept, emptied = (json.loads(line)["result"] for line in run(path + caching, home).splitlines())
    assert kept["memory"]["entries"] >= 1
    assert emptied["memory"]["entries"] == emptied["disk"]["entries"] == 0

    answer = json.loads(run(path + socat, home))
    assert answer == picture["result"]

    shell, *css = run(path + examples, home).splitlines()
    assert shell == f"{background}\t#000000\tbeach.jpg"
    assert f"  --beach-background: {background};" in css

    assert shape(answer) == shape(json.loads(next(text for lang, text in BLOCKS if lang == "json")))
    status_limits(status["result"]["limits"])


def shape(value: object) -> object:
    """A reply's members and the kinds of their values, in order."""
    if isinstance(value, dict):
        return [(name, shape(member)) for name, member in value.items()]
    return float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)


def status_limits(limits: dict[str, Any]) -> None:
    """The README's limits are the daemon's."""
    for text in [
        f"a request's line | {limits['lineBytes']} bytes",
        f"connections | {limits['connections']} |",
        f"nesting | {limits['nesting']} |",
        f"requests in flight, each connection | {limits['requestsInFlight']} |",
        f"a path | {limits['pathBytes']} bytes",
        f"a client that takes no replies | {limits['stalledClientSeconds']} s",
        f"regions | {limits['regions']} |",
        f"a picture's decoding | {limits['deadlineSeconds']} s",
        f"a file | {limits['fileBytes'] >> 30} GiB",
        f"pixels to be decoded | {limits['pixels'] // 1_000_000} million",
    ]:
        assert text in README


def test_building_commands_exist() -> None:
    """Targets are in the Makefile, and the two that a newcomer types are proven elsewhere."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"demo", "check", "deps", "lint"} <= named <= targets
    assert "make demo && make check" in (ROOT / "scripts/fresh-machine").read_text()
    for path in re.findall(r"\bTests/\w+", README):
        assert (ROOT / path).is_dir()


def test_links_lead_somewhere() -> None:
    """Files that the README points to are there."""
    targets = re.findall(r"\]\((?!https?:)([^)]+)\)", README)
    assert "protocol" in targets
    for target in targets:
        assert (ROOT / target).exists(), target


def test_pictures_are_drawings_of_little_size() -> None:
    """Those of the operations: an SVG that holds all it needs, with what it shows in words."""
    pictures = re.findall(r"!\[(.+)\]\((docs/\w+\.svg)\)", README)
    names = ["color", "palette", "indicator", "transition", "theme"]
    # `make bench` puts one more there.
    drawn = [path for _, path in pictures if path != "docs/bench.svg"]
    assert drawn == [f"docs/{name}.svg" for name in names]
    for text, path in pictures:
        assert len(text) > 40
        # What is drawn with matplotlib says everything at length.
        assert (ROOT / path).stat().st_size < (80_000 if "bench" in path else 20_000)
        for element in ET.parse(ROOT / path).iter():
            link = element.get("href", "data:image/jpeg;base64,")
            assert link.startswith("data:image/jpeg;base64,")


def test_every_package_has_its_reason() -> None:
    """The README's table and the list that `make deps` reads name the same packages."""
    lines = (ROOT / "scripts/packages.txt").read_text().splitlines()
    entries = [line.split() for line in lines if line and not line.startswith("#")]
    wanted = {names.split("|")[0] for group, names, *_ in entries if group != "docs"}
    table = README.split("## What it is built with")[1].split("## ")[0]
    named = set()
    for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        named |= set(re.findall(r"`([^`]+)`", row))
    assert named == wanted
