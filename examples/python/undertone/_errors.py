"""What can go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class UndertoneError(Exception):
    """The daemon's error for one question.

    `code` is stable and for programs, `message` for people; `package` names the Debian package
    that would help, where one is known.
    """

    def __init__(self, code: str, message: str, package: str | None = None) -> None:
        super().__init__(code, message, package)
        self.code = code
        self.message = message
        self.package = package

    def __str__(self) -> str:
        hint = f" (package {self.package})" if self.package else ""
        return f"{self.code}: {self.message}{hint}"

    @classmethod
    def from_wire(cls, error: Mapping[str, Any]) -> UndertoneError:
        """Takes a reply's `error`."""
        code = str(error["code"])
        return cls(code, str(error.get("message", code)), error.get("package"))


class UndertoneClosedError(ConnectionError):
    """The daemon ended the connection before it had answered."""
