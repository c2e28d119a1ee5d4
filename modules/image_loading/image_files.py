"""The files of an image directory by row, in its folder or in shards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from modules.artifacts import ImageDirectory
from modules.files.shard_member import StoredFile
from modules.files.shards import ShardIndex, is_sharded


class ImageFiles:
    """The image files of a directory in the order of its rows."""

    def __init__(self, dataset: ImageDirectory) -> None:
        self._dataset = dataset
        # Reading a column of a table takes longer than everything else about a path.
        self._names = dataset.images["path"].array
        self._sources = dataset.images["source"].array
        self._places: dict[str, str | ShardIndex] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[StoredFile]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, row: int) -> StoredFile:
        source, name = self._sources[row], self._names[row]
        if source not in self._places:
            self._places[source] = self._place(source)
        place = self._places[source]
        return Path(place + name) if isinstance(place, str) else place.member(name)

    def _place(self, source: str) -> str | ShardIndex:
        folder = self._dataset.store_dir / source if source else self._dataset.path
        return ShardIndex.read(folder) if is_sharded(folder) else f"{folder}/images/"
