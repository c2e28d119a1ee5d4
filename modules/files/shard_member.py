"""Files in tar shards, read in place by their offset, and verified by their hash."""

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
    """The location of a file's bytes in a shard; ``name`` is its name without folders."""

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
        """Return its bytes; raise ``InvalidDatasetError`` if they do not match the index."""
        content = self._read()
        if not self._is_own(content) and isinstance(self.shard, RemoteShard):
            self.shard.forget()  # the local copy is damaged: the store still has the original
            content = self._read()
        if not self._is_own(content):
            raise InvalidDatasetError(say.SHARD_CHANGED, shard=str(self.shard), file=self.name)
        return content

    def _is_own(self, content: bytes) -> bool:
        return hashlib.sha256(content).hexdigest() == self.sha256

    def _read(self) -> bytes:
        # Opened each time: shards may exceed the limit of open files, and processes fork.
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
"""A file of a dataset or of images: a separate file, or one in a shard. Both have ``name``,
``stem``, ``suffix`` and ``read_bytes()``.
"""
