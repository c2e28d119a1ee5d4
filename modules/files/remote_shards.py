"""Datasets whose shards are in an object store: a local index, or one created there.

Before an image is read, only a copy of the index, which contains the address, is stored locally.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from modules.errors import InvalidDatasetError
from modules.files.disk import disk_errors, scratch_folder
from modules.files.json_files import read_if_valid, write_whole
from modules.files.locks import alone
from modules.files.object_folder import ObjectFolder
from modules.files.shard_writing import TarMember, index_of, members_of, shard_of
from modules.files.shards import INDEX, Shard, ShardIndex
from modules.operating_system.names import is_usable
from modules.sentences import files as say

_FETCHED = "fetched.json"


class KeptIndex:
    """The index of an address, in a folder of a cache."""

    def __init__(self, folder: ObjectFolder, cache: Path) -> None:
        self._there = folder
        self.folder = cache / hashlib.sha256(folder.place.encode()).hexdigest()[:32]

    def is_here(self) -> bool:
        """Return True if some version of it was downloaded before."""
        return (self.folder / INDEX).is_file()

    def refresh(self) -> Path:
        """Return the folder with the current index of the store.

        Raises ``InvalidDatasetError`` if there is none, or it does not match the shards there.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with disk_errors(self.folder), alone(self.folder / ".lock", lambda: None):
                size, version = self._there.version(INDEX)
                now = {"size": size, "version": version}
                if not self.is_here() or read_if_valid(self.folder / _FETCHED) != now:
                    self._fetch()
                    write_whole(self.folder / _FETCHED, now)
        except FileNotFoundError:
            raise InvalidDatasetError(
                say.NO_INDEX_THERE, index=INDEX, place=self._there.place, parameter="source"
            ) from None
        return self.folder

    def _fetch(self) -> None:
        with scratch_folder(self.folder.parent) as scratch:
            self._there.fetch(INDEX, scratch / INDEX)
            read = ShardIndex.read(scratch)
            if read.folder not in (scratch, self._there):
                raise InvalidDatasetError(
                    say.INDEX_DAMAGED,
                    index=f"{self._there.place}/{INDEX}",
                    error=say.NOT_BESIDE.about({}),
                    parameter="source",
                )
            index = ShardIndex(self._there, read.shards, read.rows)
            index.check(self._there.sizes())
            index.write(self.folder)


def index_there(
    folder: ObjectFolder, scratch: Path, tell: Callable[[int, int], None] = lambda _d, _t: None
) -> ShardIndex:
    """Write the index of the tars at an address next to them; ``scratch`` has space for one.

    Raises ``InvalidDatasetError`` like ``index_shards``.
    """
    names = sorted(name for name in folder.sizes() if name.endswith(".tar") and is_usable(name))
    if not names:
        raise InvalidDatasetError(say.NO_SHARDS_THERE, place=folder.place, parameter="source")
    shards: dict[Shard, list[TarMember]] = {}
    with disk_errors(scratch), scratch_folder(scratch) as space:
        for number, name in enumerate(names):
            tell(number, len(names))
            shard, members = _read_through(folder, name, space / name)
            shards[shard] = members
        tell(len(names), len(names))
        return put_index(folder, shards, space)


def put_index(
    folder: ObjectFolder, shards: Mapping[Shard, Sequence[TarMember]], space: Path
) -> ShardIndex:
    """Upload the index of shards next to them, without an address, so that all can be moved."""
    beside = index_of(space, shards)
    beside.write(space)
    folder.put(space / INDEX, INDEX)
    return replace(beside, folder=folder)


def _read_through(folder: ObjectFolder, name: str, copy: Path) -> tuple[Shard, list[TarMember]]:
    try:
        folder.fetch(name, copy)
    except FileNotFoundError:
        raise InvalidDatasetError(
            say.SHARD_GONE_THERE, shard=f"{folder.place}/{name}", parameter="source"
        ) from None
    members = list(members_of(copy))
    shard = shard_of(copy)
    copy.unlink()
    return shard, members
