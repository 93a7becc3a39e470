"""Files that are written at once, only when they change, and so that it can be undone."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

# How many themes can be undone one by one; what was there before the first is always kept.
STEPS = 20

# For each file what was in it before and after; None stands for no file.
Step = dict[str, tuple[str | None, str | None]]


def read(path: Path) -> str | None:
    """Reads a file whose bytes may be any; None where there is none."""
    try:
        return os.fsdecode(path.read_bytes())
    except FileNotFoundError:
        return None


def write(path: Path, text: str | None) -> None:
    """Puts a file in the place of another at once, or deletes it; a link goes on leading to it.

    Raises the OSError with the file's name, which that of a full disk has not.
    """
    try:
        _replace(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    new = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(os.fsencode(text))
        new.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def changes(files: Mapping[Path, str]) -> dict[Path, tuple[str | None, str]]:
    """Compares what is to be written with what is there."""
    compared = {path: (read(path), text) for path, text in files.items()}
    return {path: pair for path, pair in compared.items() if pair[0] != pair[1]}


def _is_step(step: object) -> bool:
    return isinstance(step, dict) and all(
        name.startswith("/")
        and "\0" not in name
        and isinstance(pair, list)
        and len(pair) == 2
        and all(map(_is_text, (name, *pair)))
        for name, pair in step.items()
    )


def _is_text(text: object) -> bool:
    """Whether it is what `read` returns: JSON has texts that are no bytes at all."""
    if not isinstance(text, str):
        return text is None
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


class History:
    """The steps that led to the present theme, in a file that one process at a time may use."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def apply(self, files: Mapping[Path, str]) -> set[Path]:
        """Writes what differs, and returns which files did."""
        with self._locked():
            different = changes(files)
            if different:
                # Before the files, so that a step that was cut short can be undone as well.
                step: Step = {str(path): pair for path, pair in different.items()}
                self._save([*self._load(), step])
            for path, (_, text) in different.items():
                write(path, text)
            return set(different)

    def undo(self, everything: bool = False) -> tuple[dict[Path, str | None], list[Path]]:
        """Takes back the last step, or all of them.

        Returns what files hold again, and those that somebody else has changed since and that are
        left as they are.
        """
        restored: dict[Path, str | None] = {}
        foreign: dict[Path, None] = {}
        with self._locked():
            steps = self._load()
            while steps:
                for name, (before, after) in steps.pop().items():
                    path = Path(name)
                    present = read(path)
                    if present == after:
                        write(path, before)
                        restored[path] = before
                    elif present != before:
                        foreign[path] = None
                if not everything:
                    break
            self._save(steps)
        return restored, list(foreign)

    def _load(self) -> list[Step]:
        text = read(self._path)
        # A damaged one must not be in the way of a new theme.
        try:
            steps: list[Step] = json.loads(text or "[]")
        except (ValueError, RecursionError):
            return []
        return steps if isinstance(steps, list) and all(map(_is_step, steps)) else []

    def _save(self, steps: list[Step]) -> None:
        while len(steps) > STEPS:
            # The oldest before and the newest after of the two.
            first, second = steps[0], steps[1]
            both = {
                **second,
                **{name: (pair[0], second.get(name, pair)[1]) for name, pair in first.items()},
            }
            steps[:2] = [both]
        write(self._path, json.dumps(steps) if steps else None)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
