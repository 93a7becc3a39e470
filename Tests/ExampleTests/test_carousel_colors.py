"""The colours of the carousel's strip, against a live daemon and against none."""

from __future__ import annotations

import itertools
import os
import pathlib
import queue
import socket
import threading
from collections.abc import Callable, Iterator

import pytest
from carousel.daemon import Asker, Daemon
from carousel.looks import FRAMES, Look, Looks, Way, look_from_strip
from carousel.questions import PageQuestion, ask_page, ask_way, may_pass
from carousel.worker import Worker
from conftest import Daemon as LiveDaemon
from conftest import environment
from EndToEndTests.harness import wcag
from PIL import Image
from undertone import Undertone, UndertoneError

GRAY, RED, BLUE = (
    Look(color, "#ffffff", "#eeeeee", "#eeeeee", "#dddddd")
    for color in ("#333333", "#800000", "#000080")
)
WAY = tuple(
    Look(f"#{80 - frame:02x}00{frame:02x}", "#ffffff", "#eeeeee", "#eeeeee", "#dddddd")
    for frame in range(FRAMES)
)


@pytest.fixture
def undertone(daemon: LiveDaemon) -> Iterator[Undertone]:
    """A connection to the live daemon."""
    with Undertone(daemon.socket) as undertone:
        yield undertone


@pytest.fixture
def picture(tmp_path: pathlib.Path) -> bytes:
    """A red picture."""
    Image.new("RGB", (8, 8), "#c81414").save(tmp_path / "red.png")
    return os.fsencode(tmp_path / "red.png")


def contrast(one: str, other: str) -> float:
    """WCAG 2's contrast ratio of two colours."""
    return wcag.contrast(wcag.parse(one), wcag.parse(other))


def question(path: bytes) -> PageQuestion:
    """What is asked about a page, by default."""
    return PageQuestion(path, "simple", "auto", None, "normal")


def test_a_page_is_as_the_indicator_is(undertone: Undertone, picture: bytes) -> None:
    """Each colour of the look is that of its part of the strip."""
    strip = undertone.indicator(picture).strip
    assert strip is not None
    assert ask_page(undertone, question(picture)).look == Look(
        strip.background,
        strip.labels.active.color,
        strip.labels.others.color,
        strip.dots.current.color,
        strip.dots.others.color,
    )
    light = ask_page(undertone, question(picture)._replace(material="light", priority="idle")).look
    assert light is not None
    assert light.primary == "#000000"
    assert contrast(light.background, light.primary) >= 7


