"""The protocol's transcripts: see protocol/transcripts/README.md for their form."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from .connection import encode
from .daemon import ROOT
from .schema import check_event, check_reply, is_request
from .thumbnails import put_thumbnail

if TYPE_CHECKING:
    from .connection import Connection, Json, Reply

TRANSCRIPTS = ROOT / "protocol/transcripts"
PICTURES = TRANSCRIPTS / "pictures"

_KINDS: dict[str, Any] = {
    "$any": object,
    "$string": str,
    "$number": int | float,
    "$integer": int,
    "$boolean": bool,
    "$array": list,
}


def mismatch(value: Json, pattern: Json, where: str = "reply") -> str | None:
    """Returns where and how a value differs from a pattern, None if it matches."""
    if isinstance(pattern, dict):
        return _object_mismatch(value, pattern, where)
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{where} is {value!r}, not {pattern!r}"
        pairs = enumerate(zip(value, pattern, strict=True))
        found = (mismatch(v, p, f"{where}[{index}]") for index, (v, p) in pairs)
        return next(filter(None, found), None)
    if isinstance(pattern, str) and pattern.startswith("$"):
        if pattern == "$color":
            fits = isinstance(value, str) and len(value) == 7 and value[0] == "#"
        else:
            fits = isinstance(value, _KINDS[pattern])
            # In Python a boolean is an integer.
            fits = fits and (not isinstance(value, bool) or pattern in {"$boolean", "$any"})
        return None if fits else f"{where} is {value!r}, not {pattern}"
    # 1 and True are equal, 1 and 1.0 are one JSON number.
    same = value == pattern and isinstance(value, bool) == isinstance(pattern, bool)
    return None if same else f"{where} is {value!r}, not {pattern!r}"


def _object_mismatch(value: Json, pattern: dict[str, Any], where: str) -> str | None:
    if "$near" in pattern:
        near = isinstance(value, int | float) and not isinstance(value, bool)
        near = near and abs(value - pattern["$near"]) <= pattern["$within"]
        return None if near else f"{where} is {value!r}, not {pattern!r}"
    if "$includes" in pattern:
        absent = [item for item in pattern["$includes"] if item not in value]
        return f"{where} lacks {absent}" if absent else None
    if not isinstance(value, dict):
        return f"{where} is {value!r}, not an object"
    listed = {key: item for key, item in pattern.items() if key != "$more"}
    if missing := listed.keys() - value.keys():
        return f"{where} lacks {sorted(missing)}"
    if "$more" not in pattern:
        if more := value.keys() - listed.keys():
            return f"{where} also has {sorted(more)}"
        if list(value) != list(listed):
            return f"{where} has its members in another order: {list(value)}"
    found = (mismatch(value[key], item, f"{where}.{key}") for key, item in listed.items())
    return next(filter(None, found), None)


class Replay:
    """The replaying of one transcript on one connection."""

    def __init__(self, connection: Connection, scratch: Path, cache: Path) -> None:
        """Starts with nothing sent, a directory for what changes, and the daemon's cache."""
        self.connection = connection
        self.scratch = scratch
        self.cache = cache
        # What was sent and not answered yet: the request, or None for bytes that may be anything.
        self.unanswered: list[tuple[Any, bool]] = []

    def step(self, step: dict[str, Any]) -> None:
        """Does one step, and fails if the daemon does another."""
        if "send" in step:
            request = json.loads(self._placed(json.dumps(step["send"])))
            self.unanswered.append((request, step.get("beyond_schema", False)))
            self.connection.send_bytes(encode(request))
        elif "send_bytes" in step:
            self.connection.send_bytes(self._placed(step["send_bytes"]).encode("latin-1"))
        elif "copy" in step:
            new = Path(shutil.copy(PICTURES / step["copy"], self.scratch / "new"))
            new.rename(self.scratch / step["to"])
        elif "remove" in step:
            (self.scratch / step["remove"]).unlink()
        elif "thumbnail" in step:
            with Image.open(PICTURES / step["thumbnail"]) as thumbnail:
                put_thumbnail(self.cache, self.scratch / step["of"], thumbnail)
        elif "end" in step:
            self.connection.end()
        elif "expect" in step:
            self._expect(step["expect"])
        elif "expect_end" in step:
            assert self.connection.receive_all() == []
        else:
            assert "note" in step, step

    def _placed(self, text: str) -> str:
        text = text.replace("${pictures}", str(PICTURES))
        return text.replace("${scratch}", str(self.scratch))

    def _expect(self, pattern: Json) -> None:
        reply = self.connection.receive()
        assert mismatch(reply, pattern) is None, mismatch(reply, pattern)
        if "event" in reply:
            check_event(reply)
            return
        check_reply(reply)
        if self.unanswered:
            request, beyond_schema = self.unanswered.pop(0)
            check_request(request, reply, beyond_schema)


def check_request(request: Json, reply: Reply, beyond_schema: bool = False) -> None:
    """Fails unless the schema and the daemon agree on whether something is a request."""
    refused = reply.get("error", {}).get("code") in {"invalid_request", "unknown_op"}
    assert is_request(request) == (beyond_schema or not refused), (request, reply)
    assert refused or not beyond_schema, (request, reply)


def steps(path: Path) -> list[dict[str, Any]]:
    """Reads a transcript."""
    return [json.loads(line) for line in path.read_text().splitlines()]
