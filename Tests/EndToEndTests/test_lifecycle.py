"""How a daemon begins, who it lets live beside it, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .harness import processes
from .harness.connection import Connection, wait_until
from .harness.daemon import BIN, Daemon, free_socket, start_with_passed_socket

if TYPE_CHECKING:
    from collections.abc import Callable

    from .harness.held import Held

RED = Path(__file__).parent / "cases/49-ipc-framing/red.png"


def test_modes_of_the_socket_and_its_directory(directory: Path) -> None:
    # The directory is the daemon's to make where it chooses the place.
    daemon = Daemon(directory, environment={"XDG_RUNTIME_DIR": str(directory)})
    os.umask(0o000)
    try:
        process = subprocess.Popen([BIN / "undertoned"], env=daemon.environment)
    finally:
        os.umask(0o022)
    socket_path = directory / "undertone/undertone.sock"
    try:
        wait_until(socket_path.exists)
        assert stat.S_IMODE(socket_path.stat().st_mode) == 0o600
        assert stat.S_IMODE(socket_path.parent.stat().st_mode) == 0o700
        with Connection(socket_path) as connection:
            assert "result" in connection.ask(path=str(RED))
    finally:
        process.terminate()
    assert process.wait(60) == 0
    assert not socket_path.exists()


def test_the_places_of_the_socket_by_precedence(directory: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(directory)}
    by_runtime = directory / "undertone/undertone.sock"
    by_variable = directory / "variable.sock"
    by_option = directory / "option.sock"
    places: list[tuple[list[str], dict[str, str], Path]] = [
        ([], {}, by_runtime),
        ([], {"UNDERTONE_SOCKET": str(by_variable)}, by_variable),
        (
            ["--socket", str(by_option)],
            {"UNDERTONE_SOCKET": str(by_variable)},
            by_option,
        ),
    ]
    for arguments, more, expected in places:
        process = subprocess.Popen([BIN / "undertoned", *arguments], env={**environment, **more})
        try:
            wait_until(expected.exists)
            others = {by_runtime, by_variable, by_option} - {expected}
            assert not any(other.exists() for other in others)
        finally:
            process.terminate()
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    "place", ["/tmp/" + "x" * 103, "relative.sock", ""], ids=["too long", "relative", "empty"]
)
def test_a_socket_that_cannot_be_is_refused(directory: Path, place: str) -> None:
    run = subprocess.run(
        [BIN / "undertoned", "--socket", place],
        cwd=directory,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode in {1, 2}
    assert len(run.stderr.splitlines()) == 1
    assert list(directory.iterdir()) == []


def test_there_is_no_fallback_to_tmp(directory: Path) -> None:
    private = Path(f"/run/user/{os.geteuid()}")
    if private.is_dir() and stat.S_IMODE(private.stat().st_mode) == 0o700:
        pytest.skip("this user has a runtime directory")
    run = subprocess.run(
        [BIN / "undertoned"],
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(directory)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    assert "XDG_RUNTIME_DIR" in run.stderr


def test_a_second_daemon_gives_way(daemon: Daemon) -> None:
    second = daemon.spawn()
    assert second.wait(60) == 1
    assert daemon.color(RED)["background"] == "#c81414"


def test_a_stale_socket_is_replaced(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon().start()
    children = daemon.zygotes()
    daemon.kill()
    assert daemon.socket.exists()
    # Nobody is left behind.
    wait_until(lambda: all(processes.state(child) in {None, "Z"} for child in children))
    assert daemon.start().color(RED)["background"] == "#c81414"


def replace(path: Path) -> None:
    path.with_suffix(".new").write_text("precious")
    path.with_suffix(".new").rename(path)


@pytest.mark.parametrize(
    "remove",
    [Path.unlink, replace, lambda path: path.rename(path.with_suffix(".old"))],
    ids=["deleted", "replaced", "renamed"],
)
def test_a_daemon_whose_socket_is_gone_ends(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held], remove: Callable[[Path], None]
) -> None:
    daemon = make_daemon(arguments=["--deadline", "60"]).start()
    held = hold()
    with daemon.connect() as connection:
        connection.send(id=1, path=str(held.path))
        wait_until(lambda: daemon.counters()["decodersRunning"] == 1)
        remove(daemon.socket)
        held.release()
        # What was asked is answered.
        assert connection.receive()["result"]["image"]["format"] == "png"
    assert daemon.process is not None
    assert daemon.process.wait(60) == 0
    if remove is replace:
        assert daemon.socket.read_text() == "precious"
        daemon.socket.unlink()
    assert not daemon.socket.exists()


def test_a_new_daemon_need_not_wait_for_the_old_one_to_end(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--deadline", "60"]).start()
    held = hold()
    with daemon.connect() as connection:
        connection.send(id=1, path=str(held.path))
        wait_until(lambda: daemon.counters()["decodersRunning"] == 1)
        old = daemon.process
        assert old is not None
        old.terminate()
        wait_until(lambda: not daemon.socket.exists())
        assert daemon.start().color(RED)["background"] == "#c81414"
        held.release()
        assert "result" in connection.receive()
        assert old.wait(60) == 0
        # The old one has left the new one's socket alone.
        assert daemon.color(RED)["background"] == "#c81414"


def test_a_decoder_that_is_no_program_is_refused(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=["--decoder", "/no/such/program"])
    assert daemon.spawn().wait(60) == 1
    assert "--decoder" in daemon.log.read_text()
    assert not daemon.socket.exists()


def test_what_is_not_a_stale_socket_is_left_alone(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon()
    daemon.socket.write_text("precious")
    assert daemon.spawn().wait(60) == 1
    assert daemon.socket.read_text() == "precious"
    daemon.socket.unlink()
    # Somebody else's, who is alive.
    with free_socket(daemon.socket):
        assert daemon.spawn().wait(60) == 1
        assert daemon.socket.exists()
    daemon.socket.unlink()


def test_another_ones_socket_is_not_removed(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon().start()
    daemon.socket.unlink()
    with free_socket(daemon.socket):
        process, daemon.process = daemon.process, None
        assert process is not None
        process.terminate()
        assert process.wait(60) == 0
        assert daemon.socket.exists()
    daemon.socket.unlink()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_properly(make_daemon: Callable[..., Daemon], number: int) -> None:
    daemon = make_daemon().start()
    daemon.color(RED)
    children = daemon.zygotes()
    assert children
    process, daemon.process = daemon.process, None
    assert process is not None
    process.send_signal(number)
    assert process.wait(60) == 0
    assert not daemon.socket.exists()
    wait_until(lambda: all(processes.state(child) in {None, "Z"} for child in children))


def test_what_is_in_flight_is_answered_first(
    make_daemon: Callable[..., Daemon], slow: Path
) -> None:
    daemon = make_daemon().start()
    with daemon.connect() as connection, daemon.connect() as idle:
        idle.ask(op="status")
        idle.send_bytes(b'{"path"')
        for number in range(5):
            region = {"r": {"edge": "top", "size": (number + 1) / 10}}
            connection.send(id=number, path=str(slow), sampling="exact", regions=region)
        wait_until(lambda: daemon.decoders() != [])
        process, daemon.process = daemon.process, None
        assert process is not None
        process.send_signal(signal.SIGTERM)
        replies = connection.receive_all()
        # Half a line is no question, or an unfinished one.
        assert all(reply["id"] is None for reply in idle.receive_all())
    assert [reply["id"] for reply in replies] == list(range(5))
    for reply in replies:
        assert "result" in reply or reply["error"]["code"] == "shutting_down"
    assert "result" in replies[0]
    assert process.wait(60) == 0
    assert not daemon.socket.exists()


def test_ending_takes_no_longer_than_its_work(make_daemon: Callable[..., Daemon]) -> None:
    # What is asked may take longer than `stop` waits.
    daemon = make_daemon(arguments=["--deadline", "120"]).start()
    waiting = [daemon.connect() for _ in range(10)]
    for connection in waiting:
        connection.ask(op="status")
    # Connections that ask nothing hold up nobody.
    daemon.stop()
    for connection in waiting:
        assert connection.receive_all() == []
        connection.close()


def test_a_socket_that_is_passed(directory: Path) -> None:
    daemon = Daemon(directory)
    with free_socket(daemon.socket) as listener:
        process = start_with_passed_socket(daemon, listener, [])
        try:
            assert daemon.color(RED)["background"] == "#c81414"
            # The decoder must not inherit it.
            zygote = processes.children(process.pid)[0]
            links = [str(link.readlink()) for link in Path(f"/proc/{zygote}/fd").iterdir()]
            listening = os.fstat(listener.fileno()).st_ino
            assert f"socket:[{listening}]" not in links
            environment = Path(f"/proc/{zygote}/environ").read_bytes()
            assert b"LISTEN_FDS" not in environment
        finally:
            process.terminate()
        assert process.wait(60) == 0
        # It is the service manager's, so it stays.
        assert daemon.socket.exists()


def test_a_question_before_the_daemon_is_there_is_answered(directory: Path) -> None:
    daemon = Daemon(directory)
    with free_socket(daemon.socket) as listener:
        with daemon.connect() as connection:
            connection.send(id=1, path=str(RED))
            process = start_with_passed_socket(daemon, listener, [])
            assert connection.receive()["id"] == 1
        process.terminate()
        assert process.wait(60) == 0


def test_it_tells_the_service_manager(make_daemon: Callable[..., Daemon], directory: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(directory / "notify"))
        manager.settimeout(60)
        daemon = make_daemon(environment={"NOTIFY_SOCKET": str(directory / "notify")})
        daemon.process = daemon.spawn()
        assert "READY=1" in manager.recv(4096).decode().splitlines()
        # Ready means that it can be asked.
        assert daemon.color(RED)["background"] == "#c81414"
        zygote = daemon.zygote()
        assert b"NOTIFY_SOCKET" not in Path(f"/proc/{zygote}/environ").read_bytes()
        daemon.stop()
        assert "STOPPING=1" in manager.recv(4096).decode().splitlines()


def test_one_thread_and_the_cache_s_whatever_happens(daemon: Daemon, slow: Path) -> None:
    # The cache's begins with the first question about a picture.
    assert processes.threads(daemon.pid) == 1
    daemon.color(RED)
    connections = [daemon.connect() for _ in range(20)]
    for number, connection in enumerate(connections):
        region = {"r": {"edge": "top", "size": (number + 1) / 20}}
        connection.send(path=str(slow), sampling="exact", regions=region)
        connection.send(path=str(RED))
        connection.send(path="/missing")
    counts = set()
    while daemon.counters()["decodersRunning"]:
        counts.add(processes.threads(daemon.pid))
        assert {processes.threads(zygote) for zygote in daemon.zygotes()} == {1}
    for connection in connections:
        assert "result" in connection.receive()
        connection.close()
    counts.add(processes.threads(daemon.pid))
    assert counts == {processes.THREADS}


def test_programs_say_what_they_are() -> None:
    for name in ["undertoned", "undertone-decoder"]:
        for option, expected in [("--version", "1.0.0"), ("--help", "Usage")]:
            run = subprocess.run(
                [BIN / name, option], capture_output=True, text=True, timeout=60, check=True
            )
            assert expected in run.stdout
    run = subprocess.run(
        [BIN / "undertoned", "--no-such-option"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""


def test_the_locale_makes_no_difference(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(directory / "de_DE.UTF-8")],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("localedef has no de_DE: the package locales is missing")
    environment = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(directory)}
    # The detector detects: this locale has a comma.
    comma = subprocess.run(
        ["printf", "%.1f", "0"],
        env={**environment, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
        executable="/usr/bin/printf",
    )
    assert comma.stdout == b"0,0"
    line = b'{"path":"%s","contrast":4.25}\n' % os.fsencode(RED)
    answers = []
    for one in [make_daemon(), make_daemon(environment=environment)]:
        with one.start().connect() as connection:
            connection.send_bytes(line)
            answers.append(connection.raw_line())
    assert answers[0] == answers[1]
    assert 0 < json.loads(answers[1])["result"]["luminance"]["mean"] < 1
