"""Programs that a test runs to their end."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def run(
    command: Sequence[str | bytes | Path],
    environment: Mapping[str, str],
    cwd: bytes | Path | None = None,
    start_new_session: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs a program that nobody answers, and returns what it printed and how it ended."""
    return subprocess.run(
        command,
        env=environment,
        cwd=cwd,
        start_new_session=start_new_session,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
