"""The client and the daemon in the sessions that there are: cron's, a terminal's, a sandbox's."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .harness import mounts, processes, programs
from .harness.connection import wait_until
from .harness.daemon import BIN, Daemon

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .harness.connection import Json

RED = Path(__file__).parent / "cases/49-ipc-framing/red.png"
UNDERTONE = str(BIN.absolute() / "undertone")
# As cron has it: no session, no terminal, and next to nothing on PATH.
CRON = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "LOGNAME": "nobody"}

needs_root = pytest.mark.skipif(not mounts.allowed(), reason="only root may mount")


def run(
    command: Sequence[str | Path], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a session of its own, without a terminal."""
    return programs.run(command, environment, cwd=Path("/"), start_new_session=True)


def result(done: subprocess.CompletedProcess[str]) -> Json:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


@contextlib.contextmanager
def ended(process: int) -> Iterator[None]:
    """Ends a daemon that a client has started."""
    try:
        yield
    finally:
        os.kill(process, signal.SIGTERM)
        wait_until(lambda: processes.state(process) in {None, "Z"}, what="the daemon ends")


def test_cron_without_a_place_says_so(directory: Path) -> None:
    if Path(f"/run/user/{os.getuid()}").exists():
        pytest.skip("there is a place")
    done = run([UNDERTONE, "status"], {**CRON, "HOME": str(directory)})
    assert (done.returncode, done.stdout) == (2, "")
    assert "XDG_RUNTIME_DIR is not set" in done.stderr
    assert "UNDERTONE_SOCKET" in done.stderr


@needs_root
def test_cron_finds_the_users_place(directory: Path) -> None:
    environment = {**CRON, "HOME": str(directory), "PICTURE": str(RED)}
    place = f"/run/user/{os.getuid()}"
    # Twice: the first starts the daemon, the second finds it.
    script = f"""
        mkdir -p /run/user && mount -t tmpfs tmpfs /run/user && mkdir -m 700 {place}
        {UNDERTONE} status && {UNDERTONE} --json "$PICTURE" && {UNDERTONE} status
    """
    done = run(["unshare", "--mount", "sh", "-euc", script], environment)
    assert done.returncode == 0, done.stderr
    first, answer, second = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    with ended(first["pid"]):
        assert answer["background"] == "#c81414"
        assert first["pid"] == second["pid"]


def test_a_daemon_outlives_the_terminal_that_it_was_started_from(directory: Path) -> None:
    environment = {**CRON, "HOME": str(directory), "XDG_RUNTIME_DIR": str(directory)}
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(UNDERTONE, [UNDERTONE, "status", "--json"], environment)
    said = b""
    with contextlib.suppress(OSError):
        while b"\n" not in said:
            said += os.read(terminal, 1 << 16)
    os.waitpid(pid, 0)
    # As ssh and tmux do: the terminal hangs up on everybody in its session.
    os.close(terminal)
    time.sleep(0.2)
    daemon = json.loads(said)["result"]["pid"]
    with ended(daemon):
        again = result(run([UNDERTONE, "status", "--no-start"], environment))
        assert again["pid"] == daemon
        assert os.getsid(daemon) == daemon


def runtimes() -> list[Path]:
    """Where the libraries are that a build for development takes from its toolchain."""
    told = subprocess.run(["ldd", UNDERTONE], check=True, capture_output=True, text=True).stdout
    folders = {Path(path).parent for path in re.findall(r"=> (/\S+)", told)}
    return sorted(folder for folder in folders if folder.parts[1] not in {"usr", "lib", "lib64"})


class Sandbox:
    """A root in which nothing of the user's can be seen but the socket's directory."""

    def __init__(self, root: Path, runtime: Path) -> None:
        self.root = root
        self.place = runtime / "undertone"
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/bin", "XDG_RUNTIME_DIR": str(runtime)}
        root.mkdir()

    def run(self, *command: str, isolation: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Runs a command in it."""
        shared = [*map(Path, ["/usr", "/lib", "/lib64", "/bin"]), *runtimes()]
        shared += [BIN.absolute(), self.place]
        script = "".join(
            f'mkdir -p "{self.root}{place}"; mount --rbind "{place}" "{self.root}{place}"\n'
            for place in shared
            if place.exists()
        )
        script += f'mkdir -p "{self.root}/run" "{self.root}/tmp"; exec chroot "{self.root}" "$@"'
        return run(
            ["unshare", *isolation, "--mount", "sh", "-euc", script, "sh", *command],
            self.environment,
        )


@pytest.fixture
def sandbox(directory: Path) -> Iterator[Sandbox]:
    """A sandbox beside a session whose runtime directory is `directory`."""
    (directory / "undertone").mkdir(mode=0o700)
    yield Sandbox(directory / "root", directory)


@pytest.fixture
def outside(sandbox: Sandbox) -> Iterator[Daemon]:
    """The user's daemon, outside of the sandbox."""
    home = sandbox.place.parent / "home"
    home.mkdir()
    daemon = Daemon(home, environment={"XDG_RUNTIME_DIR": str(sandbox.place.parent)})
    daemon.socket = sandbox.place / "undertone.sock"
    daemon.start()
    yield daemon
    daemon.stop()


@needs_root
def test_a_sandbox_reaches_the_users_daemon(sandbox: Sandbox, outside: Daemon) -> None:
    assert result(sandbox.run(UNDERTONE, "status"))["pid"] == outside.pid
    # It sees no picture of the user's, and need not: the daemon opens it.
    assert sandbox.run("test", "-e", str(RED)).returncode != 0
    assert result(sandbox.run(UNDERTONE, "--json", str(RED)))["background"] == "#c81414"


@needs_root
@pytest.mark.parametrize("isolation", [[], ["--pid", "--fork"], ["--net"], ["--ipc"]])
def test_a_daemon_in_a_sandbox_does_not_steal_the_socket(
    sandbox: Sandbox, outside: Daemon, isolation: list[str]
) -> None:
    place = sandbox.place / "undertone.sock"
    before = place.stat().st_ino
    program = str(BIN.absolute() / "undertoned")
    done = sandbox.run(program, "--socket", str(place), isolation=isolation)
    assert done.returncode == 1, done.stderr
    assert "already running" in done.stderr
    assert place.stat().st_ino == before
    assert outside.color(RED)["background"] == "#c81414"


@needs_root
def test_no_daemon_is_started_in_a_flatpak(sandbox: Sandbox) -> None:
    (sandbox.root / ".flatpak-info").write_text("[Application]\nname=org.example.Viewer\n")
    done = sandbox.run(UNDERTONE, "status")
    assert (done.returncode, done.stdout) == (2, "")
    assert "inside a Flatpak sandbox: start it outside" in done.stderr
    assert list(sandbox.place.iterdir()) == []


def test_no_daemon_is_started_in_a_snap(directory: Path) -> None:
    environment = {**CRON, "XDG_RUNTIME_DIR": str(directory), "SNAP": "/snap/a/1", "SNAP_NAME": "a"}
    done = run([UNDERTONE, "status"], environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "inside a snap: start it outside" in done.stderr
    assert list(directory.iterdir()) == []
