"""The soak finds what it looks for: each of its detectors is shown a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from EndToEndTests.harness import processes
from EndToEndTests.harness.connection import Connection, wait_until

from .audit import Audit
from .ledger import Ledger, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class FakeConnection(Connection):
    """A daemon that answers all questions at once, after something was done to its replies."""

    def __init__(self, tamper: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
        self._tamper = tamper
        self._lines: list[bytes] = []

    def send_bytes(self, data: bytes) -> None:
        questions = [json.loads(line) for line in data.splitlines()]
        replies = [{"id": one["id"], "result": {"color": one["path"]}} for one in questions]
        self._lines = [json.dumps(reply).encode() for reply in self._tamper(replies)]

    def raw_line(self) -> bytes:
        if not self._lines:
            raise TimeoutError
        return self._lines.pop(0)


def ask(tamper: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Ledger:
    """Asks three questions of a fake."""

    def question(name: str) -> Question:
        return Question({"path": name}, lambda result: None if result["color"] == name else "wrong")

    ledger = Ledger()
    ledger.exchange(FakeConnection(tamper), [question(name) for name in ["a", "b", "c"]])
    return ledger


def error(code: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": ""}}


def test_right_replies_are_no_fault() -> None:
    ledger = ask(lambda replies: replies)
    assert ledger.faults == []
    assert ledger.counted("questions") == ledger.counted("replies: result") == 3


@pytest.mark.parametrize(
    ("tamper", "count"),
    [
        (lambda replies: replies[:2], 1),
        (lambda replies: replies[1:], 3),
        (lambda _: [], 1),
        (lambda replies: [replies[1], replies[0], replies[2]], 2),
        (lambda replies: [replies[0], replies[0], replies[1]], 2),
        (lambda replies: [*replies[:2], {**replies[2], "result": replies[0]["result"]}], 1),
        (lambda replies: [*replies[:2], {"id": replies[2]["id"], **error("busy")}], 1),
        (lambda replies: [{"result": replies[0]["result"]}, *replies[1:]], 1),
    ],
    ids=[
        "last lost",
        "first lost",
        "all lost",
        "two swapped",
        "one twice",
        "another's answer",
        "refused",
        "without id",
    ],
)
def test_a_wrong_reply_is_found(
    tamper: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], count: int
) -> None:
    assert len(ask(tamper).faults) == count


def test_a_result_where_there_can_be_none_is_found() -> None:
    ledger = Ledger()
    bad = Question({"path": "a"}, None, frozenset({"not_found"}))
    ledger.exchange(FakeConnection(lambda replies: replies), [bad])
    assert len(ledger.faults) == 1
    ledger.exchange(
        FakeConnection(lambda replies: [{"id": replies[0]["id"], **error("not_found")}]), [bad]
    )
    assert len(ledger.faults) == 1


# Does as it is told by lines, and answers each with a line.
PROCESS = """
import os, sys
kept = []
for line in sys.stdin:
    what = line.strip()
    if what == "leak":
        kept.append(os.open("/dev/null", os.O_RDONLY))
    elif what == "grow":
        kept.append(b"x" * (20 << 20))
    elif what == "bury":
        os.wait()
    elif what == "leave" and os.fork() == 0:
        os._exit(0)
    print(what, flush=True)
"""


class Process:
    """A process that misbehaves on command."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        self.do("nothing")

    def do(self, what: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(what, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == f"{what}\n"

    def end(self) -> None:
        self._process.communicate()


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    yield process
    process.end()


def test_nothing_is_found_where_nothing_is_wrong(process: Process) -> None:
    before = Audit.of(process.pid)
    process.do("nothing")
    assert Audit.of(process.pid).faults_since(before) == []


@pytest.mark.parametrize(
    ("what", "found"), [("leak", "descriptors"), ("grow", "MiB"), ("leave", "dead children")]
)
def test_what_is_left_over_is_found(process: Process, what: str, found: str) -> None:
    before = Audit.of(process.pid)
    process.do(what)
    if what == "leave":
        wait_until(lambda: processes.zombies(process.pid) != [])
    faults = Audit.of(process.pid).faults_since(before)
    assert len(faults) == 1
    assert found in faults[0]
    if what == "leave":
        process.do("bury")
        assert Audit.of(process.pid).faults_since(before) == []
