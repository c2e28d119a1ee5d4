"""Creation of shards from a folder of images, and of the index of existing tars.

Each shard is read back before the index, which comes last, lists it. An interrupted run is resumed
by the next one: complete shards whose files are unchanged, by name, size and time, are kept.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from modules.errors import InvalidDatasetError, ModuleError
from modules.files.archive_kinds import require_archive
from modules.files.archives import damage_explained
from modules.files.disk import disk_errors
from modules.files.names import is_junk
from modules.files.object_folder import ObjectFolder
from modules.files.safe_extraction import safe_parts, unsafe
from modules.files.scanning import ScannedFile, scan
from modules.files.shard_cache import file_sha256
from modules.files.shards import COLUMNS, INDEX, Shard, ShardIndex
from modules.files.tar_archives import END_OF_TAR, GuardedStream
from modules.files.whole_files import replacing
from modules.sentences import datasets
from modules.sentences import files as say

SHARD_BYTES = 256 * 2**20
MADE_OF = ".made-of"
"""File next to the shards that names the folder they were created from; others do not use them."""
_CHUNK_BYTES = 2**20
_NANOSECONDS = 10**9


@dataclass(frozen=True)
class TarMember:
    """A file in a tar; ``modified`` in whole seconds."""

    path: str
    offset: int
    num_bytes: int
    sha256: str
    modified: int


def write_shards(
    source: Path,
    folder: Path,
    shard_bytes: int = SHARD_BYTES,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
) -> ShardIndex:
    """Write the files of a folder as shards of about that size, with their index.

    ``tell`` is called with the number of finished shards and the total. Raises
    ``InvalidDatasetError`` if it cannot be copied completely, ``ModuleOutOfMemoryError`` for a full
    disk.
    """
    planned = planned_shards(source, shard_bytes)
    _require_own(source, folder)
    shards: dict[Shard, list[TarMember]] = {}
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MADE_OF).write_bytes(os.fsencode(source.resolve()))
        (folder / INDEX).unlink(missing_ok=True)
        for number, files in enumerate(planned):
            tell(number, len(planned))
            path = folder / shard_name(number)
            members = kept_shard(path, files) or write_shard(path, source, files)
            shards[shard_of(path)] = members
        names = {shard.name for shard in shards}
        for stale in folder.glob("shard-*.tar"):
            if stale.name not in names:
                stale.unlink()
        tell(len(planned), len(planned))
        index = index_of(folder, shards)
        index.write(folder)
    return index


def index_shards(
    folder: Path, tell: Callable[[int, int], None] = lambda _d, _t: None
) -> ShardIndex:
    """Write the index of the tars in a folder, which are read completely and stay unchanged.

    Raises ``InvalidDatasetError`` for links, unsafe names, and damaged tars.
    """
    tars = [file.path for file in scan(folder).files if Path(file.path).suffix == ".tar"]
    paths = [folder / path for path in tars if "/" not in path]
    if not paths:
        raise InvalidDatasetError(say.NO_SHARDS, folder=folder, parameter="source")
    shards = {}
    for number, path in enumerate(paths):
        tell(number, len(paths))
        members = list(members_of(path))
        shards[shard_of(path)] = members
    tell(len(paths), len(paths))
    index = index_of(folder, shards)
    with _writing(folder):
        index.write(folder)
    return index


def members_of(shard: Path) -> Iterator[TarMember]:
    """Return the files in a tar, each read to its end; nothing is unpacked.

    Raises ``InvalidDatasetError`` if it is unsafe, damaged, truncated or compressed.
    """
    if require_archive(shard) != "tar":
        raise InvalidDatasetError(say.COMPRESSED_SHARD, shard=shard, parameter="source")
    with damage_explained(shard), shard.open("rb") as file:
        stream = GuardedStream(file, lambda _: None)
        with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tar:
            for member in tar:
                if not member.isdir():
                    yield _member(tar, member, shard.name)
                tar.members = []  # type: ignore[attr-defined]  # else it keeps every header
        if stream.last_block != END_OF_TAR:
            raise EOFError(say.NO_END_MARK.about({}))


def _member(tar: tarfile.TarFile, member: tarfile.TarInfo, shard: str) -> TarMember:
    if member.issym() or member.islnk():
        raise unsafe(shard, member.name, say.LINK)
    if not member.isreg():
        raise unsafe(shard, member.name, say.DEVICE)
    if member.issparse():
        raise unsafe(shard, member.name, say.SPARSE)
    path = "/".join(safe_parts(shard, member.name))
    if not path:
        raise unsafe(shard, member.name, say.NO_USABLE_NAME)
    content = tar.extractfile(member)
    assert content is not None
    digest, num_bytes = hashlib.sha256(), 0
    while chunk := content.read(_CHUNK_BYTES):
        digest.update(chunk)
        num_bytes += len(chunk)
    if num_bytes != member.size:
        raise EOFError(say.NO_END_MARK.about({}))
    modified = int(member.mtime)
    return TarMember(path, member.offset_data, member.size, digest.hexdigest(), modified)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        with disk_errors(folder):
            yield
    except ModuleError:
        raise
    except OSError as error:
        raise InvalidDatasetError(
            say.FOLDER_NOT_WRITABLE, folder=folder, error=error.strerror, parameter="source"
        ) from error


def shard_name(number: int) -> str:
    """Return the name of the shard with that number."""
    return f"shard-{number:05}.tar"


def planned_shards(source: Path, shard_bytes: int) -> list[list[ScannedFile]]:
    """Return the files of each shard, in the order of their paths: the same for the same folder."""
    tree = scan(source)
    if tree.passed_over:
        links = [
            datasets.PASSED_OVER.about({"path": path, "what": reason})
            for path, reason in tree.passed_over
        ]
        raise InvalidDatasetError(
            datasets.NOT_COPIED_WHOLE, folder=source, links=links, parameter="source"
        )
    planned: list[list[ScannedFile]] = []
    room = 0
    for file in tree.files:
        if is_junk(file.path):
            continue
        if not planned or file.num_bytes > room:
            planned.append([])
            room = shard_bytes
        planned[-1].append(file)
        room -= file.num_bytes
    if not planned:
        raise InvalidDatasetError(datasets.EMPTY_FOLDER, folder=source, parameter="source")
    return planned


def _require_own(source: Path, folder: Path) -> None:
    """Reject a folder where the shards would be mixed with other files, or replace them."""
    if folder.resolve().is_relative_to(source.resolve()):
        raise InvalidDatasetError(say.SHARDS_WITHIN, folder=folder, parameter="source")
    there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    mark = folder / MADE_OF
    is_ours = mark.is_file() and mark.read_bytes() == os.fsencode(source.resolve())
    if folder.exists() and not folder.is_dir():
        there, is_ours = [folder.name], False
    require_only_ours(str(folder), there, is_ours=is_ours)


def require_only_ours(place: str, there: Collection[str], *, is_ours: bool) -> None:
    """Raise ``InvalidDatasetError`` for names that were not created by writing shards."""
    ours = (MADE_OF, "shard-", ".shard-", INDEX, f".{INDEX}") if is_ours else ()
    others = sorted(name for name in there if not name.startswith(ours))
    if others:
        raise InvalidDatasetError(
            say.OTHER_FILES_THERE, folder=place, files=others, parameter="source"
        )


def kept_shard(shard: Path, files: Sequence[ScannedFile]) -> list[TarMember] | None:
    """Return the contents of an existing shard; None if it must be created again."""
    try:
        existing = list(members_of(shard)) if shard.is_file() else []
    except InvalidDatasetError:  # truncated or damaged
        return None
    as_found = [(member.path, member.num_bytes, member.modified) for member in existing]
    as_planned = [(_name(shard, file), file.num_bytes, _modified(file)) for file in files]
    return existing if as_found == as_planned else None


def write_shard(shard: Path, source: Path, files: Sequence[ScannedFile]) -> list[TarMember]:
    """Write a shard and read it back."""
    hashes = []
    with replacing(shard, durably=True) as temporary, tarfile.open(temporary, "w") as tar:
        for file in files:
            content = _read(source / file.path)
            hashes.append(hashlib.sha256(content).hexdigest())
            member = tarfile.TarInfo(_name(shard, file))
            member.size, member.mtime = len(content), _modified(file)
            tar.addfile(member, io.BytesIO(content))
    written = list(members_of(shard))
    if [member.sha256 for member in written] != hashes:
        raise InvalidDatasetError(say.CHANGED_WHILE_READ, shard=shard, parameter="source")
    return written


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FILE, file=path, error=error.strerror, parameter="source"
        ) from error


def _name(shard: Path, file: ScannedFile) -> str:
    return "/".join(safe_parts(shard.name, file.path))


def _modified(file: ScannedFile) -> int:
    return max(0, file.mtime_ns // _NANOSECONDS)


def shard_of(path: Path) -> Shard:
    """Return a tar as an index entry; it is read to its end."""
    try:
        return Shard(path.name, path.stat().st_size, file_sha256(path))
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FILE, file=path, error=error.strerror, parameter="source"
        ) from error


def index_of(
    folder: Path | ObjectFolder, shards: Mapping[Shard, Sequence[TarMember]]
) -> ShardIndex:
    """Return the index of shards in a folder; raise ``InvalidDatasetError`` for duplicate paths."""
    import pandas as pd

    rows = [
        (member.path, number, member.offset, member.num_bytes, member.sha256)
        for number, members in enumerate(shards.values())
        for member in members
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    twice = table["path"][table["path"].duplicated()]
    if len(twice):
        raise InvalidDatasetError(
            say.TWICE_IN_SHARDS, folder=str(folder), file=twice.iloc[0], parameter="source"
        )
    return ShardIndex(folder, tuple(shards), table)
