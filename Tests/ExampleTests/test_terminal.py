"""What the command-line client shows on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from typing import Any

import pytest
from conftest import BIN, HOSTILE_NAMES, Daemon, color_of, environment

ESCAPE = b"\x1b"


class Terminal:
    """A program whose controlling terminal the test holds the other end of."""

    def __init__(
        self,
        daemon: Daemon,
        *arguments: str | bytes,
        cwd: bytes | None = None,
        pipe_output: bool = False,
        **variables: str,
    ) -> None:
        self.master, slave = pty.openpty()
        defaults = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.process = subprocess.Popen(
            # Whoever runs the tests in the background may have had the signal ignored.
            [
                *["env", "--default-signal=INT", "setsid", "--ctty", "--wait"],
                *[BIN / "undertone", *arguments],
            ],
            stdin=slave,
            stdout=subprocess.PIPE if pipe_output else slave,
            stderr=slave,
            cwd=cwd,
            env={**environment(daemon.directory), **defaults, **variables},
        )
        os.close(slave)

    def read_until_end(self) -> bytes:
        """Everything that appears on the terminal, with the program's own line ends."""
        shown = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if not select.select([self.master], [], [], 1)[0]:
                continue
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # EIO: nobody has the other end open any more.
                break
            if not piece:
                break
            shown += piece
        os.close(self.master)
        return shown.replace(b"\r\n", b"\n")

    def run(self) -> tuple[int, bytes]:
        """The exit status and everything that appeared."""
        shown = self.read_until_end()
        return self.process.wait(timeout=60), shown


def test_swatches_in_true_color(daemon: Daemon, folder: bytes) -> None:
    """Each picture's text stands on its colour, and no name does anything to the terminal."""
    status, shown = Terminal(daemon, "--", *HOSTILE_NAMES, cwd=folder).run()
    assert status == 0
    for index in range(len(HOSTILE_NAMES)):
        red, green, blue = color_of(index)
        assert b"\x1b[48;2;%d;%d;%dm" % (red, green, blue) in shown
        assert b"#%02x%02x%02x" % (red, green, blue) in shown
    assert b"Primary text" in shown
    assert "é ü 中 😀.png".encode() in shown
    assert rb"invalid \xff\xfe utf-8.png" in shown
    assert rb"line\x0abreak.png" in shown
    # Nothing but the client's own colours: no name's, no cursor movement.
    plain = re.sub(rb"\x1b\[(0|1|[34]8;2(;\d{1,3}){3})m", b"", shown)
    assert ESCAPE not in plain
    assert re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", plain) is None
    # Every line ends as it began.
    for line in shown.splitlines():
        assert ESCAPE not in line or line.rindex(b"\x1b[0m") == line.rindex(ESCAPE)


@pytest.mark.parametrize("command", ["palette", "indicator", "theme"])
def test_swatches_of_other_operations(daemon: Daemon, folder: bytes, command: str) -> None:
    """In the same way: text on colours, and names that do nothing to the terminal."""
    options = ["--glyph", "plain.png"] if command == "indicator" else []
    status, shown = Terminal(daemon, command, *options, "--", *HOSTILE_NAMES, cwd=folder).run()
    assert status == 0
    if command == "palette":
        for index in range(len(HOSTILE_NAMES)):
            pattern = rb"\x1b\[48;2;%d;%d;%dm\x1b\[38;2;(255;255;255|0;0;0)m  #%02x%02x%02x"
            assert re.search(pattern % (color_of(index) * 2), shown)
    assert rb"line\x0abreak.png" in shown
    plain = re.sub(rb"\x1b\[(0|1|[34]8;2(;\d{1,3}){3})m", b"", shown)
    assert ESCAPE not in plain
    assert max(len(line) for line in plain.decode().splitlines()) <= 80
    # Every line ends as it began.
    for line in shown.splitlines():
        assert ESCAPE not in line or line.rindex(b"\x1b[0m") == line.rindex(ESCAPE)


def test_transition_on_a_terminal(daemon: Daemon, folder: bytes) -> None:
    """White letters on the dark frames, black ones on the light frames."""
    status, shown = Terminal(daemon, "transition", "#000000", "#ffffff").run()
    assert status == 0
    assert b"\x1b[48;2;0;0;0m\x1b[38;2;255;255;255m" in shown
    assert b"\x1b[48;2;255;255;255m\x1b[38;2;0;0;0m" in shown
    name = HOSTILE_NAMES[10]
    status, shown = Terminal(
        daemon, "transition", name, b"absent\x1b[2J", cwd=folder, NO_COLOR="1"
    ).run()
    assert status == 1
    assert shown.startswith(rb"undertone: \x1b[31mred\x1b[0m.png ")
    assert ESCAPE not in shown


