"""Local copies of stored outputs in the workspace's folder, with least-recently-used eviction.

Copies are where outputs are in a workspace without an object store, so that readers always read a
folder. A use touches a mark next to them, which all processes and machines that share the folder
see.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from modules.operating_system import locks

RECENT_USE_SECONDS = 3600.0
"""Time that a copy stays after its last use whatever the limit: it may still be read."""
FETCHED, EVICTED = ".object-", ".evicted-"
"""Prefixes of folders that are being downloaded or removed."""


class Copy(Protocol):
    """Attributes of a copy; ``ArtifactRecord`` has them."""

    @property
    def id(self) -> str: ...

    @property
    def num_bytes(self) -> int: ...


class CachedCopy(NamedTuple):
    """Copy on a machine without an index."""

    id: str
    num_bytes: int


class ArtifactCache:
    """Copies in one folder."""

    def __init__(
        self, root: Path, marks: Path, limit_bytes: int, rest_seconds: float = RECENT_USE_SECONDS
    ) -> None:
        self.root = root
        self._marks = marks
        self._limit_bytes = limit_bytes
        self._rest_seconds = rest_seconds

    def use(self, artifact_id: str) -> bool:
        """Mark it as used; return True if it is here and will stay for a while."""
        # The mark first: eviction checks it again after it has moved the folder.
        self._marks.mkdir(parents=True, exist_ok=True)
        (self._marks / artifact_id).touch()
        return (self.root / artifact_id).is_dir()

    def evict(self, records: Iterable[Copy], needed: Collection[str]) -> list[str]:
        """Remove the least recently used copies until the rest fits; return what was removed.

        ``records`` are those that the object store has; ``needed`` are never removed.
        """
        self._marks.mkdir(parents=True, exist_ok=True)
        with (self._marks / ".lock").open("w") as lock:
            if not locks.try_lock(lock):
                return []  # another process is removing it
            return self._evict([record for record in records if self._is_here(record)], needed)

    def _evict(self, copies: list[Copy], needed: Collection[str]) -> list[str]:
        removed: list[str] = []
        total = sum(copy.num_bytes for copy in copies)
        for record in sorted(copies, key=lambda copy: self._used(copy.id)):
            if total <= self._limit_bytes:
                break
            if record.id not in needed and self._remove(record.id):
                total -= record.num_bytes
                removed.append(record.id)
        for path in self.root.glob(f"{EVICTED}*"):
            shutil.rmtree(path, ignore_errors=True)
        return removed

    def drop(self, artifact_id: str) -> None:
        """Remove a copy, used or not."""
        with suppress(OSError):
            self._hide(artifact_id)
        for path in self.root.glob(f"{EVICTED}{artifact_id}-*"):
            shutil.rmtree(path, ignore_errors=True)

    def _remove(self, artifact_id: str) -> bool:
        if self._is_in_use(artifact_id):
            return False
        try:
            hidden = self._hide(artifact_id)
        except OSError:
            return False
        if self._is_in_use(artifact_id):  # from this moment on
            with suppress(OSError):
                os.rename(hidden, self.root / artifact_id)
            return False
        return True

    def _hide(self, artifact_id: str) -> Path:
        hidden = self.root / f"{EVICTED}{artifact_id}-{secrets.token_hex(4)}"
        os.rename(self.root / artifact_id, hidden)
        return hidden

    def _is_here(self, record: Copy) -> bool:
        return (self.root / record.id).is_dir()

    def _is_in_use(self, artifact_id: str) -> bool:
        return time.time() - self._used(artifact_id) < self._rest_seconds

    def _used(self, artifact_id: str) -> float:
        try:
            return (self._marks / artifact_id).stat().st_mtime
        except OSError:
            return 0.0
