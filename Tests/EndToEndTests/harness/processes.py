"""What the kernel says of processes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# The threads of a daemon that was asked about a picture: its own, and the one that may wait for
# the disk of its cache.
THREADS = 2


def status(pid: int) -> dict[str, str]:
    """Returns the fields of a process's status file."""
    text = Path(f"/proc/{pid}/status").read_text()
    fields = (line.partition(":") for line in text.splitlines())
    return {name: value.strip() for name, _, value in fields}


def threads(pid: int) -> int:
    """Returns the number of a process's threads."""
    return int(status(pid)["Threads"])


def numbers(pid: int) -> set[int]:
    """Returns the numbers of a process's open descriptors.

    Those of the cache on disk are left out: it is opened by a question, and let go later.
    """
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            if not entry.readlink().name.startswith("summaries.sqlite"):
                found.add(int(entry.name))
    return found


def descriptors(pid: int) -> int:
    """Returns how many descriptors a process has open."""
    return len(numbers(pid))


def resident(pid: int) -> int:
    """Returns the bytes of memory that a process holds."""
    return int(status(pid)["VmRSS"].split()[0]) * 1024


def peak(pid: int) -> int:
    """Returns the most bytes of memory that a process has ever held."""
    return int(status(pid)["VmHWM"].split()[0]) * 1024


def prefers_huge_pages(pid: int) -> bool:
    """Returns whether a process has asked for huge pages for any of its memory."""
    flags = [line for line in Path(f"/proc/{pid}/smaps").read_text().splitlines() if "VmFl" in line]
    return any("hg" in line.split() for line in flags)


def state(pid: int) -> str | None:
    """Returns a process's state letter, None if there is none."""
    try:
        return status(pid)["State"][0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def seconds(pid: int) -> float:
    """Returns for how long processors have worked for a process."""
    return _ticks(pid)[0]


def buried_seconds(pid: int) -> float:
    """Returns for how long processors have worked for the dead children of a process."""
    return _ticks(pid)[1]


def _ticks(pid: int) -> tuple[float, float]:
    fields = [
        int(field) for field in Path(f"/proc/{pid}/stat").read_text().split(") ")[1].split()[1:]
    ]
    each = os.sysconf("SC_CLK_TCK")
    return (fields[10] + fields[11]) / each, (fields[12] + fields[13]) / each


def name(pid: int) -> str:
    """Returns the name of a process's program, at most 15 characters."""
    return status(pid)["Name"]


def children(pid: int) -> list[int]:
    """Returns a process's children, zombies included."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        lists = [(task / "children").read_text().split() for task in tasks]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for found in lists for child in found]


def zombies(pid: int) -> list[int]:
    """Returns the dead that a process or one of its descendants has not buried."""
    found = []
    for child in children(pid):
        if state(child) == "Z":
            found.append(child)
        found += zombies(child)
    return found


def private(pid: int) -> int:
    """Returns the bytes of memory that a process shares with nobody."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
