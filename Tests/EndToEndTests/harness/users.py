"""Another user. Only root may become one."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A user that every system has, and nobody is.
NOBODY = 65534


@contextlib.contextmanager
def as_user(user: int | None) -> Iterator[None]:
    """Makes what connects meanwhile another user's, if one is given."""
    if user is None:
        yield
        return
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
