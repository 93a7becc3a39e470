"""The protocol's transcripts and the examples of its specification, against a live daemon."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from .harness.daemon import ROOT, Daemon, running
from .harness.schema import SCHEMA, check_event, check_reply, is_request
from .harness.transcript import PICTURES, TRANSCRIPTS, Replay, check_request, mismatch, steps

if TYPE_CHECKING:
    from pathlib import Path

    from .harness.connection import Json

SPECIFICATION = (ROOT / "protocol/README.md").read_text()
FORGETFUL = ["--memory-cache", "0", "--no-cache"]


@pytest.mark.parametrize(
    "path",
    sorted(TRANSCRIPTS.rglob("*.jsonl")),
    ids=lambda path: str(path.relative_to(TRANSCRIPTS).with_suffix("")),
)
def test_transcript(shared: Daemon, path: Path, directory: Path) -> None:
    with shared.connect() as connection:
        replay = Replay(connection, directory, shared.directory / "cache")
        for number, step in enumerate(steps(path), 1):
            try:
                replay.step(step)
            except Exception as error:
                raise AssertionError(f"{path.name}:{number}: {error!r}\n{step}") from error
        assert connection.is_silent(0.1) or step == {"expect_end": True}


def _questions() -> list[dict[str, Json]]:
    """The transcripts' requests about pictures that stay what they are."""
    sent = [step.get("send") for path in TRANSCRIPTS.glob("*.jsonl") for step in steps(path)]
    text = json.dumps(
        [
            {key: value for key, value in request.items() if key != "id"}
            for request in sent
            if isinstance(request, dict)
            and request.get("op", "color") not in {"cache", "status", "watch"}
        ]
    )
    questions = json.loads(text.replace("${pictures}", str(PICTURES)))
    return [question for question in questions if "${scratch}" not in json.dumps(question)]


def test_known_answers_are_those_that_were_made() -> None:
    questions = _questions()
    assert len(questions) > 50
    answered = 0
    ids: list[dict[str, Json]] = [{}, {"id": -7}, {"id": 'a"\\\n\u00e9'}]
    with running() as fresh, running(arguments=FORGETFUL) as forgetful:
        with fresh.connect() as knowing, forgetful.connect() as making:
            for question in questions:
                for id_ in ids:
                    request = {**id_, **question}
                    # The first of these is made, the second known; the other daemon knows nothing.
                    replies = []
                    for connection in (knowing, knowing, making):
                        connection.send(**request)
                        replies.append(connection.raw_line().lstrip(b" "))
                    assert replies[0] == replies[1] == replies[2], request
                    assert json.loads(replies[0]).get("id") == request.get("id")
                    answered += "result" in json.loads(replies[0])
        assert answered > len(questions)
        assert fresh.counters()["cacheHits"] > answered
        assert forgetful.counters()["cacheHits"] == 0


def test_recorded_transcripts_stay_as_they_were_released() -> None:
    recorded = sorted(TRANSCRIPTS.glob("*/SHA256SUMS"))
    assert "1.0" in [path.parent.name for path in recorded]
    for sums in recorded:
        lines = [line.split("  ", 1) for line in sums.read_text().splitlines()]
        kept = {name: digest for digest, name in lines}
        assert kept.keys() >= {
            str(path.relative_to(TRANSCRIPTS)) for path in sums.parent.glob("*.jsonl")
        }
        for name, digest in kept.items():
            assert hashlib.sha256((TRANSCRIPTS / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.parametrize(
    ("value", "pattern", "matches"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1, "b": 2}, {"$more": True, "a": 1}, True),
        ({"b": 2}, {"$more": True, "a": 1}, False),
        ({"b": 2, "a": 1}, {"a": 1, "b": 2}, False),
        ({"a": True}, {"a": 1}, False),
        ({"a": 1.0}, {"a": 1}, True),
        ([1, 2], [1], False),
        ([{"a": 1}], [{"a": 2}], False),
        ("x", "$string", True),
        (1, "$string", False),
        (True, "$integer", False),
        (None, "$any", True),
        ("#ffffff", "$color", True),
        ("white", "$color", False),
        (0.51, {"$near": 0.5, "$within": 0.02}, True),
        (0.53, {"$near": 0.5, "$within": 0.02}, False),
        ([1, 2, 3], {"$includes": [3, 1]}, True),
        ([1, 2], {"$includes": [3, 1]}, False),
    ],
)
def test_patterns_can_fail(value: Json, pattern: Json, matches: bool) -> None:
    assert (mismatch(value, pattern) is None) == matches


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"path": "a"},
        {"path": "/a", "uri": "file:///a"},
        {"path": "/a", "pth": 1},
        {"op": "status", "path": "/a"},
        {"path": "/a", "regions": {"a": {"edge": "top", "size": 0}}},
        {"path": "/a", "id": 1.5},
        {"path": "/a", "contrast": 0},
        {"op": "watch"},
        {"op": "watch", "request": {}},
        {"op": "watch", "request": {"path": "/a", "id": 1}},
        {"op": "watch", "request": {"op": "status"}},
        {"op": "watch", "path": "/a"},
    ],
)
def test_schema_can_refuse_requests(request_: Json) -> None:
    assert not is_request(request_)


