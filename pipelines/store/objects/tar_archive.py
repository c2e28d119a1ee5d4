"""Folder as one tar, with the same bytes for the same contents, and an index of its files.

The index avoids reading the tar from its start: ``[name, offset, length, mode]`` for a file,
``[name]`` for a folder, ``[name, target]`` for a link. Times and owners are omitted.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

Index = list[list[Any]]
_CHUNK_BYTES = 1 << 20


class _HashedFile(io.RawIOBase):
    """Writer that hashes what it writes to a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def write(self, content: Any) -> int:
        self.digest.update(content)
        return self._file.write(content)


def pack(folder: Path, target: Path) -> tuple[str, Index]:
    """Write a folder into one tar; return its SHA-256 and index."""
    index: Index = []
    with target.open("wb") as file:
        hashed = _HashedFile(file)
        with tarfile.open(fileobj=hashed, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            for path in _walk(folder):
                index.append(_add(tar, path, path.relative_to(folder).as_posix()))
    return hashed.digest.hexdigest(), index


def _walk(folder: Path) -> Iterator[Path]:
    """Yield paths, parents first, each folder in the order of names; links are not followed."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = Path(entry.path)
        if entry.is_symlink() or entry.is_file() or entry.is_dir():
            yield path
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(path)


def _add(tar: tarfile.TarFile, path: Path, name: str) -> list[Any]:
    member = tarfile.TarInfo(name)
    if path.is_symlink():
        member.type, member.linkname = tarfile.SYMTYPE, os.readlink(path)
        tar.addfile(member)
        return [name, member.linkname]
    if path.is_dir():
        member.type, member.mode = tarfile.DIRTYPE, 0o755
        tar.addfile(member)
        return [name]
    facts = path.stat()
    member.size, member.mode = facts.st_size, 0o755 if facts.st_mode & 0o100 else 0o644
    with path.open("rb") as content:
        tar.addfile(member, content)
    blocks = -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
    return [name, tar.offset - blocks, member.size, member.mode]


def unpack(tar: Path, index: Index, folder: Path) -> None:
    """Create the files of the index in a new folder. Raises ``ValueError`` for paths that leave it.

    Links come last, so that no file is written through one.
    """
    folder.mkdir()
    links = [entry for entry in index if len(entry) == 2]
    with tar.open("rb") as source:
        for entry in index:
            path = _inside(folder, entry[0])
            if len(entry) == 1:
                path.mkdir()
            elif len(entry) == 4:
                _write(source, entry, path)
    for name, target in links:
        _inside(folder, name).symlink_to(target)


def _write(source: IO[bytes], entry: list[Any], path: Path) -> None:
    _, offset, remaining, mode = entry
    source.seek(offset)
    with path.open("xb") as file:
        while remaining:
            chunk = source.read(min(remaining, _CHUNK_BYTES))
            if not chunk:
                raise ValueError("the tar ends before its index does")
            file.write(chunk)
            remaining -= len(chunk)
    path.chmod(mode & 0o755)


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts:
        raise ValueError("a name points outside the folder")
    return folder.joinpath(*parts)


def index_bytes(index: Index) -> bytes:
    """Return the index in its stored form."""
    return json.dumps(index, separators=(",", ":")).encode()
