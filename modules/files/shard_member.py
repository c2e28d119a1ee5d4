"""A file that lies in a tar shard, read in place by its offset, and compared with its hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from modules.errors import InvalidDatasetError
from modules.files.shard_cache import RemoteShard
from modules.sentences import files as say


@dataclass(frozen=True, slots=True)
class ShardMember:
    """Where a file's bytes are in a shard; ``name`` is its own, without folders."""

    shard: Path | RemoteShard
    offset: int
    num_bytes: int
    sha256: str
    name: str

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    def read_bytes(self) -> bytes:
        """Its bytes; ``InvalidDatasetError`` where they are no longer those of the index."""
        content = self._read()
        if not self._is_own(content) and isinstance(self.shard, RemoteShard):
            self.shard.forget()  # a disk that forgets: the store has it still
            content = self._read()
        if not self._is_own(content):
            raise InvalidDatasetError(say.SHARD_CHANGED, shard=str(self.shard), file=self.name)
        return content

    def _is_own(self, content: bytes) -> bool:
        return hashlib.sha256(content).hexdigest() == self.sha256

    def _read(self) -> bytes:
        # Opened for each: shards may be more than a process may hold open, and processes fork.
        try:
            with self._opened() as file:
                file.seek(self.offset)
                return file.read(self.num_bytes)
        except OSError as error:
            raise InvalidDatasetError(
                say.SHARD_UNREADABLE, shard=str(self.shard), error=error.strerror
            ) from error

    def _opened(self) -> IO[bytes]:
        return self.shard.open() if isinstance(self.shard, RemoteShard) else _open(self.shard)


def _open(path: Path) -> IO[bytes]:
    return path.open("rb", buffering=0)


StoredFile = Path | ShardMember
"""A file of a dataset or of images: one of its own, or one in a shard. Both have ``name``,
``stem``, ``suffix`` and ``read_bytes()``."""
