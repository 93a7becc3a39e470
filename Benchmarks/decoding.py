"""Pictures that must be decoded: one at a time, thumbnails, and a whole library."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trust  # Says which daemon the harness runs.
from EndToEndTests.harness.daemon import Daemon, running
from EndToEndTests.harness.thumbnails import put_thumbnail
from peers import Peer, PeerError
from PIL import Image

if TYPE_CHECKING:
    from corpus import Corpus
    from rows import Report

Times = dict[str, list[float]]
Measure = Callable[[], dict[str, float]]
OURS, PIXBUF, ALONE, FLOOR = (
    "Undertone",
    "gdk-pixbuf in C",
    "its decoding alone",
    "codec libraries in C",
)
# Milliseconds that an answer may take beside a decoding.
OVERHEAD = 1.5
# Longer than two changes of a file can look like one.
SETTLED = 0.05
CORES = 2


@contextlib.contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keeps what is started in the block on some cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def renew(pictures: Sequence[Path]) -> None:
    """Makes the files others than those that were answered about."""
    for picture in pictures:
        os.utime(picture)
    time.sleep(SETTLED)


def ask_all(daemon: Daemon, pictures: Sequence[Path]) -> float:
    """Asks about pictures through one connection, all at once; returns milliseconds."""
    lines = b"".join(json.dumps({"path": str(path)}).encode() + b"\n" for path in pictures)
    with daemon.connect(timeout=120) as connection:
        start = time.perf_counter()
        connection.send_bytes(lines)
        received = bytearray()
        while received.count(b"\n") < len(pictures):
            received += connection.socket.recv(1 << 20)
        end = time.perf_counter()
    wrong = [line for line in received.splitlines() if b'"error"' in line]
    assert not wrong, wrong[:3]
    return (end - start) * 1000


def ask_each(daemon: Daemon, pictures: Sequence[Path], **options: str) -> float:
    """Asks about pictures one after the other; returns milliseconds for one."""
    lines = [json.dumps({"path": str(path), **options}).encode() + b"\n" for path in pictures]
    with daemon.connect() as connection:
        start = time.perf_counter()
        for line in lines:
            connection.send_bytes(line)
            answer = connection.raw_line()
            assert b'"result"' in answer, answer
        return (time.perf_counter() - start) * 1000 / len(pictures)


def printed(command: Sequence[str | Path]) -> list[float]:
    done = subprocess.run(command, check=True, capture_output=True)
    return [float(word) for word in done.stdout.split()]


def alone(peer: Peer, picture: Path) -> dict[str, float]:
    """Times a peer's process for one picture."""
    return {peer.name: peer.milliseconds(picture)}


def shared(peer: Peer, pictures: Sequence[Path]) -> dict[str, float]:
    """Times a peer's processes for a library."""
    return {peer.name: peer.library_milliseconds(pictures, CORES)}


def alternate(tools: dict[str, Measure], runs: int) -> dict[str, float]:
    """Runs the tools in turn, again and again; returns the median of each figure.

    Each time in another order, because memory that the tool before has just given back comes
    sooner than other. What fails is left out, and said.
    """
    times: dict[str, Times] = {name: {} for name in tools}
    for run in range(runs):
        for name in random.Random(run).sample(list(times), len(times)):
            try:
                for figure, value in tools[name]().items():
                    times[name].setdefault(figure, []).append(value)
            except PeerError as error:
                print(f"left out: {name}: {error}", flush=True)
                del times[name]
    return {
        figure: statistics.median(values)
        for figures in times.values()
        for figure, values in figures.items()
    }


def single_pictures(
    report: Report, corpus: Corpus, programs: dict[str, Path], peers: list[Peer], runs: int
) -> dict[str, dict[str, float]]:
    """Compares answers about new pictures with the decoding alone and with whole processes."""
    found = {}
    with running() as daemon:
        for name, picture in corpus.single.items():

            def ours(picture: Path = picture) -> dict[str, float]:
                renew([picture])
                return {OURS: ask_each(daemon, [picture])}

            def pixbuf(picture: Path = picture) -> dict[str, float]:
                reading, decoding, averaging = printed([programs["pixbuf"], picture])[:3]
                whole = reading + decoding + averaging
                return {PIXBUF: whole / 1e6, ALONE: (reading + decoding) / 1e6}

            def floor(picture: Path = picture) -> dict[str, float]:
                return {FLOOR: printed([programs["floor"], picture])[0] / 1e6}

            tools: dict[str, Measure] = {OURS: ours, PIXBUF: pixbuf, FLOOR: floor}
            for peer in peers:
                tools[peer.name] = functools.partial(alone, peer, picture)
            found[name] = times = alternate(tools, runs)
            answer, decoding = times[OURS], times[ALONE]
            report.judge(
                f"{name}: answer less {OVERHEAD} ms, by decoding alone",
                (answer - OVERHEAD) / decoding,
                f"({answer:.1f} - {OVERHEAD}) / {decoding:.1f}",
            )
            best = min((peer.name for peer in peers if peer.name in times), key=times.__getitem__)
            report.judge(
                f"{name}: the fastest peer by the answer",
                times[best] / answer,
                f"{best} {times[best]:.0f} / {answer:.1f}",
            )
    return found


