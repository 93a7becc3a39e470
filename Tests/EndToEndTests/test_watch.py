"""Watches: what counts as a change, what is told of it, and what a watch costs."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from .harness import mounts, processes
from .harness.connection import ClosedError, wait_until
from .harness.hanging import HangingMount, NoFuseError
from .harness.watching import BLACK, BLUE, GREEN, RED, Watch, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from .harness.connection import Json
    from .harness.daemon import Daemon

# Watches at once, as the specification has it.
LIMIT = 64


def draw(path: Path, color: tuple[int, int, int]) -> Path:
    """Writes a picture of one colour in place, as most programs do."""
    Image.new("RGB", (8, 8), color).save(path, "PNG")
    return path


def replace(path: Path, color: tuple[int, int, int]) -> None:
    """Puts a new file in the place of another, as careful programs do."""
    draw(path.with_name("new"), color).rename(path)


def retarget(link: Path, target: Path | str) -> None:
    """Makes a link point elsewhere, at once."""
    new = link.with_name("new-link")
    new.symlink_to(target)
    new.rename(link)


@pytest.fixture
def picture(directory: Path) -> Path:
    """A red picture in a directory of its own."""
    place = directory / "p"
    place.mkdir()
    return draw(place / "a.png", RED)


# What is told


def test_the_first_line_is_the_answer(shared: Daemon, picture: Path) -> None:
    request = {"path": str(picture), "regions": {"r": {"edge": "top", "size": 0.5}}}
    with Watch(shared, picture, regions=request["regions"]) as watch:
        assert watch.reply == {"id": 7, **shared.ask(**request)}
        assert watch.is_silent()


@pytest.mark.parametrize("operation", ["palette", "indicator", "theme"])
def test_any_operation_can_be_watched(shared: Daemon, picture: Path, operation: str) -> None:
    request = {"op": operation, "path": str(picture)}
    with shared.connect() as connection:
        assert connection.ask(op="watch", request=request) == shared.ask(**request)
        replace(picture, GREEN)
        assert connection.receive() == {"event": "changed", **shared.ask(**request)}


def test_both_pictures_are_watched(shared: Daemon, picture: Path) -> None:
    other = draw(picture.with_name("b.png"), BLUE)
    requests: list[dict[str, Json]] = [
        {"op": "transition", "from": {"path": str(picture)}, "to": {"path": str(other)}},
        {"op": "indicator", "path": str(picture), "glyph": {"path": str(other)}},
    ]
    for request in requests:
        with shared.connect() as connection:
            assert connection.ask(op="watch", request=request) == shared.ask(**request)
            for path in [other, picture]:
                replace(path, GREEN)
                event = connection.receive()
                assert event == {"event": "changed", **shared.ask(**request)}
            other.unlink()
            assert connection.receive()["error"]["code"] == "not_found"
        draw(other, BLUE)


def test_one_picture_and_a_color(shared: Daemon, picture: Path) -> None:
    request = {"op": "transition", "from": "#000000", "to": {"path": str(picture)}}
    with shared.connect() as connection:
        assert "result" in connection.ask(op="watch", request=request)
        replace(picture, GREEN)
        assert connection.receive() == {"event": "changed", **shared.ask(**request)}
    # Two colours are never going to change.
    reply = shared.ask(op="watch", request={"op": "transition", "from": "#000000", "to": "#ffffff"})
    assert reply["error"]["code"] == "invalid_request"


def test_an_event_is_the_answer_too(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        replace(picture, GREEN)
        event = watch.event()
        assert list(event) == ["id", "event", "result"]
        assert event["result"] == shared.color(picture)


def test_without_an_id_events_have_none(shared: Daemon, picture: Path) -> None:
    with shared.connect() as connection:
        assert list(connection.ask(op="watch", request={"path": str(picture)})) == ["result"]
        picture.unlink()
        assert list(connection.receive()) == ["event", "error"]


# What is a change


def test_written_in_place(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        assert watch.first == "red"
        draw(picture, GREEN)
        assert watch.tells("green")[-1] == "green"
        draw(picture, BLUE)
        assert watch.tells("blue")[-1] == "blue"
        assert watch.is_silent()


def test_replaced_by_a_rename(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        for color, name in [(GREEN, "green"), (BLUE, "blue"), (RED, "red")]:
            replace(picture, color)
            assert watch.told() == name
        assert watch.is_silent()


def test_written_by_another_name_of_the_file(shared: Daemon, picture: Path) -> None:
    other = picture.parent.parent / "hard"
    other.hardlink_to(picture)
    with Watch(shared, picture) as watch:
        draw(other, GREEN)
        assert watch.tells("green")


def test_written_through_a_mapping(shared: Daemon, picture: Path) -> None:
    green = draw(picture.with_name("b.png"), GREEN).read_bytes()
    assert len(green) == picture.stat().st_size
    with Watch(shared, picture) as watch:
        with picture.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapping:
            mapping[:] = green
        assert watch.told() == "green"


def test_a_touch_is_a_change_that_changes_nothing(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        os.utime(picture)
        assert watch.event()["result"] == watch.reply["result"]
        assert watch.is_silent()


def test_deleted_and_back(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        picture.unlink()
        assert watch.told() == "not_found"
        draw(picture, GREEN)
        assert watch.tells("green")
        picture.unlink()
        assert watch.told() == "not_found"
        picture.mkdir()
        assert watch.told() == "not_a_file"
        picture.rmdir()
        assert watch.told() == "not_found"


def test_no_picture_for_a_while(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        picture.write_text("no picture")
        assert watch.told() == "unsupported_format"
        draw(picture, GREEN)
        assert watch.tells("green")


@pytest.mark.parametrize("link", ["one", "two", "three"])
def test_each_link_of_a_chain(shared: Daemon, picture: Path, link: str) -> None:
    place = picture.parent
    draw(place / "b.png", GREEN)
    (place / "three").symlink_to("a.png")
    (place / "two").symlink_to(place / "three")
    (place / "one").symlink_to("../p/two")
    with Watch(shared, place / "one") as watch:
        assert watch.first == "red"
        retarget(place / link, "b.png")
        assert watch.told() == "green"
        retarget(place / link, "nowhere")
        assert watch.told() == "not_found"
        retarget(place / link, place / "b.png")
        assert watch.told() == "green"
        draw(place / "b.png", BLUE)
        assert watch.tells("blue")


def test_a_link_in_the_place_of_a_directory(shared: Daemon, picture: Path) -> None:
    top = picture.parent.parent
    (top / "q").mkdir()
    draw(top / "q" / "a.png", GREEN)
    (top / "current").symlink_to("p")
    with Watch(shared, top / "current" / "a.png") as watch:
        assert watch.first == "red"
        retarget(top / "current", "q")
        assert watch.told() == "green"
        # What the link led to before is nobody's business any more.
        draw(picture, BLUE)
        assert watch.is_silent()
        draw(top / "q" / "a.png", BLACK)
        assert watch.tells("black")


def test_a_directory_goes_and_comes(shared: Daemon, picture: Path) -> None:
    place = picture.parent
    with Watch(shared, picture) as watch:
        place.rename(place.with_name("away"))
        assert watch.told() == "not_found"
        place.with_name("away").rename(place)
        assert watch.told() == "red"
        shutil.rmtree(place)
        assert watch.told() == "not_found"


def test_a_directory_is_replaced(shared: Daemon, directory: Path) -> None:
    for name, color in [("one", RED), ("two", GREEN)]:
        (directory / name / "in" / "side").mkdir(parents=True)
        draw(directory / name / "in" / "side" / "a.png", color)
    path = directory / "one" / "in" / "side" / "a.png"
    with Watch(shared, path) as watch:
        assert watch.first == "red"
        (directory / "one").rename(directory / "old")
        (directory / "two").rename(directory / "one")
        assert watch.tells("green")
        replace(path, BLUE)
        assert watch.told() == "blue"


def test_created_only_later(shared: Daemon, directory: Path) -> None:
    path = directory / "x" / "y" / "z" / "a.png"
    with Watch(shared, path) as watch:
        assert watch.first == "not_found"
        path.parent.parent.mkdir(parents=True)
        assert watch.is_silent()
        path.parent.mkdir()
        draw(path, GREEN)
        assert watch.tells("green") == ["green"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_permissions(ordinary: Daemon, directory: Path) -> None:
    place = directory / "closed"
    place.mkdir()
    path = draw(place / "a.png", RED)
    path.chmod(0o644)
    place.chmod(0o700)
    with Watch(ordinary, path) as watch:
        assert watch.first == "permission_denied"
        place.chmod(0o755)
        assert watch.told() == "red"
        path.chmod(0o600)
        assert watch.told() == "permission_denied"
        path.chmod(0o644)
        assert watch.told() == "red"
    # It can be entered, but what appears in it cannot be seen.
    place.chmod(0o711)
    with ordinary.connect() as connection:
        error = connection.ask(op="watch", request={"path": str(path)})["error"]
        assert error["code"] == "watch_unsupported"
        assert connection.ask(path=str(path))["result"]


def test_something_is_mounted_over_it(shared: Daemon, picture: Path) -> None:
    if not mounts.allowed():
        pytest.skip("mounting is not allowed here")
    with Watch(shared, picture) as watch:
        with mounts.memory(picture.parent):
            assert watch.told() == "not_found"
            draw(picture, GREEN)
            assert watch.tells("green")
        assert watch.told() == "red"


def test_what_is_no_change(shared: Daemon, picture: Path) -> None:
    place = picture.parent
    with Watch(shared, picture) as watch:
        draw(place / "b.png", GREEN)
        draw(place / "a.png.tmp", GREEN)
        (place.parent / "a.png").write_bytes(b"x")
        (place / "b.png").rename(place / "c.png")
        (place / "c.png").unlink()
        picture.read_bytes()
        os.close(os.open(picture, os.O_WRONLY))
        assert watch.is_silent()
        draw(picture, GREEN)
        assert watch.tells("green") == ["green"]


# How often it is told


def test_a_burst_is_told_once_settled(shared: Daemon, picture: Path) -> None:
    # A machine that is busy may pause within the burst, but hardly each time.
    assert any(is_told_once_settled(shared, picture) for _ in range(5))


def is_told_once_settled(shared: Daemon, picture: Path) -> bool:
    contents = [draw(picture.with_name("b.png"), c).read_bytes() for c in (GREEN, BLUE)]
    with Watch(shared, picture) as watch:
        start = time.monotonic()
        for number in range(1000):
            with picture.open("r+b") as file:
                file.write(contents[number % 2])
        seconds = time.monotonic() - start
        replace(picture, BLACK)
        seen = watch.tells("black")
        assert watch.is_silent()
    # Once each second while it lasts, and once at its end.
    return len(seen) <= 2 + seconds


def test_half_of_a_file_is_not_told(shared: Daemon, picture: Path) -> None:
    green = draw(picture.with_name("b.png"), GREEN).read_bytes()
    with Watch(shared, picture) as watch:
        with picture.open("wb", buffering=0) as file:
            for byte in green:
                file.write(bytes([byte]))
                time.sleep(0.02)
        seen = watch.tells("green")
        assert set(seen) == {"green"}


def test_a_slow_reader_gets_the_latest(daemon: Daemon, picture: Path) -> None:
    other = Watch(daemon, picture)
    with Watch(daemon, picture) as slow:
        before = processes.resident(daemon.pid)
        for _ in range(20):
            for color, name in [(GREEN, "green"), (BLUE, "blue")]:
                replace(picture, color)
                assert other.told() == name
        replace(picture, BLACK)
        assert other.told() == "black"
        # What waited in the kernel, what the daemon had begun to send, and the latest.
        seen = slow.tells("black")
        assert len(seen) <= 4, seen
        assert processes.resident(daemon.pid) - before < 8 << 20
        assert slow.is_silent()
    other.close()


def test_a_change_while_the_watch_begins_is_not_missed(shared: Daemon, picture: Path) -> None:
    for number in range(40):
        draw(picture, RED)
        change = threading.Timer(number * 0.0005, replace, [picture, GREEN])
        change.start()
        with Watch(shared, picture) as watch:
            if watch.first != "green":
                assert watch.tells("green")
        change.join()


def test_many_watch_one_picture(shared: Daemon, picture: Path) -> None:
    watches = [Watch(shared, picture) for _ in range(10)]
    replace(picture, GREEN)
    assert [watch.told() for watch in watches] == ["green"] * 10
    for watch in watches:
        watch.close()


# The connection


def test_requests_before_it_are_answered_first(shared: Daemon, slow: Path, picture: Path) -> None:
    with shared.connect() as connection:
        connection.send(id=1, path=str(slow), sampling="exact")
        connection.send(id=2, path=str(picture))
        connection.send(id=3, op="watch", request={"path": str(picture)})
        connection.send(id=4, path=str(picture))
        # Changed while the answers still wait for the first one: no event may overtake them.
        replace(picture, GREEN)
        lines = [connection.receive() for _ in range(4)]
        assert [line["id"] for line in lines] == [1, 2, 3, 4]
        assert not any("event" in line for line in lines)
        assert lines[3]["error"]["code"] == "invalid_request"
        if told(lines[2]) == "red":
            assert told(connection.receive()) == "green"
        assert connection.is_silent(0.3)


def test_a_line_after_it_is_refused_and_it_goes_on(shared: Daemon, picture: Path) -> None:
    with Watch(shared, picture) as watch:
        lines: list[dict[str, Json]] = [
            {"path": str(picture)},
            {"op": "status"},
            {"op": "watch", "request": {}},
        ]
        for line in lines:
            reply = watch.connection.ask(id=1, **line)
            assert reply["id"] == 1
            assert reply["error"]["code"] == "invalid_request"
        watch.connection.send_bytes(b"nonsense\n")
        assert watch.connection.receive()["error"]["code"] == "invalid_request"
        replace(picture, GREEN)
        assert watch.told() == "green"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (None, "invalid_request"),
        ({}, "invalid_request"),
        ({"op": "status"}, "invalid_request"),
        ({"op": "watch", "request": {"path": "/a"}}, "invalid_request"),
        ({"path": "/a", "id": 1}, "invalid_request"),
        ({"path": "/a", "priority": "idle"}, "invalid_request"),
        ({"path": "a"}, "invalid_request"),
        ({"path": "/proc/version"}, "watch_unsupported"),
        ({"path": "/proc/sys/kernel/a.png"}, "watch_unsupported"),
    ],
)
def test_what_does_not_begin(shared: Daemon, picture: Path, request_: Json, code: str) -> None:
    with shared.connect() as connection:
        if request_ is None:
            connection.send(id=1, op="watch")
        else:
            connection.send(id=1, op="watch", request=request_)
        # It goes on as an ordinary one, also with what was sent ahead.
        connection.send(id=2, path=str(picture))
        assert connection.receive()["error"]["code"] == code
        assert told(connection.receive()) == "red"
    wait_until(lambda: shared.counters()["connectionsWatching"] == 0)


def test_half_closed_it_goes_on(daemon: Daemon, picture: Path) -> None:
    with Watch(daemon, picture) as watch:
        watch.connection.end()
        replace(picture, GREEN)
        assert watch.told() == "green"
        # One space, after ten seconds, so that whoever listens knows that it lives.
        assert watch.connection.socket.recv(10) == b" "
        replace(picture, BLUE)
        assert watch.told() == "blue"
        assert daemon.counters()["connectionsWatching"] == 1
    wait_until(lambda: daemon.counters()["connectionsWatching"] == 0)


def test_the_end_of_the_daemon_ends_it(make_daemon: Callable[..., Daemon], picture: Path) -> None:
    daemon = make_daemon().start()
    with Watch(daemon, picture) as watch, Watch(daemon, picture) as half:
        half.connection.end()
        daemon.stop()
        for one in [watch, half]:
            assert one.told() == "shutting_down"
            with pytest.raises(ClosedError):
                one.connection.receive()


# What it costs


def test_hanging_up_frees_everything(daemon: Daemon, picture: Path) -> None:
    before = daemon.settle()
    with Watch(daemon, picture) as watch:
        # The detector detects: a connection, an inotify instance and the table of mounts.
        wait_until(lambda: daemon.descriptors() == before + 3, what="three more descriptors")
        assert watch.first == "red"
        assert daemon.counters()["connectionsWatching"] == 1
        assert processes.threads(daemon.pid) == processes.THREADS
    for number in range(200):
        with Watch(daemon, picture) as watch:
            if number % 20 == 0:
                replace(picture, GREEN if number % 40 else RED)
                watch.told()
    # Some hang up before they are answered.
    for _ in range(50):
        with daemon.connect() as connection:
            connection.send(op="watch", request={"path": str(picture)})
    wait_until(lambda: daemon.counters()["connectionsWatching"] == 0)
    wait_until(lambda: daemon.settle() == before, what="descriptors are back")


def test_there_are_only_so_many(daemon: Daemon, picture: Path) -> None:
    watches = [Watch(daemon, picture) for _ in range(LIMIT)]
    assert {watch.first for watch in watches} == {"red"}
    status = daemon.status()
    assert status["limits"]["watches"] == status["counters"]["connectionsWatching"] == LIMIT
    assert "watch" in status["operations"]
    with daemon.connect() as connection:
        refused = connection.ask(op="watch", request={"path": str(picture)})
        assert refused["error"]["code"] == "busy"
        # Ordinary questions are still answered, on that connection too.
        assert told(connection.ask(path=str(picture))) == "red"
        watches.pop().close()
        wait_until(lambda: daemon.counters()["connectionsWatching"] == LIMIT - 1)
        assert told(connection.ask(op="watch", request={"path": str(picture)})) == "red"
    replace(picture, GREEN)
    assert {watch.told() for watch in watches} == {"green"}
    for watch in watches:
        watch.close()


def test_a_decoder_that_is_killed_does_not_end_it(daemon: Daemon, picture: Path) -> None:
    with Watch(daemon, picture) as watch:
        for color, name in [(GREEN, "green"), (BLUE, "blue")]:
            for zygote in daemon.zygotes():
                os.kill(zygote, signal.SIGKILL)
            replace(picture, color)
            assert watch.told() == name
    assert daemon.counters()["zygoteRestarts"] >= 1


@pytest.fixture
def patient(make_daemon: Callable[..., Daemon]) -> Daemon:
    """A daemon that soon gives up."""
    return make_daemon(arguments=["--deadline", "3", "--jobs", "2"]).start()


@contextlib.contextmanager
def hanging(place: Path, at: str = "lookup") -> Iterator[Path]:
    """Mounts a file system that does not answer; skips the test where none can be."""
    try:
        with HangingMount(place, at):
            yield place
    except NoFuseError as error:
        pytest.skip(str(error))


def test_a_mount_that_hangs_blocks_nobody(patient: Daemon, directory: Path, picture: Path) -> None:
    with (
        Watch(patient, picture) as watch,
        hanging(directory / "hung") as place,
        patient.connect() as connection,
    ):
        connection.send(id=1, op="watch", request={"path": str(place / "a.png")})
        wait_until(lambda: bool(patient.decoders()), what="a child is on its way")
        child = patient.decoders()[0]
        wait_until(lambda: processes.status(child)["Seccomp"] == "2", what="it is locked down")
        assert processes.status(child)["NoNewPrivs"] == "1"
        replace(picture, GREEN)
        assert watch.told() == "green"
        assert told(patient.ask(path=str(picture))) == "green"
        assert connection.receive()["error"]["code"] == "timeout"
        assert processes.threads(patient.pid) == processes.THREADS
        # It has not begun.
        assert told(connection.ask(path=str(picture))) == "green"


def test_a_watch_that_is_led_to_a_mount_that_hangs(
    patient: Daemon, directory: Path, picture: Path
) -> None:
    link = directory / "current"
    link.symlink_to("p")
    with hanging(directory / "hung") as place, Watch(patient, link / "a.png") as watch:
        assert watch.first == "red"
        retarget(link, place)
        assert watch.told() == "timeout"
        # It cannot go on: the connection says so by its end.
        with pytest.raises(ClosedError):
            watch.connection.receive()
        wait_until(lambda: patient.counters()["connectionsWatching"] == 0)
    assert told(patient.ask(path=str(picture))) == "red"


def test_a_file_system_in_user_space_has_no_events(shared: Daemon, directory: Path) -> None:
    with hanging(directory / "fuse", "read") as place:
        error = shared.ask(op="watch", request={"path": str(place / "a.png")})["error"]
        assert error["code"] == "watch_unsupported"
        assert "FUSE" in error["message"]
