"""The Python example client against a live daemon."""

from __future__ import annotations

import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator

import pytest
from conftest import BIN, HOSTILE_NAMES, ROOT, Daemon, color_of, environment
from PIL import Image
from undertone import Colors, Edge, Rectangle, Undertone, UndertoneClosedError, UndertoneError
from undertone._connection import Connection


@pytest.fixture
def undertone(daemon: Daemon) -> Iterator[Undertone]:
    """A connection to the live daemon."""
    with Undertone(daemon.socket) as undertone:
        yield undertone


@pytest.fixture
def halves(tmp_path: pathlib.Path) -> pathlib.Path:
    """A picture with a black upper and a white lower half."""
    path = tmp_path / "halves.png"
    image = Image.new("RGB", (4, 4), "black")
    image.paste("white", (0, 2, 4, 4))
    image.save(path)
    return path


def hexadecimal(color: tuple[int, int, int]) -> str:
    """A colour as the wire has it."""
    return "#" + bytes(color).hex()


@pytest.mark.parametrize("index", range(len(HOSTILE_NAMES)))
def test_color_takes_any_name(undertone: Undertone, folder: bytes, index: int) -> None:
    """Names as bytes and as text with surrogates mean the same file."""
    path = folder + b"/" + HOSTILE_NAMES[index]
    expected = hexadecimal(color_of(index))
    assert undertone.color(path).background == expected
    assert undertone.color(os.fsdecode(path)).background == expected
    assert undertone.color(pathlib.Path(os.fsdecode(path))).background == expected


