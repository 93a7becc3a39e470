"""The soak's watch finds what it looks for: events that are lost, wrong or misplaced."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from EndToEndTests.harness.connection import ClosedError, Connection

from .ledger import Ledger
from .pictures import Picture
from .watches import WatchClient

if TYPE_CHECKING:
    from EndToEndTests.harness.connection import Json, Reply

NUMBER = 7


def picture(name: str) -> Picture:
    image = {"complete": True}
    return Picture(name, b"", (0, 0, 0), {"color": {"background": name, "image": image}})


OLD, NEW, OTHER = picture("old"), picture("new"), picture("other")


def changed(what: Picture, **members: Json) -> Reply:
    return {"id": NUMBER, "event": "changed", "result": what.answers["color"], **members}


def error(code: str) -> Reply:
    return {"id": NUMBER, "event": "error", "error": {"code": code, "message": ""}}


class FakeConnection(Connection):
    """A daemon that tells what it was made to tell, and then nothing or the end."""

    def __init__(self, events: list[Reply], last: type[Exception]) -> None:
        self._events = events
        self._last = last

    def receive(self) -> Reply:
        if not self._events:
            raise self._last
        return self._events.pop(0)


class FakeWatch(WatchClient):
    """A watch of a file that was one picture and is another, which changes no more."""

    def __init__(self, excuses: frozenset[str] = frozenset()) -> None:
        super().__init__(None, None, Random(1), Ledger())  # type: ignore[arg-type]
        self.ledger.excuses = excuses
        self.operation, self.path, self.number = "color", Path("watched"), NUMBER
        self.states, self.half_written = [OLD, NEW], False

    def change(self) -> None:
        self.states.append(OTHER)

    def takes(self, *events: Reply, last: type[Exception] = TimeoutError) -> bool:
        return self.await_last(FakeConnection(list(events), last))


@pytest.mark.parametrize("events", [[changed(NEW)], [changed(OLD), changed(NEW)]])
def test_the_last_state_is_awaited(events: list[Reply]) -> None:
    watch = FakeWatch()
    assert watch.takes(*events)
    assert watch.ledger.faults == []
    assert watch.states == [NEW]


@pytest.mark.parametrize("events", [[], [changed(OLD)]])
def test_a_lost_event_is_found(events: list[Reply]) -> None:
    watch = FakeWatch()
    with pytest.raises(TimeoutError):
        watch.takes(*events)
    assert len(watch.ledger.faults) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        changed(OTHER),
        error("not_found"),
        error("decode_failed"),
        error("decoder_crashed"),
        changed(OLD, id=NUMBER - 1),
        changed(OLD, event="error"),
    ],
    ids=["never", "never gone", "never damaged", "no kill", "another's", "misnamed"],
)
def test_a_wrong_event_is_found(wrong: Reply) -> None:
    watch = FakeWatch()
    assert watch.takes(wrong, changed(NEW))
    assert len(watch.ledger.faults) == 1


def test_what_is_half_written_may_be_told() -> None:
    watch = FakeWatch()
    watch.half_written = True
    half = changed(OLD, result={"background": "none", "image": {"complete": False}})
    assert watch.takes(error("decode_failed"), half, changed(NEW))
    assert watch.ledger.faults == []


def test_a_kill_is_told_and_the_next_change_counts() -> None:
    watch = FakeWatch(frozenset({"decoder_crashed", "internal"}))
    assert watch.takes(error("decoder_crashed"), changed(OTHER))
    assert watch.ledger.faults == []


def test_a_watch_that_cannot_go_on_may_end() -> None:
    watch = FakeWatch(frozenset({"internal"}))
    assert not watch.takes(error("internal"), last=ClosedError)
    assert watch.takes(error("internal"), changed(OTHER))
    assert watch.ledger.faults == []


def test_a_watch_that_ends_for_no_reason_is_found() -> None:
    watch = FakeWatch(frozenset({"internal"}))
    assert not watch.takes(changed(OLD), last=ClosedError)
    assert len(watch.ledger.faults) == 1
