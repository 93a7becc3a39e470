"""Telling what was done and what is wrong, whatever is in it and wherever it leads."""

from __future__ import annotations

import difflib
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO


def printable(text: str) -> str:
    """Escapes what no terminal shows or what it acts on, and bytes that are not UTF-8."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    escaped = "".join(
        character if _is_shown(character) else _escape(character) for character in text
    )
    return escaped.encode(encoding, "backslashreplace").decode(encoding)


def _is_shown(character: str) -> bool:
    return character.isprintable() or character == "\t"


def _escape(character: str) -> str:
    # Python keeps a byte of a file's name that is not UTF-8 as one of these.
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def print_lines(lines: Iterable[str]) -> tuple[str, int]:
    """Prints lines; returns what is wrong with standard output, and the status to end with."""
    try:
        for line in lines:
            print(printable(line), flush=True)
    except OSError as error:
        _silence(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return "", 128 + signal.SIGPIPE  # Whoever read has enough, like `head`.
        return f"standard output: {error.strerror}", 2
    return "", 0


def say(message: str) -> None:
    """Says something on standard error, if that is to be had."""
    try:
        print(f"theme-from-wallpaper: {message}", file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: TextIO) -> None:
    # Python would complain of it once more at its end, and of each line after it.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def difference(path: Path, before: str, after: str) -> Iterator[str]:
    """What would change in a file."""
    name = str(path)
    lines = before.splitlines(), after.splitlines()
    yield from difflib.unified_diff(*lines, name, name, lineterm="")
