"""Creation of shards from a folder of images in an object store.

One shard at a time is created here, uploaded and read back, so the local disk needs space only for
the largest. The index comes last. An interrupted run is resumed by the next one, as in folders.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.errors import InvalidDatasetError
from modules.files.disk import disk_errors, scratch_folder
from modules.files.object_folder import ObjectFolder
from modules.files.remote_shards import put_index
from modules.files.scanning import ScannedFile
from modules.files.shard_writing import (
    MADE_OF,
    SHARD_BYTES,
    TarMember,
    kept_shard,
    planned_shards,
    require_only_ours,
    shard_name,
    shard_of,
    write_shard,
)
from modules.files.shards import INDEX, Shard, ShardIndex
from modules.sentences import files as say


def write_shards_there(
    source: Path,
    folder: ObjectFolder,
    scratch: Path,
    shard_bytes: int = SHARD_BYTES,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
) -> ShardIndex:
    """Write the files of a folder as shards to an address, with their index.

    Raises ``InvalidDatasetError`` and ``ModuleOutOfMemoryError`` like ``write_shards``.
    """
    planned = planned_shards(source, shard_bytes)
    with disk_errors(scratch), scratch_folder(scratch) as space:
        making = _Making(source, folder, space)
        there = making.begin()
        shards: dict[Shard, list[TarMember]] = {}
        for number, files in enumerate(planned):
            tell(number, len(planned))
            name = shard_name(number)
            shard, members = making.shard(name, files, is_there=name in there)
            shards[shard] = members
        for stale in there - {shard.name for shard in shards}:
            folder.remove(stale)
        tell(len(planned), len(planned))
        return put_index(folder, shards, space)


@dataclass(frozen=True)
class _Making:
    source: Path
    folder: ObjectFolder
    space: Path
    """Local folder for one shard."""

    def begin(self) -> set[str]:
        """Mark the address as that of this source's shards; return the existing ones."""
        there = set(self.folder.sizes())
        self._require_own(there)
        mark = self.space / MADE_OF
        mark.write_text(self._mark, encoding="ascii")
        try:
            self.folder.put(mark, MADE_OF)
        except FileNotFoundError:
            place = self.folder.place
            raise InvalidDatasetError(say.NO_BUCKET, place=place, parameter="source") from None
        if INDEX in there:
            self.folder.remove(INDEX)
        return {name for name in there if name.startswith("shard-")}

    def shard(
        self, name: str, files: Sequence[ScannedFile], *, is_there: bool
    ) -> tuple[Shard, list[TarMember]]:
        """Return a complete shard that was uploaded before, or create it now."""
        copy = self.space / name
        kept = kept_shard(copy, files) if is_there and self._fetch(name) else None
        members = kept or self._put(name, files)
        shard = shard_of(copy)
        copy.unlink()
        return shard, members

    def _put(self, name: str, files: Sequence[ScannedFile]) -> list[TarMember]:
        copy = self.space / name
        members = write_shard(copy, self.source, files)
        made = shard_of(copy)
        self.folder.put(copy, name)
        if not self._fetch(name) or shard_of(copy) != made:
            changed = f"{self.folder.place}/{name}"
            raise InvalidDatasetError(say.CHANGED_THERE, shard=changed, parameter="source")
        return members

    def _fetch(self, name: str) -> bool:
        try:
            self.folder.fetch(name, self.space / name)
        except FileNotFoundError:
            return False
        return True

    def _require_own(self, there: set[str]) -> None:
        mark = self.space / MADE_OF
        is_marked = MADE_OF in there and self._fetch(MADE_OF)
        is_ours = is_marked and mark.read_bytes() == self._mark.encode("ascii")
        require_only_ours(self.folder.place, there, is_ours=is_ours)

    @property
    def _mark(self) -> str:
        """Return the mark; it does not reveal the local path of the images to readers."""
        return hashlib.sha256(os.fsencode(self.source.resolve())).hexdigest()
