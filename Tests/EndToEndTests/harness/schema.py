"""The protocol's schema, as it is promised and as strict as it can be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema

from .daemon import ROOT

if TYPE_CHECKING:
    from .connection import Json

SCHEMA = json.loads((ROOT / "protocol/schema.json").read_text())


def strict(schema: Json) -> Json:
    """Returns a schema whose objects have no members but those that it names.

    Clients tolerate more; this program must not send more than its specification says.
    """
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        closed.setdefault("additionalProperties", False)
    return closed


def _validator(schema: Json, name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


_REQUEST = _validator(SCHEMA, "request")
_REPLY = _validator(SCHEMA, "reply")
_STRICT_REPLY = _validator(strict(SCHEMA), "reply")
_EVENT = _validator(SCHEMA, "event")


def is_request(value: Json) -> bool:
    """Whether a value is a request by the schema."""
    return bool(_REQUEST.is_valid(value))


def check_reply(value: Json) -> None:
    """Fails unless a value is a reply by the schema, without any further member."""
    _REPLY.validate(value)
    _STRICT_REPLY.validate(value)


def check_event(value: Json) -> None:
    """Fails unless a value is an event by the schema, and a reply but for that."""
    _EVENT.validate(value)
    check_reply({key: item for key, item in value.items() if key != "event"})
