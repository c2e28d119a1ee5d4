"""Datasets as tar shards with an index: many images in few files, read in place.

A folder with ``shards.parquet`` is one. The index has one row per file (``path``, ``shard``,
``offset``, ``num_bytes``, ``sha256``) and lists the shards with their sizes. It is written last, so
an incomplete set is not recognized. Each member is verified by its hash when it is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from modules.artifacts import SHARDS_FILE
from modules.errors import InvalidDatasetError
from modules.files.names import folders_above
from modules.files.object_folder import ObjectFolder, is_address
from modules.files.safe_extraction import safe_parts
from modules.files.scanning import ScannedFile, Tree, scan
from modules.files.shard_cache import RemoteShard
from modules.files.shard_member import ShardMember
from modules.files.whole_files import replacing
from modules.operating_system.names import is_usable
from modules.sentences import files as say
from modules.sentences.sentence import said_by

if TYPE_CHECKING:
    import pandas as pd

INDEX = SHARDS_FILE
COLUMNS = ("path", "shard", "offset", "num_bytes", "sha256")
_PLAIN = re.compile(r"[^/\\:\0.][^\\:\0/]*(/[^/\\:\0.][^\\:\0/]*)*")
"""Paths that need no further check, as millions are checked."""


class Shard(NamedTuple):
    """A tar: its file name, its size, its SHA-256 (older indexes have none)."""

    name: str
    num_bytes: int
    sha256: str = ""


@dataclass(frozen=True)
class ShardIndex:
    """The location of each file: its shard in ``folder``, and its position in the shard."""

    folder: Path | ObjectFolder
    shards: tuple[Shard, ...]
    rows: pd.DataFrame

    @classmethod
    def of(cls, location: Path) -> Self:
        """Return the index of a dataset; raise ``InvalidDatasetError`` if shards do not match."""
        index = cls.read(location)
        if isinstance(index.folder, Path):
            if index.folder != location:
                raise _misfit(index, say.NOT_BESIDE.about({}))
            index.check({file.path: file.num_bytes for file in scan(location).files})
        else:  # its sizes are compared when the index or a shard is downloaded
            index.check({shard.name: shard.num_bytes for shard in index.shards})
        return index

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read an index without checking its shards."""
        import pandas as pd

        path = folder / INDEX
        try:
            rows = pd.read_parquet(path)
            facts = rows.attrs["shards"]
            hashes = facts.get("sha256") or [""] * len(facts["shards"])
            pairs = zip(facts["shards"], hashes, strict=True)
            shards = tuple(Shard(str(name), int(size), str(sha)) for (name, size), sha in pairs)
            typed = rows[list(COLUMNS)].astype(_TYPES)
            return cls(_folder_of(facts, folder, shards), shards, typed)
        except Exception as error:  # a damaged table can raise any exception in its reader
            raise InvalidDatasetError(
                say.INDEX_DAMAGED, index=path, error=said_by(error, 100), parameter="source"
            ) from error

    def write(self, folder: Path) -> None:
        """Write it atomically."""
        rows = self.rows[list(COLUMNS)].astype(_TYPES)
        rows.attrs["shards"] = {
            **_told_folder(self.folder, folder),
            "shards": [(shard.name, shard.num_bytes) for shard in self.shards],
            "sha256": [shard.sha256 for shard in self.shards],
        }
        with replacing(folder / INDEX, durably=True) as temporary:
            rows.to_parquet(temporary, index=False)

    def renamed(self, names: Mapping[str, str]) -> ShardIndex:
        """Return the index of some files with new paths; ``names`` maps from the old ones."""
        rows = self.rows[self.rows["path"].isin(names.keys())]
        return ShardIndex(self.folder, self.shards, rows.assign(path=rows["path"].map(names)))

    @property
    def num_bytes(self) -> int:
        """Return the size of all files, without tar headers."""
        return int(self.rows["num_bytes"].sum())

    def num_other_files(self, other: ShardIndex) -> int:
        """Return how many files only one of both has, by path, size and hash."""
        content = ["path", "num_bytes", "sha256"]
        mine, theirs = (
            set(index.rows[content].itertuples(index=False, name=None)) for index in (self, other)
        )
        return len({path for path, *_ in mine ^ theirs})

    def member(self, path: str) -> ShardMember:
        """Return a file by its path; raise ``KeyError`` if the index has none."""
        row = self._row_of[path]
        shards, offsets, sizes, hashes = self._columns
        place = self._places[shards[row]]
        name = path.rpartition("/")[2]
        return ShardMember(place, int(offsets[row]), int(sizes[row]), str(hashes[row]), name)

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {path: row for row, path in enumerate(self.rows["path"])}

    @cached_property
    def _columns(self) -> tuple[Any, ...]:
        # Reading a cell of a table takes longer than reading a small image.
        return tuple(self.rows[name].to_numpy() for name in COLUMNS[1:])

    @cached_property
    def _places(self) -> list[Path | RemoteShard]:
        folder = self.folder
        if isinstance(folder, Path):
            return [folder / shard.name for shard in self.shards]
        return [RemoteShard(folder, *shard) for shard in self.shards]

    def check(self, there: Mapping[str, int]) -> None:
        """Raise ``InvalidDatasetError`` if it is inconsistent or does not match the files."""
        _check_shards(self, there)
        _check_rows(self)


