"""The answer to `cache`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class MemoryCache:
    """What the daemon keeps in memory: pictures, bytes, the bytes it may take, and its use."""

    entries: int
    bytes: int
    limit: int
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class DiskCache:
    """What it keeps on disk, in the database at `path`.

    `state` is `ready`, or why the disk is not asked. `entries` and `bytes` are None where they
    cannot be told, and `path` where nothing is kept.
    """

    state: str
    path: str | None
    entries: int | None
    bytes: int | None
    limit: int
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class Cache:
    """What the daemon keeps of the pictures that it was asked about."""

    memory: MemoryCache
    disk: DiskCache


def cache_from_wire(result: Mapping[str, Any]) -> Cache:
    """Takes the result of a `cache` reply."""
    memory, disk = result["memory"], result["disk"]
    uses = ("entries", "bytes", "limit", "hits", "misses")
    return Cache(
        memory=MemoryCache(**{name: memory[name] for name in uses}),
        disk=DiskCache(disk["state"], disk["path"], **{name: disk[name] for name in uses}),
    )
