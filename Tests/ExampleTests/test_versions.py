"""One version everywhere: whoever reads it in one place has read it in all."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import tomllib

import pytest
from conftest import BIN, ROOT


def first(pattern: str, path: str) -> str:
    """What the first match of a pattern in a file names."""
    found = re.search(pattern, (ROOT / path).read_text(), re.MULTILINE)
    assert found, path
    return found[1]


VERSION = first(r'current = "(.+)"', "Sources/UndertoneProtocol/Version.swift")


@pytest.mark.parametrize("program", ["undertone", "undertoned", "undertone-decoder"])
def test_programs(program: str) -> None:
    done = subprocess.run([BIN / program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"{program} {VERSION}\n"


def test_packages() -> None:
    assert first(r"^undertone \((.+)\)", "packaging/debian/changelog") == VERSION
    python = tomllib.loads((ROOT / "examples/python/pyproject.toml").read_text())
    assert python["project"]["version"] == VERSION


def test_pip_installs_the_module(tmp_path: pathlib.Path) -> None:
    """As its README says; from a copy, for pip builds beside the source."""
    source = shutil.copytree(ROOT / "examples/python", tmp_path / "source")
    offline = ["--no-build-isolation", "--no-index", "--target", str(tmp_path / "installed")]
    command = ["/usr/bin/python3", "-m", "pip", "install", "--quiet", *offline, str(source)]
    subprocess.run(command, capture_output=True, check=True)
    script = "import importlib.metadata, undertone; print(importlib.metadata.version('undertone'))"
    done = subprocess.run(
        ["/usr/bin/python3", "-c", script],
        env={"PYTHONPATH": str(tmp_path / "installed")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{VERSION}\n"
    assert (tmp_path / "installed/undertone/py.typed").exists()


def test_changelog() -> None:
    released = first(r"^## (\d.*)$", "CHANGELOG.md")
    assert released == VERSION


def test_the_first_number_is_the_protocol() -> None:
    protocol = first(r"protocolVersion = (\d+)", "Sources/UndertoneProtocol/Limits.swift")
    assert VERSION.split(".")[0] == protocol
