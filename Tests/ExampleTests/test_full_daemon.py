"""What the client says where a daemon has no room for it, or sends what is no answer."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator

import pytest
from conftest import BIN, Daemon, environment, wait_for

FULL = "there are 256 connections already"
REPLY = f'{{"id":null,"error":{{"code":"busy","message":"{FULL}"}}}}\n'
NAMED = REPLY.replace("{", '{"path":"/x.png",', 1)


@pytest.fixture(scope="module")
def variables() -> Iterator[dict[str, str]]:
    """The environment of a daemon all of whose connections are held open."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="ut-"))
    variables = environment(directory)
    daemon = Daemon(directory, subprocess.Popen([BIN / "undertoned"], env=variables))
    wait_for(daemon)
    with contextlib.ExitStack() as stack:
        reply = b""
        # Whoever is told so was the first one too many.
        while not reply:
            held = stack.enter_context(socket.socket(socket.AF_UNIX))
            held.connect(str(daemon.socket))
            last = stack.enter_context(socket.socket(socket.AF_UNIX))
            last.connect(str(daemon.socket))
            last.sendall(b'{"op":"status"}\n')
            line = last.makefile("rb").readline()
            reply = line if line == REPLY.encode() else b""
        yield variables
    daemon.process.terminate()
    assert daemon.process.wait(timeout=60) == 0
    shutil.rmtree(directory)


@pytest.mark.parametrize(
    ("arguments", "code", "shown", "complaint"),
    [
        (["-"], 2, "", FULL),
        (["theme", "-"], 2, "", FULL),
        (["/x.png"], 1, NAMED, None),
        (["watch", "/x.png"], 1, NAMED, None),
        (["send"], 1, REPLY, None),
        (["status"], 2, "", FULL),
        (["cache"], 2, "", FULL),
        (["transition", "#000000", "#ffffff"], 1, REPLY, None),
    ],
)
def test_says_that_the_daemon_is_full(
    variables: dict[str, str],
    arguments: list[str],
    code: int,
    shown: str,
    complaint: str | None,
) -> None:
    reader, writer = os.pipe()
    # Nothing comes from there, and it does not end.
    with os.fdopen(reader) as silence, os.fdopen(writer, "w"):
        done = subprocess.run(
            [BIN / "undertone", *arguments],
            env=variables,
            stdin=silence,
            capture_output=True,
            text=True,
            check=False,
        )
    complaints = "" if complaint is None else f"undertone: {complaint}\n"
    assert (done.returncode, done.stdout, done.stderr) == (code, shown, complaints)


def test_the_doctor_says_so_too(variables: dict[str, str]) -> None:
    done = subprocess.run(
        [BIN / "undertone", "doctor"], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"FAULT  daemon   {FULL}\n" in done.stdout


@pytest.mark.parametrize("program", ["undertone", "undertoned", "undertone-decoder"])
@pytest.mark.parametrize("option", [b"--cou\x1b]0;x\x07", b"--deadline=\x1b[31m1", b"--\xc2\x9b2J"])
def test_an_option_does_nothing_to_the_terminal(program: str, option: bytes) -> None:
    done = subprocess.run([BIN / program, option], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.isprintable() or done.stderr.replace("\n", "").isprintable()
    assert "option" in done.stderr or "deadline" in done.stderr
