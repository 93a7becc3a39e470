"""Streams keep no borders: how bytes become lines, lines requests, and replies come back."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .harness import processes
from .harness.connection import ClosedError, Connection, encode, wait_until
from .harness.daemon import Daemon, elapsed
from .harness.schema import check_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .harness.connection import Json, Reply
    from .harness.held import Held

PICTURES = Path(__file__).parent / "cases/49-ipc-framing"
RED, BLUE = PICTURES / "red.png", PICTURES / "blue.png"
COLORS = {RED: "#c81414", BLUE: "#1414c8"}


def request(number: Json, path: Path, **more: Json) -> bytes:
    return encode({"id": number, "path": str(path), **more})


def check(reply: Reply, number: Json, path: Path) -> None:
    assert reply["id"] == number
    assert reply["result"]["background"] == COLORS[path], reply


@pytest.fixture
def connection(shared: Daemon) -> Iterator[Connection]:
    with shared.connect() as connection:
        yield connection


def test_a_line_then_the_end(connection: Connection) -> None:
    connection.send_bytes(request(1, RED))
    connection.end()
    (reply,) = connection.receive_all()
    check(reply, 1, RED)


def test_the_last_line_needs_no_newline(connection: Connection) -> None:
    connection.send_bytes(request(1, RED)[:-1])
    assert connection.is_silent(0.1)
    connection.end()
    (reply,) = connection.receive_all()
    check(reply, 1, RED)


def test_two_lines_then_the_end(connection: Connection) -> None:
    connection.send_bytes(request(1, RED) + request(2, BLUE))
    connection.end()
    first, second = connection.receive_all()
    check(first, 1, RED)
    check(second, 2, BLUE)


def test_nothing_then_the_end(connection: Connection) -> None:
    connection.end()
    assert connection.receive_all() == []


def test_byte_by_byte(connection: Connection) -> None:
    # With a character of several bytes and an escape in it to be cut.
    lines = encode({"id": "é😀", "path": str(RED)}) + request(2, BLUE).replace(b"2", b"2 ", 1)
    escaped = lines.replace("é".encode(), "é".encode() + rb"\u00e9\ud83d\ude00", 1)
    for byte in escaped:
        connection.send_bytes(bytes([byte]))
        time.sleep(0.001)
    check(connection.receive(), "éé😀😀", RED)
    check(connection.receive(), 2, BLUE)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_the_size_of_the_pieces_makes_no_difference(connection: Connection, size: int) -> None:
    data = b"".join(request(number, RED if number % 2 else BLUE) for number in range(20))
    for start in range(0, len(data), size):
        connection.send_bytes(data[start : start + size])
    for number in range(20):
        check(connection.receive(), number, RED if number % 2 else BLUE)


def test_crlf_and_blank_lines(connection: Connection) -> None:
    connection.send_bytes(b"\n\r\n\t \n" + request(1, RED)[:-1] + b"\r")
    connection.send_bytes(b"\n  " + request(2, BLUE)[:-1] + b" \t\r\n\r\n\n")
    check(connection.receive(), 1, RED)
    check(connection.receive(), 2, BLUE)
    assert connection.is_silent(0.1)


def test_bad_lines_between_good_ones(connection: Connection) -> None:
    bad = [b'{"id":1,"path":', b"garbage", b"[]", b'"str"', b"null", b"\xff\xfe", b"\x00"]
    connection.send_bytes(b"\n".join(bad) + b"\n" + request(2, RED))
    connection.send_bytes(b"}\n" + request(3, BLUE))
    for _ in bad:
        reply = connection.receive()
        assert reply["id"] is None
        assert reply["error"]["code"] == "parse_error"
    check(connection.receive(), 2, RED)
    assert connection.receive()["error"]["code"] == "parse_error"
    check(connection.receive(), 3, BLUE)


@pytest.mark.parametrize(
    ("text", "comes_back"),
    [
        ("7", True),
        ('"7"', True),
        (r'"a b\"c"', True),
        ("0", True),
        ("-1", True),
        ("9007199254740993", True),
        ("-9223372036854775808", True),
        ("1.5", False),
        ("1.0", False),
        ("null", False),
        ("[1]", False),
        ('{"k":1}', False),
        ("1e2", False),
        ("18446744073709551616", False),
        ("1e400", False),
    ],
)
def test_identifiers(connection: Connection, text: str, comes_back: bool) -> None:
    connection.send_bytes(b'{"id":%s,"path":"%s"}\n' % (text.encode(), os.fsencode(RED)))
    line = connection.raw_line().decode()
    if comes_back:
        assert line.startswith(f'{{"id":{text},"result":')
    else:
        assert line.startswith('{"id":null,"error":{"code":"invalid_request",')


def test_no_identifier_in_none_out(connection: Connection) -> None:
    assert "id" not in connection.ask(path=str(RED))
    assert "id" not in connection.ask(path="relative")


def test_a_slow_answer_is_not_overtaken(
    make_daemon: Callable[..., Daemon], hold: Callable[..., Held]
) -> None:
    daemon = make_daemon(arguments=["--deadline", "60"]).start()
    held = hold()
    with daemon.connect() as connection:
        connection.send_bytes(
            request(1, held.path) + b"".join(request(n, RED) for n in range(2, 51))
        )
        # On another connection nobody waits for it.
        daemon.color(BLUE)
        assert connection.is_silent(0.1)
        held.release()
        assert connection.receive()["id"] == 1
        for number in range(2, 51):
            check(connection.receive(), number, RED)


def test_a_hundred_in_one_write(connection: Connection) -> None:
    data = b"".join(request(number, RED if number % 2 else BLUE) for number in range(100))
    connection.send_bytes(data)
    for number in range(100):
        check(connection.receive(), number, RED if number % 2 else BLUE)
    assert connection.is_silent(0.1)


def test_the_longest_line(connection: Connection) -> None:
    line = request(1, RED)[:-1]
    connection.send_bytes(line + b" " * (65536 - len(line)) + b"\r\n")
    check(connection.receive(), 1, RED)
    connection.send_bytes(line + b" " * (65537 - len(line)) + b"\n" + request(2, BLUE))
    assert connection.receive()["error"]["code"] == "request_too_large"
    check(connection.receive(), 2, BLUE)
    connection.send_bytes(b"x" * 70_000)
    assert connection.receive()["error"]["code"] == "request_too_large"
    connection.end()
    assert connection.receive_all() == []


def test_a_slow_reader_loses_nothing_and_holds_up_nobody(daemon: Daemon) -> None:
    daemon.color(RED)
    before = processes.resident(daemon.pid)
    count = 10_000
    data = b"".join(request(number, RED if number % 2 else BLUE) for number in range(count))
    with daemon.connect() as connection:
        # The daemon stops reading, so sending stops too.
        connection.socket.setblocking(False)
        sent = 0
        start = time.monotonic()
        while elapsed(start) < 3:
            try:
                sent += connection.socket.send(data[sent:])
            except BlockingIOError:
                time.sleep(0.05)
        assert sent < len(data)
        daemon.color(BLUE)
        assert processes.resident(daemon.pid) < before + (8 << 20)
        received = 0
        while received < count:
            with contextlib.suppress(BlockingIOError):
                sent += connection.socket.send(data[sent:]) if sent < len(data) else 0
            try:
                reply = connection.receive()
            except BlockingIOError:
                time.sleep(0.001)
                continue
            check(reply, received, RED if received % 2 else BLUE)
            received += 1
    assert processes.resident(daemon.pid) < before + (8 << 20)


def test_a_client_that_takes_nothing_is_hung_up_on_not_waited_for(daemon: Daemon) -> None:
    # Only that it does not hold up the daemon's end; the 30 seconds are not waited for here.
    with daemon.connect() as connection:
        connection.socket.setblocking(False)
        data = request(1, RED) * 2000
        with pytest.raises(BlockingIOError):
            while True:
                connection.socket.send(data)
        daemon.color(BLUE)


def test_invalid_utf8_and_a_byte_order_mark(connection: Connection) -> None:
    connection.send_bytes(b'\xef\xbb\xbf{"path":"/a"}\n')
    connection.send_bytes(b'{"id":1,"path":"/\xff.png"}\n' + request(2, RED))
    for _ in range(2):
        line = connection.raw_line()
        reply = json.loads(line.decode("utf-8", errors="strict"))
        assert reply["id"] is None
        assert reply["error"]["code"] == "parse_error"
    check(connection.receive(), 2, RED)


def test_deep_nesting_and_repeated_names(connection: Connection) -> None:
    connection.send_bytes(b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n")
    connection.send_bytes(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
    path = os.fsencode(RED)
    connection.send_bytes(b'{"id":1,"path":"%s","path":"%s"}\n' % (path, path))
    assert connection.receive()["error"]["code"] == "parse_error"
    assert connection.receive()["error"]["code"] == "request_too_large"
    assert connection.receive()["error"]["code"] == "parse_error"
    check(connection.ask(id=2, path=str(RED)), 2, RED)


def test_a_reply_is_one_line_sent_at_once(connection: Connection) -> None:
    odd = 'new\nline\r\t"\\ / é'
    for line in [encode({"id": odd, "path": str(RED)}), encode({"id": odd, "path": "/no/ne"})]:
        connection.send_bytes(line)
        raw = connection.raw_line()
        assert raw.count(b"\n") == 1
        assert b"\r" not in raw
        # Slashes need no escape.
        assert b"/ \xc3\xa9" in raw
        reply = json.loads(raw)
        assert reply["id"] == odd
        check_reply(reply)
        assert connection.is_silent(0.05)


def test_replies_in_order_whatever_goes_wrong(connection: Connection, slow: Path) -> None:
    lines: list[tuple[bytes, Callable[[Reply], object]]] = [
        (request(1, slow, sampling="exact"), lambda reply: reply["result"]),
        (b"garbage\n", lambda reply: reply["error"]),
        (request(2, RED), lambda reply: check(reply, 2, RED)),
        (b"x" * 65_537 + b"\n", lambda reply: reply["error"]),
        (encode({"id": 3, "op": "status"}), lambda reply: reply["result"]["version"]),
        (encode({"id": 4, "path": "/missing"}), lambda reply: reply["error"]),
        (encode({"id": 5, "op": "none"}), lambda reply: reply["error"]),
        (request(6, BLUE, priority="idle"), lambda reply: check(reply, 6, BLUE)),
    ]
    connection.send_bytes(b"".join(line for line, _ in lines))
    for _, check_one in lines:
        check_one(connection.receive())


@pytest.mark.parametrize("behind", [0, 60, 300], ids=["few", "as many as may be", "too many"])
def test_spaces_while_a_half_closed_client_waits(
    make_daemon: Callable[..., Daemon], slow: Path, behind: int
) -> None:
    # socat gives up after half a second. A machine that is busy may be late now and then, but
    # hardly each time.
    assert any(longest_silence(make_daemon().start(), slow, behind) < 0.45 for _ in range(5))


def longest_silence(daemon: Daemon, slow: Path, behind: int) -> float:
    """Asks a new daemon some slow questions and others behind them, and checks the answers."""
    with daemon.connect() as connection:
        # Questions that differ, so that each is a decoding.
        for number in range(12):
            region = {"r": {"edge": "top", "size": (number + 1) / 12}}
            connection.send_bytes(request(number, slow, sampling="exact", regions=region))
        # With these the daemon does not read on to the end.
        connection.send_bytes(b"".join(request(12 + number, RED) for number in range(behind)))
        connection.end()
        stream = b""
        longest = 0.0
        last = time.monotonic()
        while more := connection.socket.recv(65536):
            longest = max(longest, elapsed(last))
            last = time.monotonic()
            stream += more
    lines = stream.split(b"\n")
    assert not lines.pop().strip(b" ")
    assert any(line.startswith(b" ") for line in lines)
    assert [json.loads(line)["id"] for line in lines] == list(range(12 + behind))
    return longest


def test_no_spaces_while_a_client_may_still_ask(shared: Daemon) -> None:
    with shared.connect() as connection:
        check(connection.ask(id=1, path=str(RED)), 1, RED)
        assert connection.is_silent(0.7)


def test_more_in_flight_than_are_read_ahead(connection: Connection, slow: Path) -> None:
    connection.send_bytes(request(0, slow, sampling="exact"))
    connection.send_bytes(b"".join(request(number, RED) for number in range(1, 300)))
    for number in range(300):
        assert connection.receive()["id"] == number


def test_a_connection_too_many_gets_one_line(daemon: Daemon) -> None:
    connections = [daemon.connect() for _ in range(256)]
    try:
        wait_until(lambda: daemon.descriptors() >= 256)
        with daemon.connect() as one_more:
            # Whether it has asked already or not, it is told the same.
            with contextlib.suppress(BrokenPipeError):
                one_more.send_bytes(request(1, RED))
            reply = one_more.receive()
            assert reply["id"] is None
            assert reply["error"]["code"] == "busy"
            check_reply(reply)
            with pytest.raises(ClosedError):
                one_more.receive()
        # Those that are in are served, and there is room again when one leaves.
        check(connections[255].ask(id=1, path=str(RED)), 1, RED)
        connections.pop().close()
        wait_until(lambda: "result" in daemon.ask(path=str(BLUE)))
    finally:
        for connection in connections:
            connection.close()
    assert daemon.counters()["connectionsRefused"] >= 1