def test_256_colors_where_there_are_no_more(daemon: Daemon, folder: bytes) -> None:
    """A terminal that does not say truecolor gets what every one with colours has."""
    _, shown = Terminal(daemon, "plain.png", cwd=folder, COLORTERM="").run()
    assert b"\x1b[48;5;" in shown
    assert b";2;" not in shown


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colors_where_none_are_wanted(
    daemon: Daemon, folder: bytes, variables: dict[str, Any]
) -> None:
    """The same figures, and no escape sequence."""
    status, shown = Terminal(daemon, "plain.png", cwd=folder, **variables).run()
    assert status == 0
    assert ESCAPE not in shown
    assert shown.startswith(b"plain.png\n8 \xc3\x97 8 png, dark, #286ae6\ntext #ffffff ")


def test_color_never_and_json(daemon: Daemon, folder: bytes) -> None:
    """Options have the last word."""
    _, shown = Terminal(daemon, "--color=never", "plain.png", cwd=folder).run()
    assert ESCAPE not in shown
    _, shown = Terminal(daemon, "--json", "plain.png", cwd=folder).run()
    assert json.loads(shown)["path"] == "plain.png"


def test_regions_and_oddities(daemon: Daemon, folder: bytes) -> None:
    """Regions have rows of their own; what is too low says so."""
    status, shown = Terminal(
        daemon, "-c", "21", "-r", "bar=bottom:0.2", "plain.png", cwd=folder, NO_COLOR="1"
    ).run()
    assert status == 0
    assert b"(too low)" in shown
    assert b"\nbar: #286ae6, text #ffffff " in shown


def test_errors_stand_between_pictures(daemon: Daemon, folder: bytes) -> None:
    """In order, with the name, and with exit status 1."""
    status, shown = Terminal(
        daemon, "plain.png", "absent\x1b[2J", "two words.png", cwd=folder, NO_COLOR="1"
    ).run()
    assert status == 1
    lines = shown.splitlines()
    error = next(index for index, line in enumerate(lines) if line.startswith(b"undertone: "))
    assert lines[error].startswith(rb"undertone: absent\x1b[2J: ")
    assert lines.index(b"plain.png") < error < lines.index(b"two words.png")


def test_status_for_people(daemon: Daemon) -> None:
    """Words instead of JSON."""
    status, shown = Terminal(daemon, "status").run()
    assert status == 0
    assert re.search(rb"^protocol +1$", shown, re.MULTILINE)
    assert re.search(rb"^  cache hits +\d+$", shown, re.MULTILINE)
    assert b"{" not in shown


def test_progress_of_many_pictures(daemon: Daemon, folder: bytes) -> None:
    """On standard error where that is a terminal, and gone at the end."""
    terminal = Terminal(daemon, *["plain.png"] * 300, cwd=folder, pipe_output=True)
    assert terminal.process.stdout
    lines = terminal.process.stdout.read().splitlines()
    status, shown = terminal.run()
    assert status == 0
    assert len(lines) == 300
    assert re.match(rb"\r\x1b\[K\d+ of 300 pictures", shown)
    assert shown.endswith(b"\r\x1b[K")


def test_no_progress_of_few_pictures(daemon: Daemon, folder: bytes) -> None:
    """Three pictures are done before anybody can read."""
    terminal = Terminal(daemon, *["plain.png"] * 3, cwd=folder, pipe_output=True)
    assert terminal.process.stdout
    assert terminal.process.stdout.read().count(b"\n") == 3
    assert terminal.run() == (0, b"")


def test_interrupt_ends_it_at_once(daemon: Daemon) -> None:
    """Control-C ends a client that waits, without a word."""
    terminal = Terminal(daemon, "-")
    os.write(terminal.master, b"absent\n")
    shown = b""
    while b"undertone: absent" not in shown:
        shown += os.read(terminal.master, 4096)
    os.write(terminal.master, b"\x03")
    rest = terminal.read_until_end()
    assert terminal.process.wait(timeout=60) in {-signal.SIGINT, 128 + signal.SIGINT}
    assert rest.strip() in {b"", b"^C"}
