"""Clients: one that behaves, and those that don't."""

from __future__ import annotations

import contextlib
import json
import time
from typing import TYPE_CHECKING

from .ledger import Question

if TYPE_CHECKING:
    from random import Random

    from EndToEndTests.harness.connection import Connection
    from EndToEndTests.harness.daemon import Daemon

    from .ledger import Ledger
    from .pictures import Folder, Picture


class Client:
    """What all clients have: a daemon, files, chance, and a place to report to."""

    def __init__(self, daemon: Daemon, folder: Folder, random: Random, ledger: Ledger) -> None:
        """Describes a client; `run` is its life."""
        self.daemon = daemon
        self.folder = folder
        self.random = random
        self.ledger = ledger

    def run(self, until: float) -> None:
        """Does one thing after another until a moment of the monotonic clock."""
        while time.monotonic() < until:
            try:
                self.turn()
            except Exception as error:
                self.ledger.fault(f"{type(self).__name__}: {error!r}")

    def turn(self) -> None:
        """Does one thing."""
        raise NotImplementedError

    def ask(self, connection: Connection, count: int) -> None:
        """Asks about good and bad pictures at once; every answer is judged."""
        pictures: list[Picture | None] = []
        questions = []
        for _ in range(count):
            picture, question = None, self.folder.bad()
            if self.random.random() < 0.7:
                picture, question = self.folder.good()
            pictures.append(picture)
            questions.append(question)
        replies = self.ledger.exchange(connection, questions)
        for picture, reply in zip(pictures, replies, strict=False):
            # A kill looks like the picture's fault, and is remembered until it changes.
            if picture and reply.get("error", {}).get("code") == "decoder_crashed":
                self.folder.restore(picture)


class PoliteClient(Client):
    """Sends some questions, takes their answers, and perhaps stays for more."""

    def turn(self) -> None:
        """Opens a connection and uses it a few times."""
        with self.daemon.connect(timeout=60) as connection:
            for _ in range(self.random.randint(1, 3)):
                self.ask(connection, self.random.randint(1, 12))


class RudeClient(Client):
    """Does what no client should; where it has a right to an answer it takes and judges it."""

    def turn(self) -> None:
        """Behaves badly in one of several ways."""
        ways = [
            self.half_line,
            self.vanish,
            self.never_read,
            self.byte_by_byte,
            self.long_line,
            self.flood,
            self.nonsense,
            self.talk_to_a_watch,
        ]
        way = self.random.choice(ways)
        self.ledger.count(f"rude: {way.__name__}")
        with self.daemon.connect(timeout=60) as connection:
            way(connection)

    def _line(self) -> bytes:
        _, question = self.folder.good()
        return json.dumps(question.request).encode() + b"\n"

    def half_line(self, connection: Connection) -> None:
        """Begins a question and stays silent for a while."""
        line = self._line()
        connection.send_bytes(line[: self.random.randrange(1, len(line))])
        time.sleep(self.random.uniform(0, 0.3))

    def vanish(self, connection: Connection) -> None:
        """Asks much and leaves before the answers."""
        connection.send_bytes(b"".join(self._line() for _ in range(self.random.randint(1, 60))))
        time.sleep(self.random.uniform(0, 0.02))

    def never_read(self, connection: Connection) -> None:
        """Sends until nothing more is taken, and never takes anything."""
        connection.socket.setblocking(False)
        line = self._line()
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while True:
                connection.socket.send(line * 50)
        time.sleep(self.random.uniform(0, 0.5))

    def byte_by_byte(self, connection: Connection) -> None:
        """Sends a question as slowly as can be; it has an answer."""
        _, question = self.folder.good()
        number = self.ledger.number()
        self.ledger.asked(question)
        for byte in json.dumps({"id": number, **question.request}).encode() + b"\n":
            connection.send_bytes(bytes([byte]))
        self.ledger.receive(connection, [number], [question])

    def long_line(self, connection: Connection) -> None:
        """Sends a line that is too long; the next one is answered."""
        connection.send_bytes(b"x" * self.random.randint(65_537, 1 << 20) + b"\n")
        reply = connection.receive()
        if reply.get("error", {}).get("code") != "request_too_large":
            self.ledger.fault(f"a line that is too long got {reply}")
        self.ask(connection, 1)

    def flood(self, connection: Connection) -> None:
        """Asks far more at once than is taken; everything is answered."""
        # Small enough for the socket's buffers to hold what the daemon doesn't take yet, and most
        # of it known, or the round would not end for long.
        questions = [self.folder.good(anew=0.02)[1] for _ in range(self.random.randint(100, 400))]
        self.ledger.exchange(connection, questions)

    def nonsense(self, connection: Connection) -> None:
        """Sends lines that are no requests, each of which has its answer."""
        lines = [b"garbage", b"[]", b"{", b'{"id":1.5}', b"\xff\xfe", b'{"a":' + b"[" * 40]
        chosen = self.random.choices(lines, k=20)
        connection.send_bytes(b"\n".join(chosen) + b"\n")
        for line in chosen:
            code = connection.receive()["error"]["code"]
            if code not in {"parse_error", "invalid_request"}:
                self.ledger.fault(f"{line!r} got {code}")
        self.ask(connection, 1)

    def talk_to_a_watch(self, connection: Connection) -> None:
        """Watches, asks on where nothing is answered any more, and leaves without a word."""
        picture, question = self.folder.good()
        connection.ask(op="watch", request=question.request)
        connection.send_bytes(self._line() * 3)
        self.folder.restore(picture)
        time.sleep(self.random.uniform(0, 0.3))


class StatusClient(Client):
    """Looks at the daemon now and then, as a user would."""

    def turn(self) -> None:
        """Asks for the state, which is never refused."""
        with self.daemon.connect(timeout=60) as connection:
            question = Question({"op": "status"}, lambda result: self._wrong(result))
            self.ledger.exchange(connection, [question])
        time.sleep(self.random.uniform(0, 0.2))

    @staticmethod
    def _wrong(result: dict[str, object]) -> str | None:
        counters = result["counters"]
        assert isinstance(counters, dict)
        return "a slot is lost" if counters["decodersStuck"] else None
