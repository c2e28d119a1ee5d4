"""A file that lies in a tar shard, read in place by its offset, and compared with its hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from modules.errors import InvalidDatasetError
from modules.sentences import files as say


@dataclass(frozen=True, slots=True)
class ShardMember:
    """Where a file's bytes are in a shard; ``name`` is its own, without folders."""

    shard: Path
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
        # Opened for each: shards may be more than a process may hold open, and processes fork.
        try:
            with self.shard.open("rb", buffering=0) as file:
                file.seek(self.offset)
                content = file.read(self.num_bytes)
        except OSError as error:
            raise InvalidDatasetError(
                say.SHARD_UNREADABLE, shard=self.shard, error=error.strerror
            ) from error
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise InvalidDatasetError(say.SHARD_CHANGED, shard=self.shard, file=self.name)
        return content


StoredFile = Path | ShardMember
"""A file of a dataset or of images: one of its own, or one in a shard. Both have ``name``,
``stem``, ``suffix`` and ``read_bytes()``."""
