"""What was asked, what came back, and whether each reply was the right one in its place."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from EndToEndTests.harness.connection import Connection, Json, Reply


@dataclass
class Question:
    """A request without its id, and what may come back."""

    request: dict[str, Json]
    # Says what is wrong with a result; None where there must not be one.
    check: Callable[[Reply], str | None] | None = None
    codes: frozenset[str] = frozenset()

    @property
    def operation(self) -> str:
        """The operation that is asked for."""
        return str(self.request.get("op", "color"))


class Ledger:
    """Counts what happens, from several threads, and keeps what must not have happened."""

    def __init__(self) -> None:
        """Starts with nothing."""
        self.faults: list[str] = []
        # Codes that any picture may get, while decoders are killed.
        self.excuses: frozenset[str] = frozenset()
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._number = 0

    def count(self, what: str, number: int = 1) -> None:
        """Counts something."""
        with self._lock:
            self._counts[what] += number

    def fault(self, what: str) -> None:
        """Keeps something that must not be."""
        with self._lock:
            self.faults.append(what)

    def counted(self, what: str) -> int:
        """Returns how often something was counted."""
        return self._counts[what]

    def number(self) -> int:
        """Returns a number that no other question has."""
        with self._lock:
            self._number += 1
            return self._number

    def totals(self) -> str:
        """Returns a line for each thing that was counted."""
        return "\n".join(
            f"soak: {number:8} {what}" for what, number in sorted(self._counts.items())
        )

    def asked(self, question: Question) -> None:
        """Counts a question, and those of its operation."""
        self.count("questions")
        self.count(f"questions: {question.operation}")

    def exchange(self, connection: Connection, questions: list[Question]) -> list[Reply]:
        """Asks all questions at once, and judges their replies one by one, in order."""
        numbers = [self.number() for _ in questions]
        lines = [
            json.dumps({"id": number, **question.request})
            for number, question in zip(numbers, questions, strict=True)
        ]
        for question in questions:
            self.asked(question)
        connection.send_bytes("".join(line + "\n" for line in lines).encode())
        return self.receive(connection, numbers, questions)

    def receive(
        self, connection: Connection, numbers: list[int], questions: list[Question]
    ) -> list[Reply]:
        """Receives the replies to questions that were sent, and judges them."""
        replies = []
        for place, (number, question) in enumerate(zip(numbers, questions, strict=True)):
            try:
                reply = connection.receive()
            except Exception as error:
                missing = len(questions) - place
                self.fault(f"{missing} replies are lost, from {question.request}: {error!r}")
                break
            replies.append(reply)
            self.judge(reply, number, question)
        return replies

    def judge(self, reply: Reply, number: int, question: Question) -> None:
        """Keeps a fault unless a reply is the question's own, and right."""
        if reply.get("id") != number:
            self.fault(f"a reply to {reply.get('id')} in the place of {number}: {question.request}")
        elif "error" in reply:
            code = reply["error"]["code"]
            self.count(f"replies: {code}")
            self.count(f"errors: {question.operation}")
            if code not in question.codes and code not in self.excuses:
                self.fault(f"{reply['error']} for {question.request}")
        elif question.check is None:
            self.fault(f"a result for {question.request}, which can have none: {reply}")
        else:
            self.count("replies: result")
            self.count(f"results: {question.operation}")
            try:
                wrong = question.check(reply["result"])
            except (AssertionError, KeyError, TypeError) as error:
                wrong = repr(error)
            if wrong is not None:
                self.fault(f"{wrong} for {question.request}: {reply}")
