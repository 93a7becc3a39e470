"""What becomes of questions when decoders die, hang or are missing, and who waits for whom."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from .harness import processes, wcag
from .harness.connection import wait_until
from .harness.daemon import BIN, elapsed
from .harness.held import MOMENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from .harness.daemon import Daemon
    from .harness.held import Held

RED = Path(__file__).parent / "cases/49-ipc-framing/red.png"


def region(number: int, count: int = 100) -> dict[str, dict[str, object]]:
    """An area that makes a question another one than all others of the test."""
    return {"r": {"edge": "top", "size": (number + 1) / count}}


def catch_decoder(daemon: Daemon) -> int:
    """Waits for a decoder at work and stops it where it is."""
    found: list[int] = []

    def one_runs() -> bool:
        for pid in daemon.decoders():
            try:
                os.kill(pid, signal.SIGSTOP)
            except ProcessLookupError:
                continue
            if processes.state(pid) in {"T", "t", "R", "S"}:
                found.append(pid)
                return True
        return False

    wait_until(one_runs, what="a decoder runs")
    return found[0]


def test_a_large_picture_asks_for_huge_pages(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    setting = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if not setting.exists() or "[never]" in setting.read_text():
        pytest.skip("this kernel has no huge pages")
    path = directory / "large.png"
    pixels = np.random.default_rng(6).integers(0, 256, (2100, 2100, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path, compress_level=1)
    # Builds for development are many times slower.
    daemon = make_daemon(arguments=["--deadline", "120"]).start()

    def one_asks() -> bool:
        for pid in daemon.decoders():
            try:
                if processes.prefers_huge_pages(pid):
                    return True
            except (FileNotFoundError, ProcessLookupError):
                continue
        return False

    with daemon.connect(timeout=240) as connection:
        connection.send(path=str(path))
        wait_until(one_asks, what="a decoder asks for huge pages")
        color = wcag.parse(connection.receive()["result"]["average"]["simple"])
        assert all(
            abs(sent - mean) <= 1 for sent, mean in zip(color, pixels.mean((0, 1)), strict=True)
        )
    assert not any(map(processes.prefers_huge_pages, daemon.zygotes()))


def test_a_decoder_that_is_killed(daemon: Daemon, slow: Path) -> None:
    with daemon.connect() as connection:
        connection.send(id=1, path=str(slow), sampling="exact")
        os.kill(catch_decoder(daemon), signal.SIGKILL)
        reply = connection.receive()
        assert reply["error"]["code"] == "decoder_crashed", reply
        # Nobody else notices.
        assert connection.ask(id=2, path=str(RED))["result"]["background"] == "#c81414"
    daemon.settle()
    assert daemon.counters()["crashes"] == 1


def test_a_picture_that_crashes_is_remembered_until_it_changes(
    daemon: Daemon, slow: Path, directory: Path
) -> None:
    path = directory / "crasher.png"
    path.write_bytes(slow.read_bytes())
    with daemon.connect() as connection:
        connection.send(path=str(path), sampling="exact")
        pid = catch_decoder(daemon)
        os.kill(pid, signal.SIGSEGV)
        os.kill(pid, signal.SIGCONT)
        assert connection.receive()["error"]["code"] == "decoder_crashed"
    before = daemon.counters()["decodes"]
    assert daemon.error(path, sampling="exact")["code"] == "decoder_crashed"
    # Whatever else is asked of it.
    assert daemon.error(path, regions=region(1))["code"] == "decoder_crashed"
    assert daemon.counters()["decodes"] == before
    assert daemon.counters()["crashes"] == 1
    os.utime(path)
    assert daemon.color(path)["image"]["complete"] is True


def test_a_decoder_that_hangs(make_daemon: Callable[..., Daemon], slow: Path) -> None:
    daemon = make_daemon(arguments=["--deadline", "1", "--jobs", "2"]).start()
    assert daemon.status()["limits"]["deadlineSeconds"] == 1
    with daemon.connect() as connection:
        start = time.monotonic()
        connection.send(path=str(slow), sampling="exact")
        pid = catch_decoder(daemon)
        # The other slot goes on.
        for number in range(5):
            assert daemon.color(RED, regions=region(number))
        assert connection.receive()["error"]["code"] == "timeout"
        assert elapsed(start) > 0.9
    wait_until(lambda: processes.state(pid) is None, what="the decoder is gone and buried")
    daemon.settle()
    counters = daemon.counters()
    assert counters["timeouts"] == 1
    assert counters["decodersStuck"] == 0


def test_every_slot_hangs(make_daemon: Callable[..., Daemon], slow: Path) -> None:
    daemon = make_daemon(arguments=["--deadline", "1", "--jobs", "2"]).start()
    connections = [daemon.connect() for _ in range(4)]
    for number, connection in enumerate(connections):
        connection.send(path=str(slow), sampling="exact", regions=region(number))
    stopped: set[int] = set()
    answered = time.monotonic() + 60
    while daemon.counters()["timeouts"] < 4:
        assert time.monotonic() < answered
        for pid in daemon.decoders():
            try:
                os.kill(pid, signal.SIGSTOP)
            except ProcessLookupError:
                continue
            stopped.add(pid)
    assert len(stopped) == 4
    for connection in connections:
        assert connection.receive()["error"]["code"] == "timeout"
        connection.close()
    assert daemon.color(RED)["background"] == "#c81414"


def test_a_zygote_that_is_killed(daemon: Daemon, slow: Path) -> None:
    daemon.color(RED)
    descriptors = daemon.settle()
    zygote = daemon.zygote()
    with daemon.connect() as connection:
        for number in range(6):
            connection.send(id=number, path=str(slow), sampling="exact", regions=region(number))
        wait_until(lambda: daemon.decoders() != [])
        orphans = daemon.decoders()
        os.kill(zygote, signal.SIGKILL)
        replies = [connection.receive() for _ in range(6)]
    assert [reply["id"] for reply in replies] == list(range(6))
    # Those at work are tried once more, by the next zygote, like those that were not yet.
    assert all("result" in reply for reply in replies), replies
    assert daemon.zygotes() != [zygote]
    assert daemon.counters()["zygoteRestarts"] == 1
    wait_until(lambda: all(processes.state(pid) in {None, "Z"} for pid in orphans))
    assert daemon.settle() == descriptors


def test_zygotes_that_are_killed_again_and_again(daemon: Daemon) -> None:
    descriptors = daemon.settle()
    for turn in range(6):
        os.kill(daemon.zygote(), signal.SIGKILL)
        assert daemon.color(RED, regions=region(turn))["background"] == "#c81414"
    assert daemon.settle() == descriptors
    assert daemon.counters()["zygoteRestarts"] == 6
    assert processes.threads(daemon.pid) == processes.THREADS


def test_a_zygote_that_hangs(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=["--deadline", "1"]).start()
    daemon.color(RED)
    zygote = daemon.zygote()
    os.kill(zygote, signal.SIGSTOP)
    # What is known needs no decoder.
    assert daemon.color(RED)["background"] == "#c81414"
    # The rest is answered by the next one. No picture has cost any time yet, so none is late.
    assert daemon.color(RED, regions=region(1))["background"] == "#c81414"
    assert processes.state(zygote) is None
    counters = daemon.counters()
    assert counters["zygoteRestarts"] == 1
    assert counters["timeouts"] == 0


@pytest.mark.parametrize("decoder", ["/bin/false", "/bin/true", "/bin/cat"])
def test_a_decoder_that_is_none(make_daemon: Callable[..., Daemon], decoder: str) -> None:
    daemon = make_daemon(arguments=["--decoder", decoder]).start(ready=False)
    status = daemon.status()
    assert status["formats"] is None
    assert status["sandbox"] is None
    assert daemon.error(RED)["code"] == "internal"
    # Waiting for the next attempt takes no processor time.
    before = processes.seconds(daemon.pid)
    time.sleep(1)
    assert processes.seconds(daemon.pid) - before < 0.3
    # Only a decoder could tell that there is no such file.
    assert daemon.error(Path("/no/such/file"))["code"] == "internal"


def test_the_first_status_waits_for_the_decoder(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    go = directory / "go"
    decoder = directory / "decoder"
    decoder.write_text(
        f"#!/bin/sh\nwhile ! [ -e {go} ]; do sleep 0.05; done\n"
        f'exec {BIN / "undertone-decoder"} "$@"\n'
    )
    decoder.chmod(0o700)
    daemon = make_daemon(arguments=["--decoder", str(decoder)]).start(ready=False)
    with daemon.connect() as first, daemon.connect() as other, daemon.connect() as gone:
        first.send(id=1, op="status")
        first.send(id=2, op="nonsense")
        gone.send(op="status")
        # It keeps its turn on its own connection, and nobody else waiting.
        assert other.ask(id=3, op="nonsense")["error"]["code"] == "unknown_op"
        assert first.is_silent(0.2)
        gone.close()
        go.touch()
        status = first.receive()["result"]
        assert {"png", "jpeg"} <= set(status["formats"])
        assert status["sandbox"]["seccomp"] is True
        assert status["pid"] == daemon.pid
        assert first.receive()["id"] == 2
        # From now on it waits for nothing.
        assert other.ask(op="status")["result"]["formats"] == status["formats"]


def loader_lists() -> tuple[str, str]:
    """The list of this machine's loaders, and the same without WebP's."""
    query = next(Path("/usr/lib").glob("*/gdk-pixbuf-2.0/gdk-pixbuf-query-loaders"))
    modules = subprocess.run([query], capture_output=True, text=True, check=True).stdout
    blocks = [block for block in modules.split("\n\n") if "webp" not in block]
    return modules, "\n\n".join(blocks)


def test_a_loader_that_is_missing(
    make_daemon: Callable[..., Daemon], directory: Path, draw: Callable[..., Path]
) -> None:
    probe = make_daemon().start()
    if "webp" not in probe.status()["formats"]:
        pytest.skip("the WebP loader is not installed")
    _, without = loader_lists()
    cache = directory / "loaders.cache"
    cache.write_text(without)
    daemon = make_daemon(environment={"GDK_PIXBUF_MODULE_FILE": str(cache)}).start()
    assert daemon.color(RED)
    assert "webp" not in daemon.status()["formats"]
    error = daemon.error(draw("x.webp"))
    assert error["code"] == "unsupported_format"
    assert error["package"] == "webp-pixbuf-loader"
    # What can't be anything has no package.
    assert "package" not in daemon.error(Path(__file__))


def test_a_loader_that_is_removed_is_forgotten_by_both_decoders(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    if not {"webp", "svg"} <= set(make_daemon().start().status()["formats"]):
        pytest.skip("the WebP loader or the SVG loader is not installed")
    every, without = loader_lists()
    cache = directory / "loaders.cache"
    cache.write_text(every)
    daemon = make_daemon(environment={"GDK_PIXBUF_MODULE_FILE": str(cache)}).start()
    drawing = directory / "a.svg"
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')
    # The wide decoder, too, has said what it can do.
    assert daemon.color(drawing)["opacity"] == 0
    assert "webp" in daemon.status()["formats"]
    cache.write_text(without)
    wait_until(lambda: "webp" not in daemon.status()["formats"], what="the list is read")


def test_a_loader_that_is_installed_meanwhile(
    make_daemon: Callable[..., Daemon], directory: Path, draw: Callable[..., Path]
) -> None:
    if "webp" not in make_daemon().start().status()["formats"]:
        pytest.skip("the WebP loader is not installed")
    every, without = loader_lists()
    cache = directory / "loaders.cache"
    cache.write_text(without)
    daemon = make_daemon(environment={"GDK_PIXBUF_MODULE_FILE": str(cache)}).start()
    picture = draw("x.webp", lossless=True)
    assert daemon.error(picture)["code"] == "unsupported_format"
    descriptors = daemon.settle()

    def knows_webp() -> bool:
        return "webp" in daemon.status()["formats"]

    # Written over, as gdk-pixbuf-query-loaders does it, and replaced.
    cache.write_text(every)
    wait_until(knows_webp, what="the new list is read")
    assert daemon.color(picture)["background"] == "#c81414"
    new = directory / "new.cache"
    new.write_text(without)
    new.rename(cache)
    wait_until(lambda: not knows_webp(), what="the next list is read")
    # What else happens there is nothing to it.
    zygote = daemon.zygote()
    (directory / "other").write_text("other")
    new.write_text(every)
    time.sleep(1)
    assert daemon.zygotes() == [zygote]
    assert daemon.settle() == descriptors
    assert daemon.counters()["zygoteRestarts"] == 0


def test_one_decoding_for_all_who_ask_at_once(daemon: Daemon, slow: Path) -> None:
    connections = [daemon.connect() for _ in range(10)]
    for connection in connections:
        connection.send(path=str(slow), sampling="exact")
    lines = {connection.raw_line() for connection in connections}
    assert len(lines) == 1
    counters = daemon.counters()
    assert counters["decodes"] == 1
    assert counters["sharedDecodes"] + counters["cacheHits"] == 9
    for connection in connections:
        connection.close()


def test_a_file_that_is_replaced_answers_for_its_own_path_only(
    make_daemon: Callable[..., Daemon], slow: Path, directory: Path, hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--jobs", "1", "--deadline", "60"]).start()
    path, link, other = directory / "a.png", directory / "b.png", directory / "c.png"
    path.write_bytes(slow.read_bytes())
    link.hardlink_to(path)
    other.write_bytes(RED.read_bytes())
    expected = daemon.color(slow)["background"]
    assert expected != "#c81414"
    # Both paths are known to the kernel, and to lead to one file.
    assert path.stat().st_ino == link.stat().st_ino
    held = hold()
    with daemon.connect() as first, daemon.connect() as one, daemon.connect() as two:
        first.send(path=str(held.path))
        wait_until(lambda: daemon.decoders() != [])
        one.send(path=str(path))
        two.send(path=str(link))
        wait_until(lambda: daemon.counters()["sharedDecodes"] == 1, what="they share one decoding")
        assert daemon.counters()["decodersQueued"] == 1
        other.rename(path)
        held.release()
        assert one.receive()["result"]["background"] == "#c81414"
        assert two.receive()["result"]["background"] == expected


def test_a_long_queue_ends_with_its_decoder(
    make_daemon: Callable[..., Daemon], directory: Path
) -> None:
    decoder = directory / "decoder"
    decoder.write_text("#!/bin/sh\nsleep 1\n")
    decoder.chmod(0o700)
    daemon = make_daemon(arguments=["--decoder", str(decoder)]).start(ready=False)
    connections = [daemon.connect() for _ in range(200)]
    for number, connection in enumerate(connections):
        for turn in range(60):
            connection.send(path=f"/nowhere/{number}.{turn}")
    for connection in connections:
        for _ in range(60):
            assert connection.receive()["error"]["code"] == "internal"
        connection.close()
    daemon.settle()


def test_idle_questions_wait_for_normal_ones(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--jobs", "1", "--deadline", "60"]).start()
    busy, waiting = hold("busy.png"), hold("waiting.png")
    with daemon.connect() as first, daemon.connect() as idle, daemon.connect(MOMENT) as normal:
        first.send(path=str(busy.path))
        wait_until(lambda: daemon.decoders() != [])
        for number in range(3):
            idle.send(path=str(waiting.path), regions=region(number), priority="idle")
        wait_until(lambda: daemon.counters()["decodersQueued"] == 3)
        normal.send(path=str(RED), regions=region(10))
        wait_until(lambda: daemon.counters()["decodersQueued"] == 4)
        busy.release()
        # It comes although any of those that were there before would keep the slot.
        assert "result" in normal.receive()
        assert "result" in first.receive()
        waiting.release()
        for _ in range(3):
            assert "result" in idle.receive()


def test_many_questions_of_one_client_do_not_starve_another(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--jobs", "1", "--deadline", "60"]).start()
    pictures = [hold(f"{number}.png") for number in range(10)]
    with daemon.connect() as greedy, daemon.connect(MOMENT) as modest:
        for held in pictures:
            greedy.send(path=str(held.path))
        wait_until(lambda: daemon.counters()["decodersQueued"] == 9)
        modest.send(path=str(RED), regions=region(50))
        wait_until(lambda: daemon.counters()["decodersQueued"] == 10)
        # The one at work, and one whose turn it may be; none of the other eight ever ends.
        for held in pictures[:2]:
            held.release()
        assert "result" in modest.receive()
        for held in pictures[2:]:
            held.release()
        for _ in pictures:
            assert "result" in greedy.receive()


def test_a_hang_up_cancels_what_is_queued(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--jobs", "1", "--deadline", "60"]).start()
    held = hold()
    with daemon.connect() as connection:
        for number in range(40):
            connection.send(path=str(held.path), regions=region(number))
        wait_until(lambda: daemon.counters()["decodersQueued"] == 39)
    daemon.settle()
    assert daemon.counters()["decodes"] == 1


def test_the_cache_is_bounded_in_bytes(make_daemon: Callable[..., Daemon]) -> None:
    daemon = make_daemon(arguments=["--memory-cache", "1", "--no-cache"]).start()
    assert daemon.status()["limits"]["memoryCacheBytes"] == 1 << 20
    with daemon.connect() as connection:
        for start in range(0, 300, 50):
            for number in range(start, start + 50):
                connection.send(path=str(RED), regions=region(number, 1000))
            for _ in range(50):
                assert "result" in connection.receive()
    counters = daemon.counters()
    assert 0 < counters["cacheBytes"] <= 1 << 20
    assert 0 < counters["cacheEntries"] < 300
    assert counters["decodes"] == 300
    # The latest is still there, the first is not.
    daemon.color(RED, regions=region(299, 1000))
    assert daemon.counters()["decodes"] == 300
    daemon.color(RED, regions=region(0, 1000))
    assert daemon.counters()["decodes"] == 301