@pytest.mark.parametrize(
    "reply",
    [
        {"id": 1},
        {"id": 1.5, "error": {"code": "internal", "message": "x"}},
        {"error": {"code": "internal"}},
        {"error": {"code": "internal", "message": "x", "more": 1}},
        {"error": {"code": "Internal error", "message": "x"}},
        {"error": {"code": "internal", "message": "x"}, "result": {}},
        {"result": {}},
    ],
)
def test_schema_can_refuse_replies(reply: Json) -> None:
    with pytest.raises(Exception, match="not valid"):
        check_reply(reply)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "changed"},
        {"event": "changed", "error": {"code": "internal", "message": "x"}},
        {"event": "error", "result": {}},
        {"event": "other", "error": {"code": "internal", "message": "x"}},
        {"id": None, "event": "error", "error": {"code": "internal", "message": "x"}},
        {"error": {"code": "internal", "message": "x"}},
        {"event": "changed", "result": {}},
    ],
)
def test_schema_can_refuse_events(event: Json) -> None:
    with pytest.raises(Exception, match="not valid|required property"):
        check_event(event)


def _blocks(language: str) -> list[str]:
    """The specification's code blocks of a language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", SPECIFICATION, re.MULTILINE | re.DOTALL)
    return [block for name, block in blocks if name == language]


def _conversations() -> list[str]:
    """The specification's code blocks that hold requests and replies."""
    return [block for block in _blocks("") if block.startswith(("→", "$"))]


def _pattern(text: str) -> Json:
    """Reads a reply of the specification, where `…` stands for what is left out."""
    text = text.replace("…", '"$any"').replace('""$any""', '"$any"')
    # A comma and nothing after it, or braces with nothing else in them: there may be more.
    text = re.sub(r'([,{\[])"\$any"([}\]])', r"\1" + '"$more":true' + r"\2", text)
    text = re.sub(r'\[[^\[\]]*"\$more":true\]', '"$array"', text)
    return json.loads(text)


@pytest.mark.parametrize("block", _conversations())
def test_specification_examples(shared: Daemon, block: str, directory: Path) -> None:
    unanswered: list[str] = []
    is_watching = False
    with shared.connect() as connection:
        for mark, text in re.findall(r"^([→←$]) (.*?)(?=^[→←$]|\Z)", block, re.M | re.S):
            line = text.replace("/pictures/", f"{PICTURES}/").replace("/desk/", f"{directory}/")
            if mark == "→":
                connection.send_bytes(line.encode())
                unanswered.append(line)
                continue
            if mark == "$":
                subprocess.run(["sh", "-euc", line], check=True)
                continue
            reply = connection.receive()
            pattern = _pattern(text)
            assert mismatch(reply, pattern) is None, mismatch(reply, pattern)
            if "event" in reply:
                check_event(reply)
                continue
            check_reply(reply)
            line = unanswered.pop(0)
            if reply.get("error", {}).get("code") != "parse_error":
                request = json.loads(line)
                # Of a good request that comes after a watch, the schema knows nothing.
                check_request(request, reply, beyond_schema=is_watching)
                is_watching = is_watching or request.get("op") == "watch"
    assert not unanswered


def test_specification_has_examples_of_each_reply() -> None:
    text = "".join(_conversations())
    assert text.count("→") >= 5
    assert '"result":{"image"' in text
    assert '"result":{"version"' in text
    assert '"error":{"code"' in text


def test_specification_shell_example(shared: Daemon) -> None:
    scripts = _blocks("sh")
    assert scripts
    for script in scripts:
        text = script.replace("/pictures/", f"{PICTURES}/")
        run = subprocess.run(
            ["sh", "-euc", text],
            env={"UNDERTONE_SOCKET": str(shared.socket), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert run.stdout == "#c81414\n"


def test_limits_of_the_specification_are_those_of_the_daemon(shared: Daemon) -> None:
    section = SPECIFICATION.partition("## Limits\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", section, re.MULTILINE)
    assert {name: float(value) for name, value in rows} == shared.status()["limits"]


def test_codes_of_the_specification_are_those_of_the_schema() -> None:
    section = SPECIFICATION.partition("## Errors\n")[2].partition("\n## ")[0]
    codes = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    known = SCHEMA["$defs"]["errorReply"]["properties"]["error"]["properties"]["code"]["examples"]
    assert codes == known
    source = (ROOT / "Sources/UndertoneProtocol/ErrorCode.swift").read_text()
    for code in known:
        assert f'"{code}"' in source or re.search(rf"case `?{code}`?$", source, re.MULTILINE)
