"""Taking what the daemon says, which may be anything: whatever it is raises only UndertoneError."""

from __future__ import annotations

import dataclasses
import functools
import json
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._errors import MALFORMED, UndertoneError, UndertoneRefusedError

Answer = TypeVar("Answer")

# Of a line that is none: enough to know what has written it.
_SHOWN_BYTES = 60


def parsed(line: bytes) -> dict[str, Any]:
    """Reads a line; raises UndertoneRefusedError where it is no JSON object."""
    try:
        value = json.loads(line)
    # What is nested too deeply is a RecursionError, and all else that is no JSON a ValueError.
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    shown = line[:_SHOWN_BYTES].decode("utf-8", "replace")
    raise UndertoneRefusedError(MALFORMED, f"not a reply of undertoned: {shown!r}")


def result_of(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Takes a reply's result; raises the UndertoneError that is in its place."""
    if "error" in reply:
        raise error_of(reply)
    result = reply.get("result")
    if not isinstance(result, dict):
        raise UndertoneError(MALFORMED, "the reply has neither a result nor an error")
    return result


def error_of(
    reply: Mapping[str, Any], kind: type[UndertoneError] = UndertoneError
) -> UndertoneError:
    """Takes a reply's error."""
    error = reply.get("error")
    if not isinstance(error, dict) or "code" not in error:
        return kind(MALFORMED, "the reply has neither a result nor an error")
    return kind.from_wire(error)


def answer(from_wire: Callable[[Mapping[str, Any]], Answer], result: Mapping[str, Any]) -> Answer:
    """Turns a result into a typed answer; raises UndertoneError where something is not so."""
    try:
        value = from_wire(result)
    except KeyError as error:
        raise UndertoneError(MALFORMED, f"the reply lacks {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise UndertoneError(MALFORMED, f"the reply is not as it should be: {error}") from error
    _check(value, type(value), "the result")
    return value


def answer_or_error(
    from_wire: Callable[[Mapping[str, Any]], Answer], result: Mapping[str, Any] | UndertoneError
) -> Answer | UndertoneError:
    """Does the same, but returns the error, also one that is there already."""
    if isinstance(result, UndertoneError):
        return result
    try:
        return answer(from_wire, result)
    except UndertoneError as error:
        return error


def _check(value: object, kind: Any, name: str) -> None:  # noqa: ANN401 (a type, or a union)
    """Compares a value with its type, and what it is made of with theirs."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        # Always of one type and None.
        if value is not None:
            _check(value, parts[0], name)
    elif origin is list and isinstance(value, list):
        for item in value:
            _check(item, parts[0], name)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            _check(item, parts[1], f"{name}.{key}")
    elif dataclasses.is_dataclass(kind) and isinstance(value, typing.cast(type, kind)):
        for field, hint in _hints(typing.cast(type, kind)).items():
            _check(getattr(value, field), hint, field)
    elif not _is_a(value, origin or kind):
        raise UndertoneError(MALFORMED, f"the reply's {name} is not as it should be")


def _is_a(value: object, kind: Any) -> bool:  # noqa: ANN401 (a type, or Literal)
    if kind is typing.Literal:
        # A newer daemon may have further words.
        return isinstance(value, str)
    if kind in (int, float):
        # JSON does not tell 1 from 1.0; to Python True is a number.
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return isinstance(value, kind)


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)
