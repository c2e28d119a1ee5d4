"""What files and folders hold, as one hash; and the cache that spares reading them again.

A folder's hash is the SHA-256 of its sorted ``relative path NUL file hash`` lines. It is cached
under a fingerprint of paths, sizes, modification times and inodes, never under times alone, and
never while the newest file is so young that a second change could carry the same time.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from modules.data.scanning import FileEntry, scan
from modules.errors import InvalidDatasetError

YOUNG_SECONDS = 2.0


class Snapshot(NamedTuple):
    """What ``stat`` says of a file or a whole folder, without reading: a hash and a time."""

    fingerprint: str
    newest_mtime_ns: int

    def is_young(self, now_ns: int | None = None) -> bool:
        """True where a file may still change without its modification time showing it."""
        now_ns = time.time_ns() if now_ns is None else now_ns
        return now_ns - self.newest_mtime_ns < YOUNG_SECONDS * 1e9


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex; ``InvalidDatasetError`` where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InvalidDatasetError(
            f"The file {path} cannot be read: {error.strerror}.",
            cure="Check that it is there and that this server may read it.",
            parameter="source",
        ) from error


def hash_folder(folder: Path) -> str:
    """The SHA-256 of what a folder holds; links that lead out of it count by name only."""
    tree = scan(folder)
    digest = hashlib.sha256()
    for file in tree.files:
        digest.update(_line(file.path, hash_file(folder / file.path)))
    for path, reason in tree.passed_over:
        digest.update(_line(path, reason))
    return digest.hexdigest()


def stat_fingerprint(path: Path) -> str:
    """The SHA-256 of sorted paths, sizes, modification times (ns) and inodes, nothing read."""
    return snapshot(path).fingerprint


def snapshot(path: Path) -> Snapshot:
    """The fingerprint of a file, or of everything in a folder, and the newest time in it."""
    if path.is_dir():
        files: Iterable[FileEntry] = scan(path).files
    else:
        facts = path.stat()
        files = (FileEntry("", facts.st_size, facts.st_mtime_ns, facts.st_ino),)
    digest, newest = hashlib.sha256(), 0
    for file in files:
        digest.update(_line(file.path, f"{file.num_bytes} {file.mtime_ns} {file.inode}"))
        newest = max(newest, file.mtime_ns)
    return Snapshot(digest.hexdigest(), newest)


class HashCache:
    """Content hashes of files and folders, one small JSON file each in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, path: Path, seen: Snapshot) -> str | None:
        """The hash stored for ``path`` while it looked like this."""
        try:
            stored = json.loads(self._entry(path).read_text(encoding="utf-8"))
            fits = stored["path"] == _text(path) and stored["stat"] == seen.fingerprint
            return str(stored["sha256"]) if fits else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, path: Path, seen: Snapshot, sha256: str) -> None:
        """Store a hash; an older one of the same path is replaced."""
        stored = {"path": _text(path), "stat": seen.fingerprint, "sha256": sha256}
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".partial-", dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(stored, file)
        Path(name).replace(self._entry(path))

    def _entry(self, path: Path) -> Path:
        name = hashlib.sha256(_text(path).encode()).hexdigest()[:32]
        return self.folder / f"{name}.json"


def content_hash(path: Path, cache: HashCache | None = None, *, trust_young: bool = False) -> str:
    """The hash of a file or folder, from the cache where it is safe to.

    ``trust_young`` is for folders that nobody but this program writes.
    """
    if cache is None or not path.exists():
        return _read_hash(path)
    path = path.resolve()
    before = snapshot(path)
    if before.is_young() and not trust_young:
        return _read_hash(path)
    known = cache.get(path, before)
    if known is None:
        known = _read_hash(path)
        cache.put(path, before, known)
    return known


def _read_hash(path: Path) -> str:
    return hash_folder(path) if path.is_dir() else hash_file(path)


def _line(path: str, text: str) -> bytes:
    return os.fsencode(path) + b"\0" + text.encode() + b"\n"


def _text(path: Path) -> str:
    """The path as text that any file can hold, also where its bytes are no text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
