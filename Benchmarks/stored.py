"""What the cache on disk costs and saves, with as many entries as its default size holds."""

from __future__ import annotations

import json
import sqlite3
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

from decoding import on_cores, renew  # Imports trust, which says which daemon the harness runs.
from EndToEndTests.harness.daemon import Daemon, running

if TYPE_CHECKING:
    from rows import Report

ENTRIES = 100_000
# Questions whose answers are on disk, each of them another one.
QUESTIONS = 2000
STORE = Path("cache/undertone/summaries.sqlite")


def lines(picture: Path) -> list[bytes]:
    """Questions about a picture that are another decode each."""
    return [
        json.dumps({"path": str(picture), "backdrop": f"#{number:06x}"}).encode() + b"\n"
        for number in range(QUESTIONS)
    ]


def fill(path: Path) -> None:
    """Makes up entries of the size of those that are there, none of which is ever asked for."""
    database = sqlite3.connect(path)
    key, size, value = database.execute(
        "SELECT length(key), size, length(value) FROM entry JOIN summary USING (id)"
    ).fetchone()
    missing = ENTRIES - database.execute("SELECT count(*) FROM entry").fetchone()[0]
    for _ in range(missing):
        (entry,) = database.execute(
            "INSERT INTO entry (key, used) VALUES (randomblob(?), 0) RETURNING id", [key]
        ).fetchone()
        database.execute(
            "INSERT INTO summary (id, size, checksum, value) VALUES (?, ?, 0, randomblob(?))",
            [entry, size, value],
        )
    database.commit()
    database.close()


def hit_microseconds(daemon: Daemon, questions: list[bytes]) -> list[float]:
    """Times questions that are answered from disk, one after the other."""
    times = []
    with daemon.connect() as connection:
        # Which opens the file.
        connection.send_bytes(questions[0])
        connection.raw_line()
        for question in questions[1:]:
            start = time.perf_counter()
            connection.send_bytes(question)
            answer = connection.raw_line()
            times.append((time.perf_counter() - start) * 1e6)
            assert b'"result"' in answer, answer
    counters = daemon.counters()
    assert counters["diskHits"] == len(questions), counters
    return times


def first_milliseconds(daemon: Daemon, picture: Path) -> float:
    """Times a daemon from its start to its first answer about a picture that is new to it."""
    renew([picture])
    start = time.perf_counter()
    daemon.start(ready=False)
    daemon.color(picture)
    end = time.perf_counter()
    daemon.stop()
    return (end - start) * 1000


def stored(report: Report, picture: Path, runs: int) -> None:
    """Judges a hit among many entries, the start beside them, and the size of the file.

    For a hit both ends have one core: between two that are idle a question, its look-up in the
    other thread and its answer wait some 30 µs each, of which none is the daemon's work.
    """
    questions = lines(picture)
    times: list[float] = []
    starts: dict[bool, list[float]] = {True: [], False: []}
    with running() as daemon, running(arguments=["--no-cache"]) as other:
        with daemon.connect(timeout=120) as connection:
            for question in questions:
                connection.send_bytes(question)
                connection.raw_line()
        for one in (daemon, other):
            one.stop()
        fill(daemon.directory / STORE)
        portion = len(questions) // runs
        for run in range(runs):
            with on_cores(1):
                daemon.start()
                times += hit_microseconds(daemon, questions[run * portion : (run + 1) * portion])
            daemon.stop()
        for _ in range(runs):
            starts[True].append(first_milliseconds(daemon, picture))
            starts[False].append(first_milliseconds(other, picture))
        size = (daemon.directory / STORE).stat().st_size / (1 << 20)
    report.judge("100,000 entries on disk: a hit, µs", statistics.median(times))
    report.judge("100,000 entries on disk: the file, MiB", size)
    a, b = statistics.median(starts[True]), statistics.median(starts[False])
    report.judge(
        "100,000 entries on disk: start to first answer, by none", a / b, f"{a:.1f} / {b:.1f} ms"
    )
