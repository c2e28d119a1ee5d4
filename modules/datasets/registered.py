"""Registered datasets: ``<datasets folder>/<name>/<version>/``, versions counted from 1."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from modules.artifacts import SHARDS_FILE
from modules.datasets.dataset_names import check_name, is_name
from modules.errors import InvalidDatasetError, NotInRangeValueError
from modules.files.archives import encoding_notice, extract_archive
from modules.files.disk import disk_errors, scratch_folder
from modules.files.object_folder import ObjectFolder
from modules.files.remote_shards import KeptIndex
from modules.files.scanning import notice_of, scan
from modules.files.shards import ShardIndex
from modules.layouts.inner_archives import unpack_inner_archives
from modules.sentences import datasets as say
from modules.sentences.sentence import Statement

INDEXES = "shard_indexes"
"""Folder in the cache for indexes of object stores."""


class RegisteredDataset(NamedTuple):
    """A dataset's name and its versions, oldest first."""

    name: str
    versions: tuple[int, ...]


def require_one_spelling(name: str, datasets_dir: Path) -> None:
    """Raise ``NotInRangeValueError`` for a new name that differs from an existing one only in case.

    On a disk of Windows or macOS both would be one dataset.
    """
    there = {path.name for path in datasets_dir.iterdir()} if datasets_dir.is_dir() else set()
    for other in sorted(there - {name} if name not in there else ()):
        if other.casefold() == name.casefold():
            raise NotInRangeValueError(
                say.OTHER_SPELLING, other=other, name=name, parameter="source"
            )


def register_dataset(
    source: Path,
    name: str,
    datasets_dir: Path,
    *,
    allowed_roots: Collection[Path] | None = (),
) -> int:
    """Copy a folder, or unpack an archive, as the next version of a dataset; return the version.

    Archives in a dataset without images are unpacked, too (``inner_archives``). Targets of links
    in ``allowed_roots`` are copied as well (``scanning.scan``).

    Raises ``InvalidDatasetError`` if it cannot be copied completely; nothing remains then.
    """
    check_name(name)
    require_one_spelling(name, datasets_dir)
    home = datasets_dir / name
    with disk_errors(datasets_dir), scratch_folder(datasets_dir) as scratch:
        content = scratch / "content"
        if source.is_dir():
            _copy_folder(source, content, allowed_roots)
            unpack_inner_archives(content)
        else:
            extract_archive(source, content)
            unpack_inner_archives(content, source.stat().st_size)
        home.mkdir(exist_ok=True)
        return _put_in_place(content, home)


def register_address(folder: ObjectFolder, name: str, datasets_dir: Path, cache_dir: Path) -> int:
    """Save the index of an object store's shards as the next version; return the version.

    The shards stay in place. Raises ``InvalidDatasetError`` if there are none.
    """
    check_name(name)
    require_one_spelling(name, datasets_dir)
    kept = KeptIndex(folder, cache_dir / INDEXES).refresh()
    with disk_errors(datasets_dir), scratch_folder(datasets_dir) as scratch:
        (scratch / "content").mkdir()
        shutil.copyfile(kept / SHARDS_FILE, scratch / "content" / SHARDS_FILE)
        (datasets_dir / name).mkdir(exist_ok=True)
        return _put_in_place(scratch / "content", datasets_dir / name)


def relocate_version(location: Path, folder: ObjectFolder, cache_dir: Path) -> ShardIndex:
    """Change a version's index to another address, to which its shards were copied.

    No shard is read. Raises ``InvalidDatasetError`` and changes nothing if the version is a copy
    instead of an index, or the index at the new address lists other files.
    """
    if not (location / SHARDS_FILE).is_file() or isinstance(
        (kept := ShardIndex.read(location)).folder, Path
    ):
        facts = {"dataset": f"{location.parent.name}@{location.name}"}
        raise InvalidDatasetError(say.LIES_HERE.about(facts), parameter="source")
    there = ShardIndex.read(KeptIndex(folder, cache_dir / INDEXES).refresh())
    num_others = kept.num_other_files(there)
    if num_others:
        raise InvalidDatasetError(
            say.OTHER_FILES_AT_ADDRESS, place=folder.place, files=num_others, parameter="source"
        )
    with disk_errors(location):
        there.write(location)
    return there


def list_datasets(datasets_dir: Path) -> list[RegisteredDataset]:
    """Return all registered datasets by name."""
    if not datasets_dir.is_dir():
        return []
    names = [
        entry.name for entry in datasets_dir.iterdir() if entry.is_dir() and is_name(entry.name)
    ]
    datasets = [RegisteredDataset(name, versions_of(datasets_dir, name)) for name in names]
    return sorted(dataset for dataset in datasets if dataset.versions)


def versions_of(datasets_dir: Path, name: str) -> tuple[int, ...]:
    """Return the versions of a dataset, oldest first."""
    home = datasets_dir / name
    if not home.is_dir() or name not in os.listdir(datasets_dir):  # with the exact spelling
        return ()
    names = [entry.name for entry in home.iterdir() if entry.is_dir()]
    return tuple(
        sorted(int(folder) for folder in names if re.fullmatch(r"[1-9][0-9]{0,8}", folder))
    )


def source_notice(source: Path) -> Statement | None:
    """Return a notice about a folder or an archive to register, or None."""
    return notice_of(source) if source.is_dir() else encoding_notice(source)


def _copy_folder(source: Path, target: Path, allowed_roots: Collection[Path] | None) -> None:
    tree = scan(source, allowed_roots=allowed_roots)
    if tree.passed_over:
        links = [
            say.PASSED_OVER.about({"path": p, "what": reason}) for p, reason in tree.passed_over
        ]
        raise InvalidDatasetError(
            say.NOT_COPIED_WHOLE, folder=source, links=links, parameter="source"
        )
    if not tree.files:
        raise InvalidDatasetError(say.EMPTY_FOLDER, folder=source, parameter="source")
    target.mkdir()
    for folder in tree.folders:
        (target / folder).mkdir()
    for file in tree.files:
        shutil.copyfile(source / file.path, target / file.path)


def _put_in_place(content: Path, home: Path) -> int:
    """Rename to the next free version; another process may take a number at the same time."""
    version = max(versions_of(home.parent, home.name), default=0) + 1
    while True:
        try:
            content.rename(home / str(version))
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            version += 1
        else:
            return version
