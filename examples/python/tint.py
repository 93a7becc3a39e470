#!/usr/bin/env python3
"""Prints CSS variables with the colours of all pictures in a folder.

    tint.py FOLDER > tints.css

Each picture gives `--NAME-background`, `--NAME-foreground` and `--NAME-secondary`. Files that are
not pictures are named on standard error.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import signal
import sys
from collections.abc import Iterator

from undertone import Colors, Undertone, UndertoneError


def variable_names(paths: list[pathlib.Path]) -> Iterator[str]:
    """Turns file names into different names that CSS takes as they are."""
    taken: set[str] = set()
    for path in paths:
        base = re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-").lower() or "picture"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        yield name


def declarations(name: str, colors: Colors) -> Iterator[str]:
    """Writes one picture's variables; a wholly transparent picture has none."""
    if colors.background and colors.foreground and colors.secondary:
        yield f"  --{name}-background: {colors.background};"
        yield f"  --{name}-foreground: {colors.foreground.color};"
        yield f"  --{name}-secondary: {colors.secondary.color};"


def main() -> int:
    """Runs the program; returns 1 if a file had no colours, 2 if nobody could be asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--contrast", type=float, default=4.5, help="the ratio for text to reach")
    arguments = parser.parse_args()

    if not arguments.folder.is_dir():
        parser.error(f"{arguments.folder} is not a folder")
    try:
        paths = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    except OSError as error:
        parser.error(str(error))
    try:
        with Undertone() as undertone:
            # All before anything is printed: half a rule would spoil what follows it.
            answers = list(undertone.colors(paths, contrast=arguments.contrast))
    except (OSError, UndertoneError) as error:
        print(f"tint.py: undertoned cannot be asked: {error}", file=sys.stderr)
        return 2
    status = 0
    print(":root {")
    for name, (path, answer) in zip(variable_names(paths), answers, strict=True):
        if isinstance(answer, UndertoneError):
            print(f"tint.py: {path.name!r}: {answer}", file=sys.stderr)
            status = 1
        else:
            print("\n".join(declarations(name, answer)))
    print("}")
    return status


def unprinted(error: OSError) -> int:
    """Returns the status to end with where standard output takes no more."""
    # Python would complain of it once more at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 128 + signal.SIGPIPE  # Whoever read has enough, like `head`.
    print(f"tint.py: standard output: {error.strerror}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        code = unprinted(error)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    sys.exit(code)