def table(found: dict[str, dict[str, float]]) -> str:
    """Lays out medians in Markdown, and beside each how often ours fits into it."""
    tools = list(dict.fromkeys(tool for times in found.values() for tool in times))
    lines = [f"| Milliseconds | {' | '.join(found)} |", f"|---{'|---:' * len(found)}|"]
    for tool in tools:
        cells = [
            f"{times[tool]:,.0f} ({times[tool] / times[OURS]:.2f})" if tool in times else ""
            for times in found.values()
        ]
        lines.append(f"| {tool} | {' | '.join(cells)} |")
    return "\n".join(lines)


def thumbnails(report: Report, corpus: Corpus, pixbuf: Path, runs: int) -> None:
    """Compares thumbnails, each a new file, with their decoding in C."""
    with running() as daemon:
        for name, pictures in (("JPEG", corpus.jpeg_thumbnails), ("PNG", corpus.png_thumbnails)):

            def ours(pictures: list[Path] = pictures) -> dict[str, float]:
                renew(pictures)
                return {OURS: ask_each(daemon, pictures)}

            def decoded(pictures: list[Path] = pictures) -> dict[str, float]:
                return {PIXBUF: printed([pixbuf, *pictures])[0] / 1e6 / len(pictures)}

            def together(pictures: list[Path] = pictures) -> dict[str, float]:
                renew(pictures)
                return {"rate": len(pictures) * 1000 / ask_all(daemon, pictures)}

            times = alternate({OURS: ours, PIXBUF: decoded, "rate": together}, runs)
            report.judge(
                f"{name} thumbnails: ms for one beside its decoding",
                times[OURS] - times[PIXBUF],
                f"{times[OURS]:.2f} - {times[PIXBUF]:.2f}",
            )
            if name == "PNG":
                report.judge("PNG thumbnails: in one second", times["rate"])


def stand_ins(report: Report, corpus: Corpus, runs: int) -> None:
    """Compares the answer by a thumbnail of the desktop's cache with the picture's own."""
    name = "24 MP JPEG"
    picture = corpus.single[name]
    with Image.open(picture) as image:
        image.thumbnail((256, 256))
        thumbnail = image.convert("RGB")
    with running() as daemon:

        def own() -> dict[str, float]:
            renew([picture])
            return {"own": ask_each(daemon, [picture])}

        def by_thumbnail() -> dict[str, float]:
            os.utime(picture)
            put_thumbnail(daemon.directory / "cache", picture, thumbnail)
            time.sleep(SETTLED)
            return {"thumbnail": ask_each(daemon, [picture], sampling="thumbnail")}

        times = alternate({"own": own, "thumbnail": by_thumbnail}, runs)
        assert daemon.color(picture, sampling="thumbnail")["image"]["sampling"] == "thumbnail"
    report.judge(
        f"{name}: the answer by the answer from its thumbnail",
        times["own"] / times["thumbnail"],
        f"{times['own']:.1f} / {times['thumbnail']:.2f}",
    )


def library(
    report: Report, corpus: Corpus, pixbuf: Path, peers: list[Peer], runs: int
) -> dict[str, float]:
    """Compares a library with two threads of C and with peers; then asks again."""
    pictures = corpus.library
    again: Times = {"warm": [], "after a restart": []}
    tools: dict[str, Measure] = {}
    with contextlib.ExitStack() as stack:
        daemon = stack.enter_context(running())
        with on_cores(1):
            narrow = stack.enter_context(running(arguments=["--jobs", "1"]))

        def ours() -> dict[str, float]:
            renew(pictures)
            return {OURS: ask_all(daemon, pictures)}

        def one_core() -> dict[str, float]:
            renew(pictures)
            return {"one core": ask_all(narrow, pictures)}

        tools[OURS] = ours
        tools[PIXBUF] = lambda: {PIXBUF: printed([pixbuf, "-j", str(CORES), *pictures])[0] / 1e6}
        for peer in [peer for peer in peers if peer.batch]:
            tools[peer.name] = functools.partial(shared, peer, pictures)
        tools["one core"] = one_core
        times = alternate(tools, runs)
        # Of one answered a moment ago, the cache may not trust the time of its change yet.
        ask_all(daemon, pictures)
        for _ in range(runs):
            again["warm"].append(ask_all(daemon, pictures))
        for _ in range(runs):
            daemon.stop()
            daemon.start()
            again["after a restart"].append(ask_all(daemon, pictures))
    whole = times[OURS]
    report.judge(
        "library: by two threads of C", whole / times[PIXBUF], f"{whole:.0f} / {times[PIXBUF]:.0f}"
    )
    for peer in [peer for peer in peers if peer.name in times]:
        report.judge(
            f"library: {peer.name} by ours",
            times[peer.name] / whole,
            f"{times[peer.name]:.0f} / {whole:.0f}",
        )
    report.judge(
        "library: one core by two",
        times["one core"] / whole,
        f"{times['one core']:.0f} / {whole:.0f}",
    )
    for name, values in again.items():
        report.judge(f"library again, {name}, ms", statistics.median(values))
    return times


assert trust.BUILD.is_dir(), "make build comes first"
