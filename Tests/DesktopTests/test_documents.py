"""What the documents tell to type: each command in them is run, here or where this file says."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from .desktop import ROOT, Desktop, require

BLOCK = re.compile(r"^```(?:sh|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The documents whose commands other tests run, and the tests that do.
ELSEWHERE = {
    "README.md": "Tests/ExampleTests/test_readme.py",
    "protocol/README.md": "Tests/EndToEndTests/test_transcripts.py",
    "examples/viewers/README.md": "Tests/DesktopTests/test_viewers.py",
    **{
        f"examples/viewers/{viewer}/README.md": f"Tests/DesktopTests/test_viewers_{viewer}.py"
        for viewer in ("eog", "feh", "imv", "mpv", "nsxiv")
    },
}
# Those whose commands build, test and measure: that each is one is all that is tested.
BUILDING = {"CONTRIBUTING.md", "Benchmarks/README.md"}
HERE = {
    "examples/carousel/README.md",
    "examples/thumbnails/README.md",
    "examples/wallpaper/README.md",
}


def commands(document: str) -> list[list[str]]:
    """The lines of each block of a document, without their comments."""
    blocks = BLOCK.findall((ROOT / document).read_text())
    lines = ([line for line in block.splitlines() if line.strip()] for block in blocks)
    return [block for block in lines if block]


def test_every_document_with_commands_is_known() -> None:
    known = {*ELSEWHERE, *BUILDING, *HERE}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md"], cwd=ROOT, check=True, capture_output=True
    )
    documents = [name for name in listed.stdout.decode().split("\0") if name]
    assert {name for name in documents if commands(name)} == known
    for test in ELSEWHERE.values():
        assert (ROOT / test).exists()


@pytest.mark.parametrize("document", sorted(BUILDING))
def test_commands_that_build_exist(document: str) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for line in itertools.chain.from_iterable(commands(document)):
        program, *arguments = shlex.split(line, comments=True)
        if program == "make":
            assert arguments[0] in targets, line
        else:
            assert (ROOT / program).is_file(), line


@pytest.fixture
def place(desktop: Desktop) -> Path:
    """A folder to type in: the repository's examples, and a picture; more of them at home."""
    place = desktop.home / "undertone"
    for folder in [place, *(desktop.home / name for name in ["Pictures", ".local/bin"])]:
        folder.mkdir(parents=True)
    (desktop.home / ".local/share/applications").mkdir(parents=True)
    (place / "examples").symlink_to(ROOT / "examples")
    Image.new("RGB", (60, 40), "#2a6a52").save(place / "beach.jpg")
    for number in range(4):
        name = "beach.jpg" if number == 0 else f"{number}.jpg"
        Image.new("RGB", (60, 40), (40 * number, 80, 90)).save(desktop.home / "Pictures" / name)
    (desktop.home / "leaf.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 8 8 0"/></svg>'
    )
    (desktop.home / ".fehbg").write_text(
        f"#!/bin/sh\nfeh --no-fehbg --bg-max '{desktop.home}/Pictures/2.jpg'\n"
    )
    (desktop.home / ".fehbg").chmod(0o755)
    desktop.environment["PATH"] = f"{desktop.home}/.local/bin:{desktop.environment['PATH']}"
    return place


def type_in(desktop: Desktop, place: Path, line: str) -> None:
    """Runs a line; a program that goes on until it is ended is ended, and must have gone on."""
    if line.startswith("sudo apt install "):
        # They are here, where the example works.
        subprocess.run(["dpkg", "--status", *line.split()[3:]], capture_output=True, check=True)
        return
    goes_on = line.endswith("&") or line.startswith("undertone-carousel")
    line = line.removesuffix("&")
    done = subprocess.run(
        ["timeout", "4" if goes_on else "60", "sh", "-euc", line],
        cwd=place,
        env=desktop.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    # 124: it had to be ended.
    assert done.returncode == (124 if goes_on else 0), (line, done.stderr)


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize("document", sorted(HERE))
def test_commands_work_as_they_are_written(desktop: Desktop, place: Path, document: str) -> None:
    require("feh", "gio", "gsettings")
    # A hook's text is shown as a file: it is for the user's own session.
    blocks = [block for block in commands(document) if not block[0].startswith(("read ", "if "))]
    texts = [text for text in BLOCK.findall((ROOT / document).read_text()) if text.startswith("#!")]
    lines = [line for block in blocks for line in block if not any(line in text for text in texts)]
    # One that is told twice is typed once: there is nothing left to undo the second time.
    lines = list(dict.fromkeys(line.split("#")[0].rstrip() for line in lines))
    assert len(lines) >= 3
    # What takes an example away again comes last.
    lines.sort(key=lambda line: line.startswith(("rm ", "thunar-tiles --remove")))
    for line in lines:
        type_in(desktop, place, line)
