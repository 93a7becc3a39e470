"""The wallpaper example: full disks, readers that have gone, damaged files and hooks that hang."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from EndToEndTests.harness.lying import BUSY, Liar

from .desktop import Daemon, Desktop, wait_until
from .test_wallpaper import FILES, written
from .wallpapers import NOWHERE, ORANGE, SCRIPT, draw, theme, try_theme

from wallpaper import files, running  # isort: skip (it is found by the line before)

DAMAGED = [
    "{",
    "null",
    "5",
    "[1]",
    '"x"',
    '[{"a":1}]',
    '[{"/a":[null]}]',
    '[{"/a":[null,5]}]',
    '[{"a":[null,null]}]',
    '[{"/a\\u0000":[null,null]}]',
    '[{"/a":[null,"\\ud800"]}]',
    "[" * 100_000,
]


def make_hook(desktop: Desktop, lines: str) -> Path:
    """Makes a hook of some lines."""
    hook = desktop.home / "a hook"
    hook.write_text(f"#!/bin/sh\n{lines}\n")
    hook.chmod(0o755)
    return hook


@contextmanager
def held(place: Path) -> Iterator[int]:
    """A FIFO that tells by its end that nobody holds it any more."""
    os.mkfifo(place)
    reading = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    yield reading
    os.close(reading)


def is_let_go(reading: int) -> bool:
    """Whether all who held a FIFO have ended."""
    with contextlib.suppress(BlockingIOError):
        while os.read(reading, 4096):
            pass
        return True
    return False


@contextmanager
def unread() -> Iterator[int]:
    """A pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@contextmanager
def full() -> Iterator[int]:
    """A full disk."""
    number = os.open("/dev/full", os.O_WRONLY)
    yield number
    os.close(number)


FULL = "theme-from-wallpaper: standard output: No space left on device\n"


@pytest.mark.parametrize(("end", "status", "complaint"), [(unread, 141, ""), (full, 2, FULL)])
@pytest.mark.usefixtures("daemon")
def test_does_all_though_nobody_reads(
    desktop: Desktop,
    green: Path,
    end: Callable[[], contextlib.AbstractContextManager[int]],
    status: int,
    complaint: str,
) -> None:
    """Terminals and the hook get the theme, and undo it, whatever becomes of the names."""
    hook = make_hook(desktop, 'echo "$UNDERTONE_SCHEME" >>"$HOME/told"')
    terminal = desktop.home / "terminal"
    terminal.touch()
    with end() as output:
        options = (SCRIPT, "--tty", terminal, "--hook", hook)
        ways: list[list[str]] = [[str(green)], ["--undo"], ["--dry-run", str(green)]]
        for way in ways:
            assert desktop.spawn(*options, *way, stdout=output).wait() == status
    assert (desktop.home / "told").read_text() == "dark\n\n"
    # The sequences that bring a terminal's own colors back.
    assert terminal.read_text().startswith("\x1b]104")
    assert written(desktop) == []
    assert desktop.log(SCRIPT) == 3 * complaint
    closed = desktop.try_run("sh", "-c", f"'{SCRIPT}' --tty '{terminal}' '{green}' >&-")
    assert (closed.returncode, closed.stderr) == (0, "")


@pytest.mark.usefixtures("daemon")
def test_names_of_any_bytes_are_printed(desktop: Desktop, green: Path) -> None:
    """Where Python is strict about what it prints, as in a locale of a language."""
    desktop.environment["XDG_CONFIG_HOME"] = os.fsdecode(bytes(desktop.home) + b"/c\xff\n\x1b")
    desktop.environment["PYTHONIOENCODING"] = "utf-8:strict"
    hook = make_hook(desktop, 'touch "$HOME/told"')
    printed = theme(desktop, "--only", "kitty", "--hook", hook, green)
    assert printed == f"{desktop.home}/c\\xff\\n\\x1b/kitty/undertone.conf\n"
    assert (desktop.home / "told").exists()
    assert "\\xff\\n\\x1b/kitty" in theme(desktop, "--dry-run", draw(green, ORANGE))


@pytest.mark.usefixtures("daemon")
def test_says_though_nobody_listens(desktop: Desktop, green: Path) -> None:
    """A complaint that cannot be said is in the way of nothing."""
    theme(desktop, "--only", "kitty,foot", green)
    (desktop.home / ".config/kitty/undertone.conf").write_text("# mine\n")
    hook = make_hook(desktop, 'touch "$HOME/told"')
    undo = f"'{SCRIPT}' --tty /dev/null --undo --hook '{hook}' 2>/dev/full"
    assert desktop.try_run("sh", "-c", undo).returncode == 0
    assert (desktop.home / "told").exists()


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_history_is_none(tmp_path: Path, text: str) -> None:
    """It is in the way of no theme, and nothing of it is undone."""
    kept, themed = tmp_path / "history.json", tmp_path / "themed"
    kept.write_text(text)
    history = files.History(kept)
    assert history.undo() == ({}, [])
    kept.write_text(text)
    assert history.apply({themed: "new"}) == {themed}
    assert json.loads(kept.read_text()) == [{str(themed): [None, "new"]}]
    assert history.undo() == ({themed: None}, [])


