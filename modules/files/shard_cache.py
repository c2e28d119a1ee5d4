"""Local cache of shards of an object store: downloaded when an image of one is first read.

All processes of a machine share the folder. One of them downloads a shard, the others wait for it;
it gets its name when its size and SHA-256 match the index. The time of a file is that of its last
use: the least recently used ones are removed if space is needed. A shard that is read in random
order is always in use, so recently used shards stay, even above the limit. Otherwise an epoch over
more data than the limit would download a shard for each image.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

from modules.errors import InvalidDatasetError, ModuleError
from modules.files.disk import disk_errors, is_full
from modules.files.locks import alone
from modules.files.object_folder import ObjectFolder
from modules.files.whole_files import replacing
from modules.sentences import files as say

SHARDS_FOLDER = "shards"
"""Folder in the cache of a workspace, or of a machine."""
LIMIT_BYTES = 50 * 10**9
REST_SECONDS = 300.0
"""Seconds that a shard is kept after its last use, whatever the limit."""
_MARK_SECONDS = 30.0
_LEFT_OVER_SECONDS = 3600.0


@dataclass(frozen=True)
class RemoteShard:
    """A tar in an object store; ``sha256`` is empty if its index does not have it."""

    folder: ObjectFolder
    name: str
    num_bytes: int
    sha256: str = ""

    def __str__(self) -> str:
        return f"{self.folder.place}/{self.name}"

    @cached_property
    def key(self) -> str:
        """Return the file name of its copy."""
        facts = f"{self}\0{self.num_bytes}\0{self.sha256}"
        return hashlib.sha256(os.fsencode(facts)).hexdigest()

    def open(self) -> IO[bytes]:
        """Open its copy, downloaded if needed."""
        return chosen().path(self).open("rb", buffering=0)

    def forget(self) -> None:
        """Remove a copy that does not match the index."""
        chosen().remove(self)


@dataclass(frozen=True)
class ShardCache:
    """The copies in one folder."""

    folder: Path
    limit_bytes: int = LIMIT_BYTES
    rest_seconds: float = REST_SECONDS

    def path(self, shard: RemoteShard) -> Path:
        """Return the path of a shard's copy, which is kept for a while.

        Raises ``InvalidDatasetError`` if it is not available, ``ModuleOutOfMemoryError`` for a full
        disk.
        """
        copy = self._copy(shard)
        if self._use(copy, shard):
            return copy
        with self._explained(), disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with alone(self.folder / f".{shard.key}.lock", lambda: None):
                if not self._use(copy, shard):
                    self._fetch(shard, copy)
        return copy

    def remove(self, shard: RemoteShard) -> None:
        """Remove the copy of a shard."""
        with suppress(OSError):
            self._copy(shard).unlink(missing_ok=True)

    def _copy(self, shard: RemoteShard) -> Path:
        return self.folder / f"{shard.key}.tar"

    def _use(self, copy: Path, shard: RemoteShard) -> bool:
        """Mark it as used; return False if it is missing or truncated."""
        try:
            facts = copy.stat()
            if time.time() - facts.st_mtime > _MARK_SECONDS:
                os.utime(copy)
        except OSError:
            return False
        return facts.st_size == shard.num_bytes

    def _fetch(self, shard: RemoteShard, copy: Path) -> None:
        # left by a process that was killed: this one
        for left in self.folder.glob(f".{copy.name}.*.tmp"):
            left.unlink(missing_ok=True)  # holds its lock
        try:
            self._fetch_into(shard, copy)
        except OSError as error:
            if not is_full(error) or not self._make_room(self.limit_bytes):
                raise
            self._fetch_into(shard, copy)

    def _fetch_into(self, shard: RemoteShard, copy: Path) -> None:
        self._make_room(shard.num_bytes)
        with replacing(copy) as temporary:
            try:
                shard.folder.fetch(shard.name, temporary)
            except FileNotFoundError:
                raise InvalidDatasetError(
                    say.SHARD_GONE_THERE, shard=str(shard), parameter="source"
                ) from None
            _require_whole(shard, temporary)

    def _make_room(self, num_bytes: int) -> bool:
        """Remove the least recently used copies for a new one; return True if any was removed."""
        with alone(self.folder / ".room.lock", lambda: None):
            now, copies = time.time(), list(self._copies())
            excess = sum(size for _, size, _ in copies) + num_bytes - self.limit_bytes
            gone = False
            for used, size, path in sorted(copies):
                if excess <= 0 or now - used < self.rest_seconds:
                    break
                with suppress(OSError):  # it is open, on a system that protects open files
                    path.unlink()
                    excess -= size
                    gone = True
        return gone

    def _copies(self) -> Iterator[tuple[float, int, Path]]:
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                facts = path.stat()
                if path.suffix == ".tar":
                    yield facts.st_mtime, facts.st_size, path
                elif path.suffix == ".tmp" and time.time() - facts.st_mtime > _LEFT_OVER_SECONDS:
                    path.unlink()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ModuleError:
            raise
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise InvalidDatasetError(
                say.SHARD_CACHE_UNUSABLE, folder=self.folder, error=why, parameter="source"
            ) from error


def _require_whole(shard: RemoteShard, path: Path) -> None:
    size = path.stat().st_size
    if size != shard.num_bytes:
        raise InvalidDatasetError(
            say.FETCHED_CUT,
            shard=str(shard),
            size=size,
            expected=shard.num_bytes,
            parameter="source",
        )
    if shard.sha256 and file_sha256(path) != shard.sha256:
        raise InvalidDatasetError(say.FETCHED_CHANGED, shard=str(shard), parameter="source")


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_chosen: list[ShardCache] = []


def choose(cache: ShardCache) -> None:
    """Let this process, and those it forks, use that cache from now on."""
    _chosen[:] = [cache]


def chosen() -> ShardCache:
    """Return the cache of this process; by default in the user's cache folder."""
    if not _chosen:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        choose(ShardCache(Path(home) / "pipeline-designer" / "shards"))
    return _chosen[0]
