"""Copies of stored outputs in the workspace's folder: marked when used, the oldest go first.

The copies lie where outputs lie in a workspace without an object store, so that whoever reads one
reads a folder. A use is a mark beside them, a file whose time is that of the use: all processes
see it, on all machines that share the folder.
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

REST_SECONDS = 3600.0
"""So long after its last use a copy stays, whatever the limit: somebody may be reading it."""
FETCHED, EVICTED = ".object-", ".evicted-"
"""How folders begin that something is being fetched into, or that are being removed."""


class Copy(Protocol):
    """What counts of a copy: ``ArtifactRecord`` has it."""

    @property
    def id(self) -> str: ...

    @property
    def num_bytes(self) -> int: ...


class CachedCopy(NamedTuple):
    """One on a machine that has no index."""

    id: str
    num_bytes: int


class ArtifactCache:
    """The copies in one folder."""

    def __init__(
        self, root: Path, marks: Path, limit_bytes: int, rest_seconds: float = REST_SECONDS
    ) -> None:
        self.root = root
        self._marks = marks
        self._limit_bytes = limit_bytes
        self._rest_seconds = rest_seconds

    def use(self, artifact_id: str) -> bool:
        """Mark it as used now; True where it is here, and stays for a while."""
        # The mark first: who removes copies looks at it once more after the folder has gone.
        self._marks.mkdir(parents=True, exist_ok=True)
        (self._marks / artifact_id).touch()
        return (self.root / artifact_id).is_dir()

    def evict(self, records: Iterable[Copy], wanted: Collection[str]) -> list[str]:
        """Remove what was not used for longest until the rest fits; gives what went.

        ``records`` are those that the object store has; ``wanted`` are never removed.
        """
        self._marks.mkdir(parents=True, exist_ok=True)
        with (self._marks / ".lock").open("w") as lock:
            if not locks.try_lock(lock):
                return []  # another process is about it
            return self._evict([record for record in records if self._is_here(record)], wanted)

    def _evict(self, here: list[Copy], wanted: Collection[str]) -> list[str]:
        gone: list[str] = []
        total = sum(each.num_bytes for each in here)
        for record in sorted(here, key=lambda each: self._used(each.id)):
            if total <= self._limit_bytes:
                break
            if record.id not in wanted and self._remove(record.id):
                total -= record.num_bytes
                gone.append(record.id)
        for left in self.root.glob(f"{EVICTED}*"):
            shutil.rmtree(left, ignore_errors=True)
        return gone

    def drop(self, artifact_id: str) -> None:
        """Remove a copy, used or not."""
        with suppress(OSError):
            self._hide(artifact_id)
        for left in self.root.glob(f"{EVICTED}{artifact_id}-*"):
            shutil.rmtree(left, ignore_errors=True)

    def _remove(self, artifact_id: str) -> bool:
        if self._is_in_use(artifact_id):
            return False
        try:
            hidden = self._hide(artifact_id)
        except OSError:
            return False
        if self._is_in_use(artifact_id):  # from this very moment on
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
