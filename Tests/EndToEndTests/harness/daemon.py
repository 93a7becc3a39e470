"""A private daemon."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from . import processes
from .connection import Connection, Json, Reply, wait_until
from .users import as_user

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[3]
BIN = Path(os.environ.get("UNDERTONE_BIN", ROOT / ".build/debug"))


class Daemon:
    """A daemon with a socket, a home and a log of its own, in a directory of its own."""

    def __init__(
        self,
        directory: Path,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        user: int | None = None,
    ) -> None:
        """Describes a daemon; `start` makes it run, as another user if one is given."""
        self.directory = directory
        self.socket = directory / "undertone.sock"
        self.log = directory / "log"
        self.arguments = list(arguments)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(directory),
            "XDG_CACHE_HOME": str(directory / "cache"),
            "SWIFT_BACKTRACE": "enable=no",
            **(environment or {}),
        }
        self.user = user
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The daemon's process."""
        assert self.process is not None
        return self.process.pid

    def spawn(self) -> subprocess.Popen[bytes]:
        """Starts the program and does not wait for its socket."""
        command = [str(BIN / "undertoned"), "--socket", str(self.socket), *self.arguments]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self.user,
                group=self.user,
                extra_groups=None if self.user is None else [],
            )

    def start(self, ready: bool = True) -> Daemon:
        """Starts the daemon and waits until it can be asked, and decode if it is to be ready."""
        self.process = self.spawn()
        wait_until(self._answers, what=f"{self.socket} answers")
        if ready:
            wait_until(lambda: self.status()["formats"] is not None, what="a decoder is ready")
        return self

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        try:
            self.connect().close()
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        return True

    def stop(self) -> None:
        """Ends the daemon as a service manager does; it must end well and leave no socket."""
        if self.process is None:
            return
        process, self.process = self.process, None
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        assert code == 0, f"ended with {code}:\n{self.log.read_text()}"
        assert not self.socket.exists()

    def kill(self) -> None:
        """Ends the daemon without giving it a chance to do anything."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None

    def connect(self, timeout: float = 60) -> Connection:
        """Opens a connection, as the user whose daemon it is."""
        with as_user(self.user):
            return Connection(self.socket, timeout)

    def ask(self, **request: Json) -> Reply:
        """Asks one question on a connection of its own."""
        with self.connect() as connection:
            return connection.ask(**request)

    def color(self, path: Path | str, **options: Json) -> Reply:
        """Asks for a picture's colours and returns the result; an error fails the test."""
        reply = self.ask(path=str(path), **options)
        assert "result" in reply, reply
        result = reply["result"]
        assert isinstance(result, dict)
        return result

    def error(self, path: Path | str, **options: Json) -> Reply:
        """Asks for a picture's colours and returns the error; a result fails the test."""
        reply = self.ask(path=str(path), **options)
        assert "error" in reply, reply
        error = reply["error"]
        assert isinstance(error, dict)
        return error

    def status(self) -> Reply:
        """Asks for the daemon's state."""
        result = self.ask(op="status")["result"]
        assert isinstance(result, dict)
        return result

    def counters(self) -> dict[str, int]:
        """Asks for the daemon's counters."""
        counters = self.status()["counters"]
        assert isinstance(counters, dict)
        return counters

    def zygotes(self) -> list[int]:
        """The daemon's children: the decoders' parents."""
        return processes.children(self.pid)

    def zygote(self) -> int:
        """Waits until there is one zygote, the last one's end is over, too; returns it."""
        found: list[int] = []

        def is_alone() -> bool:
            found[:] = self.zygotes()
            return len(found) == 1

        wait_until(is_alone, what="one zygote is there")
        return found[0]

    def decoders(self) -> list[int]:
        """The daemon's grandchildren: the decoders at work."""
        return [child for zygote in self.zygotes() for child in processes.children(zygote)]

    def settle(self, seconds: float = 0.1) -> int:
        """Waits until nothing is at work and nobody connected; returns the open descriptors.

        Their number has not changed for some seconds then.
        """

        def is_idle() -> bool:
            counters = self.counters()
            return (
                counters["connections"] == 1
                and counters["decodersRunning"] == counters["decodersQueued"] == 0
                and not processes.zombies(self.pid)
                and not self.decoders()
            )

        wait_until(is_idle, what="the daemon is idle")
        # Our own connection is closed now, but perhaps not yet on the other side.
        count = self.descriptors()
        quiet = time.monotonic()
        while elapsed(quiet) < seconds:
            time.sleep(0.01)
            if count != self.descriptors():
                count = self.descriptors()
                quiet = time.monotonic()
        return count

    def descriptors(self) -> int:
        """The number of the daemon's open descriptors."""
        return processes.descriptors(self.pid)


@contextlib.contextmanager
def running(**options: Json) -> Iterator[Daemon]:
    """Runs a daemon in a directory of its own, until the block ends."""
    with tempfile.TemporaryDirectory(prefix="ut-") as directory:
        daemon = Daemon(Path(directory), **options).start()
        try:
            yield daemon
        finally:
            daemon.stop()


def start_with_passed_socket(
    daemon: Daemon, listener: socket.socket, arguments: list[str]
) -> subprocess.Popen[bytes]:
    # What systemd does: the socket is descriptor 3, and LISTEN_PID the process itself.
    script = 'export LISTEN_PID=$$; exec "$@" 3<&' + str(listener.fileno())
    with daemon.log.open("ab") as log:
        return subprocess.Popen(
            ["bash", "-c", script, "bash", str(BIN / "undertoned"), *arguments],
            env={**daemon.environment, "LISTEN_FDS": "1"},
            stdout=log,
            stderr=log,
            pass_fds=[listener.fileno()],
        )


def free_socket(path: Path) -> socket.socket:
    """Returns a listening socket at a path."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(8)
    return listener


def elapsed(start: float) -> float:
    """Returns the seconds since a moment of the monotonic clock."""
    return time.monotonic() - start
