"""What can go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The client's own code, for what the daemon says that protocol 1 does not know.
MALFORMED = "malformed_reply"


class UndertoneError(Exception):
    """The daemon's error for one question.

    `code` is stable and for programs, `message` for people; `package` names the Debian package
    that would help, where one is known. The code `malformed_reply` is the client's own: what came
    as an answer is none.
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
        code, package = str(error["code"]), error.get("package")
        return cls(code, str(error.get("message", code)), package and str(package))


class UndertoneRefusedError(UndertoneError):
    """The daemon's error for a connection, or something on it that answers no question.

    Nothing that is asked on that connection is answered any more: there are too many (`busy`), or
    whoever listens is no daemon of protocol 1 (`malformed_reply`).
    """


class UndertoneClosedError(ConnectionError):
    """The daemon ended the connection before it had answered."""
