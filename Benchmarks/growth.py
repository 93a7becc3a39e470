"""What a daemon costs as it grows, as it starts, and what its command line costs."""

from __future__ import annotations

import itertools
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trust
from decoding import ask_all
from EndToEndTests.harness.daemon import Daemon, running

if TYPE_CHECKING:
    from rows import Report

# Pictures that are asked about at once, and by which the time is taken.
PORTION = 500
CACHED = 10_000


def private_mebibytes(daemon: Daemon) -> float:
    """Weighs the daemon and its children, without what they share with anyone."""
    total = 0
    for process in [daemon.pid, *daemon.zygotes()]:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if "Private_" in line)
    return total / 1024


def many_pictures(directory: Path, count: int) -> list[Path]:
    """Writes so many small pictures, no two in one file."""
    from PIL import Image  # Debian ships no type information for it

    seed = directory / "seed.png"
    Image.linear_gradient("L").resize((24, 24)).convert("RGB").save(seed)
    data = seed.read_bytes()
    paths = []
    for number in range(count):
        if number % 1000 == 0:
            (directory / str(number // 1000)).mkdir()
        path = directory / str(number // 1000) / f"{number}.png"
        path.write_bytes(data)
        paths.append(path)
    return paths


def growth(report: Report, directory: Path, count: int) -> None:
    """Asks about more and more pictures; time and memory must not grow with them."""
    paths = many_pictures(directory, count)
    times: list[float] = []
    with running() as daemon:
        for start in range(0, count, PORTION):
            portion = paths[start : start + PORTION]
            times.append(ask_all(daemon, portion) / len(portion))
            if start + PORTION == CACHED:
                # A zygote that is idle gives back its code after a second.
                time.sleep(2)
                report.judge("10,000 cached summaries: memory, MiB", private_mebibytes(daemon))
        time.sleep(2)
        tenth = max(1, len(times) // 10)
        first, last = statistics.median(times[:tenth]), statistics.median(times[-tenth:])
        report.judge(
            "growth: time for one at the end by the beginning",
            last / first,
            f"{count:,} pictures: {last:.2f} / {first:.2f} ms",
        )
        report.judge("growth: memory at the end, MiB", private_mebibytes(daemon))


def start_to_ready(runs: int) -> float:
    """Times a daemon from its start to its first answer, which is of its state."""
    times = []
    with running() as daemon:
        for _ in range(runs):
            daemon.stop()
            start = time.perf_counter()
            daemon.process = daemon.spawn()
            for _ in itertools.count():
                try:
                    with daemon.connect() as connection:
                        connection.ask(op="status")
                    break
                except (FileNotFoundError, ConnectionRefusedError):
                    time.sleep(0.0002)
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def command_line(picture: Path, runs: int) -> float:
    """Times `undertone FILE` whose answer is cached."""
    with running() as daemon:
        daemon.color(picture)
        command: Sequence[str | Path] = [
            trust.BUILD / "undertone", "--socket", daemon.socket, picture,
        ]  # fmt: skip
        times = []
        for _ in range(10 * runs):
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            code = process.wait()
            times.append((time.perf_counter() - start) * 1000)
            assert code == 0
    return statistics.median(times)


def start_and_client(report: Report, picture: Path, runs: int) -> None:
    """Judges both."""
    report.judge("daemon: start to ready, ms", start_to_ready(runs))
    report.judge("undertone FILE, cached: whole process, ms", command_line(picture, runs))