def test_color_makes_relative_paths_absolute(
    undertone: Undertone, folder: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """Links are not resolved: `link/..` is the parent of the link's target."""
    (tmp_path / "link").symlink_to(os.fsdecode(folder))
    monkeypatch.chdir(tmp_path)
    assert undertone.color("link/plain.png").background == hexadecimal(color_of(0))
    parent = pathlib.Path(os.fsdecode(folder)).name
    path = f"link/../{parent}/plain.png"
    assert undertone.color(path).background == hexadecimal(color_of(0))


def test_color_is_typed(undertone: Undertone, halves: pathlib.Path) -> None:
    """Every field has the value that the picture's makes it have."""
    colors = undertone.color(halves)
    assert colors.image.width == 4
    assert colors.image.format == "png"
    assert colors.image.complete
    assert colors.opacity == 1
    assert colors.average is not None
    # Half black and half white: 127.5, root of the mean square, and mean in linear light.
    assert colors.average.simple in {"#7f7f7f", "#808080"}
    assert colors.average.square_root == "#b4b4b4"
    assert colors.average.linear == "#bcbcbc"
    assert colors.average.oklab == "#636363"
    assert colors.background == colors.average.simple
    assert colors.scheme == "light"
    assert colors.foreground is not None
    assert colors.foreground.color == "#000000"
    assert colors.foreground.meets
    assert colors.luminance is not None
    assert (colors.luminance.min, colors.luminance.mean, colors.luminance.max) == (0, 0.5, 1)


def test_color_passes_every_option(undertone: Undertone, halves: pathlib.Path) -> None:
    """Each option changes the answer as it says."""
    colors = undertone.color(
        halves,
        average="linear",
        contrast=21,
        sampling="exact",
        backdrop="#ff0000",
        regions={"top": Edge("top", 0.5), "box": Rectangle(0, 0.5, 0.5, 0.5)},
    )
    assert colors.background == "#bcbcbc"
    assert colors.foreground is not None
    assert not colors.foreground.meets
    assert colors.image.sampling == "exact"
    assert colors.regions["top"].background == "#000000"
    assert colors.regions["box"].background == "#ffffff"


def test_transparent_picture_has_no_colors(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """Nothing to be seen is None, not black."""
    path = tmp_path / "clear.png"
    Image.new("RGBA", (3, 2)).save(path)
    colors = undertone.color(path)
    assert (colors.image.width, colors.image.height, colors.opacity) == (3, 2, 0)
    assert colors.average is None
    assert colors.background is None
    assert colors.scheme is None
    assert colors.foreground is None
    assert colors.luminance is None


def test_errors_are_exceptions_with_codes(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """The connection goes on after each."""
    text = tmp_path / "text.png"
    text.write_text("no picture")
    for path, code in [
        (tmp_path / "absent.png", "not_found"),
        (tmp_path, "not_a_file"),
        (text, "unsupported_format"),
    ]:
        with pytest.raises(UndertoneError) as caught:
            undertone.color(path)
        assert caught.value.code == code
        assert caught.value.message
        assert str(caught.value).startswith(code + ": ")
    with pytest.raises(UndertoneError, match="invalid_request: .*contrast"):
        undertone.color(text, contrast=22)
    with pytest.raises(UndertoneError, match="invalid_request"):
        undertone.color("")


def test_colors_keeps_the_order_and_yields_errors(undertone: Undertone, folder: bytes) -> None:
    """More pictures than the window, an error among them, repeated ones too."""
    names = [folder + b"/" + name for name in HOSTILE_NAMES] * 5
    names.insert(7, folder + b"/absent")
    answers = list(undertone.colors(names, window=3))
    assert [path for path, _ in answers] == names
    error = answers.pop(7)[1]
    assert isinstance(error, UndertoneError)
    assert error.code == "not_found"
    for index, (_, answer) in enumerate(answers):
        assert isinstance(answer, Colors)
        assert answer.background == hexadecimal(color_of(index % len(HOSTILE_NAMES)))


def test_colors_may_be_left_early(undertone: Undertone, folder: bytes) -> None:
    """What was asked ahead and not wanted is not taken for another question's answer."""
    answers = undertone.colors(folder + b"/" + name for name in HOSTILE_NAMES)
    next(answers)
    # A question between two others.
    assert undertone.color(folder + b"/" + HOSTILE_NAMES[5]).background == hexadecimal(color_of(5))
    path, second = next(answers)
    assert path == folder + b"/" + HOSTILE_NAMES[1]
    assert isinstance(second, Colors)
    assert second.background == hexadecimal(color_of(1))
    answers.close()  # type: ignore[attr-defined]
    assert undertone.color(folder + b"/" + HOSTILE_NAMES[2]).background == hexadecimal(color_of(2))
    assert undertone.status()["protocol"] == 1


def test_colors_with_a_window_wider_than_the_daemon_reads_ahead(
    undertone: Undertone, folder: bytes
) -> None:
    """Sending more than is read while nothing is received would wait for ever."""
    paths = [folder + b"/" + HOSTILE_NAMES[0]] * 6000
    answers = list(undertone.colors(paths, window=6000))
    assert [path for path, _ in answers] == paths
    assert all(isinstance(answer, Colors) for _, answer in answers)


def test_a_reply_that_comes_too_late_is_dropped(tmp_path: pathlib.Path) -> None:
    """After a time-out the next question gets its own answer, and nothing is kept."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with Undertone(path, timeout=0.2) as undertone:
            peer, _ = listener.accept()
            with peer:
                with pytest.raises(TimeoutError):
                    undertone.ask({"op": "first"})
                peer.sendall(b'{"id":1,"result":{"late":1}}\n{"id":2,"result":{"own":2}}\n')
                assert undertone.ask({"op": "second"}) == {"own": 2}
                assert not undertone._replies


def test_colors_of_nothing(undertone: Undertone) -> None:
    """No question, no answer, no waiting."""
    assert list(undertone.colors([])) == []


def test_status(undertone: Undertone) -> None:
    """The daemon says what it speaks."""
    status = undertone.status()
    assert {"color", "status"} <= set(status["operations"])
    assert "png" in status["formats"]


def test_cache(undertone: Undertone, folder: bytes) -> None:
    """What is kept is told, and forgotten on request."""
    undertone.color(folder + b"/" + HOSTILE_NAMES[0])
    kept = undertone.cache()
    assert kept.memory.entries >= 1
    assert kept.memory.bytes < kept.memory.limit == 32 << 20
    assert kept.disk.state == "ready"
    assert kept.disk.limit == 256 << 20
    assert kept.disk.path is not None
    assert kept.disk.path.endswith("/cache/undertone/summaries.sqlite")
    empty = undertone.cache(clear=True)
    assert (empty.memory.entries, empty.disk.entries) == (0, 0)


def test_daemon_that_ends_is_an_exception(tmp_path: pathlib.Path) -> None:
    """Half a reply, and then nothing any more."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b'  {"id":1,"res')

        server = threading.Thread(target=serve)
        server.start()
        with Undertone(path) as undertone, pytest.raises(UndertoneClosedError):
            undertone.color("/a.png")
        server.join()


def test_refused_connection_is_an_exception(tmp_path: pathlib.Path) -> None:
    """What a daemon says that has too many connections is not lost."""
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b'{"id":null,"error":{"code":"busy","message":"full"}}\n')

        server = threading.Thread(target=serve)
        server.start()
        with Undertone(path) as undertone:
            server.join()
            with pytest.raises(UndertoneError, match="busy: full"):
                undertone.color("/a.png")


def test_socket_is_found_by_the_environment(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """The variable comes before the runtime directory."""
    monkeypatch.setenv("UNDERTONE_SOCKET", str(daemon.socket))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with Undertone() as undertone:
        assert undertone.status()["protocol"] == 1
    monkeypatch.delenv("UNDERTONE_SOCKET")
    with pytest.raises(FileNotFoundError):
        Undertone()
    (tmp_path / "undertone").mkdir()
    (tmp_path / "undertone/undertone.sock").symlink_to(daemon.socket)
    with Undertone() as undertone:
        assert undertone.status()["protocol"] == 1


def test_starts_the_daemon_if_it_is_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """On the socket that is asked for, and only where the command is to be found."""
    with tempfile.TemporaryDirectory(prefix="ut-") as directory:
        path = pathlib.Path(directory) / "socket"
        for name, value in environment(tmp_path).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PATH", "/usr/bin:/bin")
        for start in (False, True):
            with pytest.raises(FileNotFoundError):
                Undertone(path, start=start)
        monkeypatch.setenv("PATH", f"{BIN}:/usr/bin:/bin")
        with Undertone(path, start=True) as undertone:
            pid = undertone.status()["pid"]
        with Undertone(path, start=True) as undertone:
            assert undertone.status()["pid"] == pid
        descriptor = os.pidfd_open(pid)
        os.kill(pid, signal.SIGTERM)
        assert select.select([descriptor], [], [], 60)[0], "undertoned goes on"
        os.close(descriptor)


def test_tint_prints_css(daemon: Daemon, folder: bytes) -> None:
    """Each picture has its variables, by a name that CSS takes, and only once."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples/python/tint.py", os.fsdecode(folder)],
        env=environment(daemon.directory),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode("ascii").splitlines()
    assert (lines[0], lines[-1]) == (":root {", "}")
    variables = dict(line.strip().rstrip(";").split(": ") for line in lines[1:-1])
    assert len(variables) == 3 * len(HOSTILE_NAMES)
    assert variables["--plain-background"] == hexadecimal(color_of(0))
    assert variables["--plain-foreground"] == "#ffffff"
    assert all(name.lstrip("-").replace("-", "").isalnum() for name in variables)


def test_tint_names_what_is_no_picture(daemon: Daemon, tmp_path: pathlib.Path) -> None:
    """A text file costs its own colours and nothing else."""
    (tmp_path / "notes.txt").write_text("no picture")
    Image.new("RGB", (1, 1), "red").save(tmp_path / "red.png")
    done = subprocess.run(
        [sys.executable, ROOT / "examples/python/tint.py", tmp_path],
        env=environment(daemon.directory),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "--red-background: #ff0000;" in done.stdout
    assert "'notes.txt': unsupported_format" in done.stderr


def test_tint_ends_quietly_with_its_reader(daemon: Daemon, folder: bytes) -> None:
    """Whoever reads may have enough, like `head`: that is no error to tell of."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, ROOT / "examples/python/tint.py", os.fsdecode(folder)],
            env=environment(daemon.directory),
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE


class WaitedOn:
    """A socket on which somebody waits who is slow to notice its end."""

    def __init__(self) -> None:
        self.is_waited_on = threading.Event()
        self.is_noticed = threading.Event()
        self.told: list[str] = []

    def recv(self, _size: int) -> bytes:
        """Waits."""
        self.is_waited_on.set()
        assert self.is_noticed.wait(60)
        self.told.append("received")
        return b""

    def shutdown(self, _how: int) -> None:
        """Takes note."""
        self.told.append("shut down")

    def close(self) -> None:
        """Takes note."""
        self.told.append("closed")


def test_close_leaves_the_descriptor_to_who_waits_on_it(daemon: Daemon) -> None:
    """Whatever is opened next would get the same, and be waited on in its place."""
    connection = Connection(daemon.socket, 10)
    connection._socket.close()
    connection._socket = waited_on = WaitedOn()  # type: ignore[assignment]
    endings: list[BaseException] = []

    def wait() -> None:
        try:
            connection.receive()
        except UndertoneClosedError as ending:
            endings.append(ending)

    thread = threading.Thread(target=wait)
    thread.start()
    assert waited_on.is_waited_on.wait(60)
    connection.close()
    assert waited_on.told == ["shut down"]
    waited_on.is_noticed.set()
    thread.join(10)
    assert len(endings) == 1
    assert waited_on.told == ["shut down", "received", "closed"]