@pytest.mark.usefixtures("daemon")
def test_what_there_is_no_room_for_is_named(desktop: Desktop, green: Path) -> None:
    """Though the system does not name it; what was there stays, and nothing else is left."""
    kitty = desktop.home / ".config/kitty/undertone.conf"
    kitty.parent.mkdir(parents=True)
    kitty.write_text("# mine\n")
    # No file may have any bytes, as on a full disk.
    limited = f"ulimit -f 0; '{SCRIPT}' --tty /dev/null --only kitty '{green}'"
    done = desktop.try_run("sh", "-c", limited)
    history = desktop.home / ".local/state/undertone/wallpaper.json"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"theme-from-wallpaper: [Errno 27] File too large: '{history}'\n"
    assert [entry.name for entry in history.parent.iterdir()] == ["wallpaper.lock"]
    assert kitty.read_text() == "# mine\n"


@pytest.mark.usefixtures("daemon")
def test_places_that_cannot_be_used_are_named(desktop: Desktop, green: Path) -> None:
    """A folder in a file's place, a file in a folder's, and no home."""
    kitty = desktop.home / ".config/kitty/undertone.conf"
    kitty.mkdir(parents=True)
    done = try_theme(desktop, "--only", "kitty", green)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"theme-from-wallpaper: [Errno 21] Is a directory: '{kitty}'\n"
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        variables = {**desktop.environment, variable: f"{green}/in it"}
        done = desktop.try_run("env", *(f"{k}={v}" for k, v in variables.items()), SCRIPT, green)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert f"Not a directory: '{green}" in done.stderr
    done = desktop.try_run(SCRIPT, green, HOME="~", XDG_STATE_HOME="")
    assert done.returncode == 2
    assert "HOME does not name one\n" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("line", [BUSY, "hello", '{"id":%d,"result":{}}'])
def test_follows_on_where_there_is_no_answer(desktop: Desktop, green: Path, line: str) -> None:
    """As where there is no daemon: once there is one everything has its colors."""
    directory = desktop.runtime / "undertone"
    directory.mkdir(mode=0o700)
    place = directory / "undertone.sock"
    with Liar(place, line):
        once = try_theme(desktop, green)
        refused = "%d" not in line
        assert once.returncode == (2 if refused else 1)
        assert len(once.stderr.splitlines()) == 1
        assert ("undertoned cannot be asked: " in once.stderr) == refused
        program = desktop.spawn(SCRIPT, *NOWHERE, "--follow", green, PATH="/usr/bin:/bin")
        wait_until(lambda: once.stderr in desktop.log(SCRIPT), what="it complains")
    place.unlink()
    daemon = Daemon(directory, environment=desktop.environment).start()
    wait_until(lambda: written(desktop) == FILES, what="the files are written")
    assert program.poll() is None
    assert "Traceback" not in desktop.log(SCRIPT)
    desktop.close(sparing={"undertoned", "undertone-decod"})
    daemon.stop()


def test_a_hook_that_hangs_ends_with_all_it_waits_for(desktop: Desktop) -> None:
    """And is named as people do."""
    hook = make_hook(desktop, 'exec 9>"$HOME/held"; sleep 1000 & wait')
    with held(desktop.home / "held") as reading:
        with pytest.raises(running.FailedError) as caught:
            running.run([bytes(hook)], {"HOME": str(desktop.home)}, seconds=1.4)
        wait_until(lambda: is_let_go(reading), what="what it has started has ended")
    assert str(caught.value) == f"{hook} has not ended after 1 s"
    with pytest.raises(running.FailedError) as caught:
        running.run([b"/nowhere/a\xff"])
    assert str(caught.value) == "/nowhere/a\\xff: No such file or directory"
    with pytest.raises(running.FailedError, match="^/bin/false has ended with status 1$"):
        running.run([b"/bin/false"])
    with pytest.raises(running.FailedError, match="has been ended by signal 9$"):
        running.run([bytes(make_hook(desktop, "kill -9 $$"))])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.usefixtures("daemon")
def test_a_hook_ends_with_the_program(
    desktop: Desktop, green: Path, number: signal.Signals
) -> None:
    """It is not told of Ctrl-C itself."""
    hook = make_hook(desktop, 'exec 9>"$HOME/held"; echo >&9; sleep 1000 & wait')
    with held(desktop.home / "held") as reading:
        program = desktop.spawn(SCRIPT, *NOWHERE, "--hook", hook, green)
        wait_until(lambda: not is_let_go(reading), what="the hook runs")
        program.send_signal(number)
        assert program.wait() == 128 + number
        wait_until(lambda: is_let_go(reading), what="what it has started has ended")
    assert desktop.log(SCRIPT) == ""


def test_a_hook_may_leave_programs_behind(desktop: Desktop) -> None:
    """What goes on when it has ended is wanted, such as a bar."""
    hook = make_hook(desktop, 'exec 9>"$HOME/held"; sleep 1000 & echo $! >"$HOME/pid"')
    with held(desktop.home / "held") as reading:
        running.run([bytes(hook)], {"HOME": str(desktop.home)})
        assert not is_let_go(reading)
        os.kill(int((desktop.home / "pid").read_text()), signal.SIGKILL)