_TYPES = {"path": "str", "shard": "int32", "offset": "int64", "num_bytes": "int64", "sha256": "str"}


def is_sharded(location: Path) -> bool:
    """Return True if a dataset, or an artifact derived from it, is in shards."""
    return (location / INDEX).is_file()


def dataset_tree(location: Path, *, allowed_roots: Collection[Path] | None = ()) -> Tree:
    """Return the contents of a dataset's folder: the files below it, or those in its shards.

    Links out of it are followed into ``allowed_roots`` (``scan``). Raises ``InvalidDatasetError``
    if it cannot be read, or its index and shards do not match.
    """
    if not is_sharded(location):
        return scan(location, allowed_roots=allowed_roots)
    index = ShardIndex.of(location)
    pairs = zip(index.rows["path"], index.rows["num_bytes"], strict=True)
    files = sorted(ScannedFile(path, int(num_bytes), 0, 0) for path, num_bytes in pairs)
    return Tree(location, files, folders_above(file.path for file in files), members=index.member)


def _told_folder(shards: Path | ObjectFolder, index: Path) -> dict[str, str | None]:
    """Return the location of the shards of an index: next to it, by an address, or by two paths."""
    if not isinstance(shards, Path):
        return {"folder": shards.place}
    if shards == index:
        return {"folder": None}
    try:
        relative: str | None = os.path.relpath(shards.resolve(), index.resolve())
    except ValueError:  # on another drive
        relative = None
    return {"folder": str(shards.absolute()), "relative": relative}


def _folder_of(
    facts: Mapping[str, Any], index: Path, shards: Sequence[Shard]
) -> Path | ObjectFolder:
    """Return the location of the shards; if both were moved together, by the relative path."""
    absolute, relative = facts["folder"], facts.get("relative")
    if absolute is None:
        return index
    if is_address(absolute):
        return ObjectFolder.parse(absolute)
    if shards and relative and not (Path(absolute) / shards[0].name).is_file():
        beside = Path(os.path.normpath(index.resolve() / relative))
        if (beside / shards[0].name).is_file():
            return beside
    return Path(absolute)


def _check_shards(index: ShardIndex, there: Mapping[str, int]) -> None:
    for shard in index.shards:
        place = f"{index.folder}/{shard.name}"
        if "/" in shard.name or "\\" in shard.name or not is_usable(shard.name):
            raise _misfit(index, say.SHARD_NAME.about({"name": shard.name[:200]}))
        if shard.name not in there:
            raise InvalidDatasetError(say.SHARD_GONE, shard=place, parameter="source")
        if there[shard.name] != shard.num_bytes:
            sizes = {"size": there[shard.name], "expected": shard.num_bytes}
            cut = say.SHARD_CUT.about({"shard": place, **sizes})
            raise InvalidDatasetError(cut, parameter="source")


def _check_rows(index: ShardIndex) -> None:
    import numpy as np

    _, *columns = (index.rows[name].to_numpy() for name in COLUMNS[:4])
    shards_N, offsets_N, sizes_N = columns
    if len(shards_N) and not (shards_N.min() >= 0 and shards_N.max() < len(index.shards)):
        raise _misfit(index, say.NO_SUCH_SHARD.about({}))
    ends = np.array([shard.num_bytes for shard in index.shards], dtype=np.int64)
    room_N = ends[shards_N] - offsets_N
    outside_N = (offsets_N < 0) | (sizes_N < 0) | (sizes_N > room_N)
    if outside_N.any():
        path = index.rows["path"].iloc[int(outside_N.argmax())]
        raise _misfit(index, say.OUTSIDE_SHARD.about({"file": path[:200]}))
    for path in index.rows["path"]:
        if not _PLAIN.fullmatch(path) and "/".join(safe_parts(INDEX, path)) != path:
            raise _misfit(index, say.NO_PATH.about({"path": path[:200]}))
    if not index.rows["path"].is_unique:
        twice = index.rows["path"][index.rows["path"].duplicated()]
        raise _misfit(index, say.TWICE_IN_INDEX.about({"file": twice.iloc[0][:200]}))


def _misfit(index: ShardIndex, why: object) -> InvalidDatasetError:
    return InvalidDatasetError(
        say.INDEX_DAMAGED, index=f"{index.folder}/{INDEX}", error=why, parameter="source"
    )