def test_a_page_of_another_average(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """Half black and half white: 127.5, and the root of the mean square."""
    image = Image.new("RGB", (4, 4), "black")
    image.paste("white", (0, 2, 4, 4))
    image.save(tmp_path / "halves.png")
    path = os.fsencode(tmp_path / "halves.png")
    look = ask_page(undertone, question(path)._replace(average="squareRoot")).look
    assert look is not None
    # Light enough for black text without any layer.
    assert look.background == "#b4b4b4"


def test_a_page_without_colour(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """Nothing is made up of a picture that cannot be seen."""
    Image.new("RGBA", (4, 4)).save(tmp_path / "clear.png")
    path = os.fsencode(tmp_path / "clear.png")
    assert ask_page(undertone, question(path)) == (None, None)
    with pytest.raises(UndertoneError, match="not_found") as error:
        ask_page(undertone, question(path + b"x")._replace(glyph=path))
    assert not may_pass(error.value)


def test_a_glyph_that_cannot_be_asked_about(undertone: Undertone, picture: bytes) -> None:
    """Takes the strip's colours from nobody."""
    answer = ask_page(undertone, question(picture)._replace(glyph=picture + b"x"))
    assert answer == ask_page(undertone, question(picture))
    answer = ask_page(undertone, question(picture)._replace(glyph=picture))
    assert answer.drawing is not None


def test_a_way_leads_from_strip_to_strip(undertone: Undertone, tmp_path: pathlib.Path) -> None:
    """Its ends are the strips themselves, and every text on it can be read."""
    looks = []
    for color in ("#16324f", "#f0d8a0", "#808080", "#c81414"):
        Image.new("RGB", (4, 4), color).save(tmp_path / "flat.png")
        strip = undertone.indicator(tmp_path / "flat.png").strip
        assert strip is not None
        looks.append(look_from_strip(strip))
    for start, end in itertools.pairwise(looks):
        frames = ask_way(undertone, (start.background, end.background))
        assert len(frames) == FRAMES
        assert (frames[0], frames[-1]) == (start, end)
        for frame in frames:
            assert contrast(frame.background, frame.primary) >= 4.58
            assert contrast(frame.background, frame.secondary) >= 4.5
            assert contrast(frame.background, frame.current) >= 4.5
            assert contrast(frame.background, frame.others) >= 3


def test_looks_follow_the_position() -> None:
    """Frame by frame where they are known, and the nearer page's look where not."""
    looks = Looks(GRAY)
    assert looks.at(0) is None
    looks.set_page(0, RED)
    assert (looks.at(0), looks.at(0.7), looks.at(1)) == (RED, RED, None)
    assert looks.ways_wanted(0) == []
    looks.set_page(1, BLUE)
    assert (looks.at(0.4), looks.at(0.6), looks.at(1)) == (RED, BLUE, BLUE)
    assert looks.ways_wanted(0.4) == [("#800000", "#000080")]
    looks.set_way(("#800000", "#000080"), WAY)
    assert looks.ways_wanted(0.4) == []
    assert [looks.at(x) for x in (0, 0.25, 0.5, 0.75, 1)] == [RED, *WAY[15:46:15], BLUE]


def test_looks_are_neutral_for_want_of_others() -> None:
    """In the theme's colours of the moment; and until it is known, a page has no look."""
    looks = Looks(GRAY)
    looks.set_page(0, None)
    looks.set_page(1, RED)
    assert looks.at(0) == GRAY
    assert looks.ways_wanted(1) == [("#333333", "#800000")]
    looks.set_way(("#333333", "#800000"), ())
    assert (looks.at(0.4), looks.at(0.6), looks.ways_wanted(1)) == (GRAY, RED, [])
    looks.neutral = BLUE
    assert looks.at(0) == BLUE
    looks.forget(0)
    assert 0 not in looks
    assert looks.page(0) is None


class Delivered:
    """What is delivered, in its order."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[str, object]] = queue.Queue()

    def __call__(self, key: str, result: object) -> None:
        """Takes it."""
        self._queue.put((key, result))

    def get(self) -> tuple[str, object]:
        """Waits for it."""
        return self._queue.get(timeout=60)

    def is_empty(self) -> bool:
        """Whether there is no more."""
        return self._queue.empty()


def at_once(call: Callable[[], None]) -> None:
    """Has a call made on the same thread."""
    call()


class Work:
    """Work that waits to be let go on, and what has been delivered of it."""

    def __init__(self) -> None:
        self.begun: queue.Queue[str] = queue.Queue()
        self.going_on = threading.Semaphore(0)
        self.withdrawals = 0
        self.delivered = Delivered()
        self.worker = Worker(self.work, self.delivered, self.withdraw, at_once)

    def work(self, key: str, is_wanted: Callable[[], bool]) -> str:
        """Does it."""
        self.begun.put(key)
        assert self.going_on.acquire(timeout=60)
        return f"{1 // len(key)}{key} {is_wanted()}"

    def withdraw(self) -> None:
        """Counts."""
        self.withdrawals += 1


def test_worker_does_the_latest_wishes() -> None:
    """What is no longer wanted is neither begun nor delivered."""
    work = Work()
    work.worker.want(["a", "b", "c"])
    assert work.begun.get(timeout=60) == "a"
    work.worker.want(["a", "d"])
    assert work.withdrawals == 0
    work.going_on.release()
    assert work.begun.get(timeout=60) == "d"
    assert work.delivered.get() == ("a", "1a True")
    work.worker.want(["e"])
    assert work.withdrawals == 1
    work.going_on.release(2)
    assert work.delivered.get() == ("e", "1e True")
    work.worker.stop()


def test_worker_begins_nothing_again_that_is_done() -> None:
    """While its result is on its way, as to a thread that is busy."""
    calls: queue.Queue[Callable[[], None]] = queue.Queue()
    delivered = Delivered()
    begun: list[str] = []

    def work(key: str, _is_wanted: Callable[[], bool]) -> int:
        begun.append(key)
        return len(begun)

    worker = Worker(work, delivered, lambda: None, calls.put)
    worker.want(["a", "b"])
    waiting = [calls.get(timeout=60) for _ in "ab"]
    worker.want(["b", "c", "a"])
    waiting.append(calls.get(timeout=60))
    assert begun == ["a", "b", "c"]
    for call in waiting:
        call()
    assert [delivered.get()[0] for _ in "abc"] == ["a", "b", "c"]
    worker.want(["a"])
    calls.get(timeout=60)
    assert begun == ["a", "b", "c", "a"]
    worker.stop()


def test_worker_delivers_errors_and_goes_on() -> None:
    """The exception in place of a result."""
    work = Work()
    work.going_on.release(2)
    work.worker.want(["", "a"])
    key, error = work.delivered.get()
    assert key == ""
    assert isinstance(error, ZeroDivisionError)
    assert work.delivered.get() == ("a", "1a True")


def asked_status(undertone: Undertone, _key: str) -> int:
    """Asks the daemon for its process."""
    return int(undertone.status()["pid"])


def test_asker_starts_the_daemon(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where none runs, and its successor where it has ended."""
    directory = tmp_path_factory.mktemp("d")
    for name, value in environment(directory).items():
        monkeypatch.setenv(name, value)
    delivered = Delivered()
    monkeypatch.setattr(Daemon, "PAUSE", 0.0)
    asker = Asker(Daemon(), asked_status, delivered, at_once)
    asker.want(["a"])
    _, first = delivered.get()
    assert isinstance(first, int), first
    os.kill(first, 15)
    for attempt in itertools.count():
        asker.want([str(attempt)])
        _, second = delivered.get()
        # It may take a while to end, and says so.
        if second != first and not isinstance(second, UndertoneError):
            break
        assert attempt < 1000
    assert isinstance(second, int), second
    os.kill(second, 15)
    asker.stop()


def test_asker_tells_that_there_is_no_daemon(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor a program to start it; which may change."""
    monkeypatch.setenv("UNDERTONE_SOCKET", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    delivered = Delivered()
    asker = Asker(Daemon(), asked_status, delivered, at_once)
    for key in ("a", "b"):
        asker.want([key])
        got, error = delivered.get()
        assert got == key
        assert isinstance(error, OSError)
        assert may_pass(error)


def test_asker_hangs_up_on_what_takes_long(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next question is asked on another connection, at once, and the first never again."""
    place = str(tmp_path / "socket")
    monkeypatch.setenv("UNDERTONE_SOCKET", place)
    delivered = Delivered()
    with socket.create_server(place, family=socket.AF_UNIX) as server:
        server.settimeout(60)
        asker = Asker(Daemon(), ask_way_named, delivered, at_once)
        asker.want(["#000000"])
        first, _ = server.accept()
        assert b"#000000" in first.recv(4096)
        asker.want(["#ffffff"])
        second, _ = server.accept()
        assert b"#ffffff" in second.recv(4096)
        assert first.recv(4096) == b""
        second.sendall(b'{"id":1,"error":{"code":"busy","message":"later"}}\n')
        key, error = delivered.get()
        assert key == "#ffffff"
        assert isinstance(error, UndertoneError)
        assert may_pass(error)
        # An answer that is none ends neither the thread nor the program.
        asker.want(["#111111"])
        second.recv(4096)
        second.sendall(b'{"id":2,"result":{}}\n')
        key, error = delivered.get()
        assert key == "#111111"
        assert isinstance(error, UndertoneError)
        assert error.code == "malformed_reply"
        assert may_pass(error)
        asker.stop()
        assert delivered.is_empty()
        first.close()
        second.close()


def ask_way_named(undertone: Undertone, color: str) -> tuple[Look, ...]:
    """Asks for the way from a colour to itself."""
    way: Way = (color, color)
    return ask_way(undertone, way)
