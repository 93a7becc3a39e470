"""A client that watches files which change, and is told of each change in time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from EndToEndTests.harness.connection import ClosedError

from .clients import Client
from .operations import OPERATIONS, request
from .pictures import CUT

if TYPE_CHECKING:
    from EndToEndTests.harness.connection import Connection, Json, Reply

    from .pictures import Picture

# How long it may take until a change is told while everything else goes on, too.
PATIENCE_SECONDS = 30.0
# What a file may be taken for while it is written in its place.
HALF_WRITTEN = CUT | {"file_changed"}


class WatchClient(Client):
    """Watches a file by any operation, changes it, and requires to be told what it is last."""

    def turn(self) -> None:
        """Watches through some changes, of which some follow another at once."""
        self.operation = self.random.choice(OPERATIONS)
        self.path = self.folder.directory / "watched"
        # What an event may tell of: what the file has been since the last one that was certain.
        self.states: list[Picture | None] = []
        self.half_written = False
        self.change()
        with self.daemon.connect(timeout=PATIENCE_SECONDS) as connection:
            self.number = self.ledger.number()
            asked = request(self.operation, self.path)
            self.ledger.count("questions")
            self.ledger.count("questions: watch")
            reply = connection.ask(id=self.number, op="watch", request=asked)
            if not self.begins(reply):
                return
            for _ in range(self.random.randint(1, 6)):
                for _ in range(self.random.choice([1, 1, 1, 2, 5])):
                    self.change()
                    time.sleep(self.random.choice([0, 0, 0.01, 0.1]))
                if not self.await_last(connection):
                    return

    def change(self) -> None:
        """Changes the file, always to something else than it was last."""
        last = self.states[-1] if self.states else None
        # Nothing is told of a file that is missing as it was, whatever it was meanwhile.
        if last and self.states[0] and self.random.random() < 0.2:
            self.path.unlink()
            self.states.append(None)
            self.ledger.count("changes: removed")
            return
        picture = self.folder.another(last)
        if self.random.random() < 0.3:
            self.path.write_bytes(picture.data)
            self.half_written = True
            self.ledger.count("changes: written in its place")
        else:
            self.folder.place(picture.data, self.path)
            self.ledger.count("changes: replaced")
        self.states.append(picture)

    def begins(self, reply: Reply) -> bool:
        """Judges the first reply, and says whether it begins a watch."""
        if reply.get("id") != self.number or "event" in reply:
            self.ledger.fault(f"in the place of a watch's first reply: {reply}")
        code = self.judge(reply)
        # An internal error is the daemon's, not the picture's: nothing is watched after it.
        return code != "internal"

    def await_last(self, connection: Connection) -> bool:
        """Takes events until the file's last state is told; returns whether the watch goes on."""
        start = time.monotonic()
        may_end = False
        while True:
            try:
                event = connection.receive()
            except ClosedError:
                if not may_end:
                    self.ledger.fault(f"a watch of {self.path} ends")
                return False
            except Exception as error:
                waited = time.monotonic() - start
                self.ledger.fault(
                    f"after {waited:.0f} s a change of {self.path} is lost: {error!r}"
                )
                raise
            expected = "error" if "error" in event else "changed"
            if event.get("id") != self.number or event.get("event") != expected:
                self.ledger.fault(f"in the place of a watch's event: {event}")
            self.ledger.count(f"events: {expected}")
            code = self.judge(event)
            # If its places could not be watched again it ends, as it says; else it goes on.
            may_end = code == "internal"
            if code in self.ledger.excuses:
                # A killed decoder is told once, and the file must change to be looked at again.
                self.change()
            elif self.tells(event, self.states[-1]):
                # An earlier one may look the same, so that an event may yet come; it tells the
                # same, unless something happens.
                self.states = self.states[-1:]
                self.half_written = False
                return True

    def judge(self, line: Reply) -> str | None:
        """Keeps a fault unless a line tells what the file was; returns its code, if it has one."""
        code: str | None = line["error"]["code"] if "error" in line else None
        if code is not None:
            self.ledger.count(f"replies: {code}")
        if any(self.tells(line, state) for state in self.states):
            return code
        if code in self.ledger.excuses or (self.half_written and code in HALF_WRITTEN):
            return code
        if self.half_written and code is None and not self.is_complete(line["result"]):
            return code
        self.ledger.fault(f"{self.path} was never what a watch tells: {line}")
        return code

    def tells(self, line: Reply, state: Picture | None) -> bool:
        """Whether a line tells that the file is a picture, or is not there."""
        if "error" in line:
            return state is None and line["error"]["code"] == "not_found"
        return state is not None and line["result"] == state.answers[self.operation]

    def is_complete(self, result: Json) -> bool:
        """Whether an answer is of a whole file."""
        image = result["from"]["image"] if self.operation == "transition" else result["image"]
        return bool(image["complete"])
