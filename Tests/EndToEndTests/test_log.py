"""What the daemon tells of itself, and how."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .harness.connection import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from .harness.daemon import Daemon
    from .harness.held import Held

CASES = Path(__file__).parent / "cases"


def journal(daemon: Daemon) -> dict[str, str]:
    """What systemd says of a log that is the journal's."""
    found = daemon.log.stat()
    return {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}


def kill_decoder(daemon: Daemon) -> None:
    os.kill(daemon.zygote(), signal.SIGKILL)


def test_lines_for_people(daemon: Daemon) -> None:
    kill_decoder(daemon)
    expected = "undertoned: warning: the raster decoder ended unexpectedly\n"
    wait_until(lambda: daemon.log.read_text() == expected, what=expected)


def test_lines_for_the_journal_have_their_priority(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=["--log-level", "debug"])
    daemon.log.touch()
    daemon.environment |= journal(daemon)
    daemon.start()
    kill_decoder(daemon)
    wait_until(lambda: "unexpectedly" in daemon.log.read_text(), what="the log tells")
    lines = daemon.log.read_text().splitlines()
    assert all(re.fullmatch("<[0-7]>[^<].*", line) for line in lines), lines
    assert "<4>the raster decoder ended unexpectedly" in lines
    assert any(line.startswith("<7>started the raster decoder") for line in lines)


def test_another_stream_is_not_the_journal(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    daemon.environment["JOURNAL_STREAM"] = "1:1"
    daemon.start()
    kill_decoder(daemon)
    wait_until(lambda: "undertoned: warning: " in daemon.log.read_text(), what="the log tells")


@pytest.mark.parametrize(
    ("level", "told"), [("error", False), ("warning", True), ("info", True), ("debug", True)]
)
def test_levels(make_daemon: Callable[..., Daemon], level: str, told: bool) -> None:
    daemon = make_daemon(arguments=["--log-level", level]).start()
    kill_decoder(daemon)
    wait_until(lambda: daemon.counters()["zygoteRestarts"] == 1, what="it runs again")
    assert ("unexpectedly" in daemon.log.read_text()) == told


def test_names_of_pictures_are_not_told(
    make_daemon: Callable[..., Daemon], directory: Path, hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--log-level", "info", "--deadline", "60"]).start()
    # What is told of a picture at all: that it made its decoder crash.
    held = hold("secret-crash.png")
    with daemon.connect() as connection:
        connection.send(path=str(held.path))
        wait_until(lambda: daemon.decoders() != [])
        os.kill(daemon.decoders()[0], signal.SIGSEGV)
        assert connection.receive()["error"]["code"] == "decoder_crashed"
    held.release()
    wait_until(lambda: "signal 11" in daemon.log.read_text(), what="the log tells")
    for number, case in enumerate(sorted(CASES.rglob("*.*"))):
        secret = directory / f"secret-{number}{case.suffix}"
        secret.write_bytes(case.read_bytes())
        for sampling in ["auto", "thumbnail"]:
            daemon.ask(path=str(secret), sampling=sampling)
    daemon.ask(path=str(directory / "secret-missing.png"))
    assert "secret" not in daemon.log.read_text()
