"""The whole clients on the protocol's page: each prints the colours, or says what is wrong."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT, Daemon
from EndToEndTests.harness import programs
from PIL import Image

PAGE = (ROOT / "protocol/README.md").read_text().partition("## A whole client\n")[2]
PROGRAMS = {
    language: re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for language in ("bash", "python", "c")
}


@pytest.fixture(scope="module", params=PROGRAMS)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs one of the clients."""
    (program,) = PROGRAMS[request.param]
    assert program.count("\n") <= 20
    source = tmp_path_factory.mktemp("client") / f"client.{request.param}"
    source.write_text(program)
    if request.param == "bash":
        return ["bash", "-euo", "pipefail", str(source)]
    if request.param == "python":
        return [sys.executable, str(source)]
    built = source.with_suffix("")
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, str(source), "-o", str(built), "-ljansson"], check=True)
    return [str(built)]


def run(
    client: list[str], daemon: Daemon, picture: pathlib.Path
) -> subprocess.CompletedProcess[str]:
    """Runs a client about a picture."""
    variables = {"PATH": os.environ["PATH"], "UNDERTONE_SOCKET": str(daemon.socket)}
    return programs.run([*client, str(picture)], variables)


@pytest.mark.parametrize("name", ["red.png", 'odd "name"\\ é.png'])
def test_it_prints_the_colors(
    client: list[str], daemon: Daemon, tmp_path: pathlib.Path, name: str
) -> None:
    Image.new("RGB", (4, 4), "#c81414").save(tmp_path / name)
    done = run(client, daemon, tmp_path / name)
    assert (done.stdout, done.stderr, done.returncode) == ("#c81414\n#ffffff\n", "", 0)


def test_it_says_what_is_wrong(client: list[str], daemon: Daemon, tmp_path: pathlib.Path) -> None:
    done = run(client, daemon, tmp_path / "missing.png")
    assert done.returncode != 0
    assert done.stdout == ""
    assert "No such file" in done.stderr
    assert done.stderr.endswith("\n")


def test_it_says_that_it_is_told_no_picture(client: list[str], daemon: Daemon) -> None:
    variables = {"PATH": os.environ["PATH"], "UNDERTONE_SOCKET": str(daemon.socket)}
    done = programs.run(client, variables)
    assert done.returncode != 0
    assert done.stdout == ""
    assert re.search("usage: client FILE|which picture", done.stderr)


def test_it_says_that_nothing_is_seen(
    client: list[str], daemon: Daemon, tmp_path: pathlib.Path
) -> None:
    Image.new("RGBA", (4, 4), "#00000000").save(tmp_path / "clear.png")
    done = run(client, daemon, tmp_path / "clear.png")
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr == "nothing to be seen\n"
