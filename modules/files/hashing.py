"""Hashes of the contents of files and folders, and the cache that avoids reading them again.

A folder's hash is the SHA-256 of its sorted ``relative path NUL file hash`` lines. It is cached
under a fingerprint of paths, sizes, modification times, change times and inodes, never under times
alone, and never while the newest file is so young that a second change could have the same time.
Programs can set modification times, so files are always read on file systems without change times.
The same applies to each file of a folder: if one of many files changed, only that file is read
again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.files.json_files import write_whole
from modules.files.known_files import SUFFIX, KnownFiles
from modules.files.progress import ProgressReporter
from modules.files.scanning import ScannedFile, Tree, scan
from modules.operating_system.change_times import has_change_times
from modules.sentences import files as say

YOUNG_SECONDS = 2.0
_CHANGE_TICK_SECONDS = 0.1
"""Resolution of change times: systems count them in hundredths of a second or less."""
_CHUNK_BYTES = 1 << 17
_BATCH = 10_000
_MEGABYTE = 10**6


class FileSnapshot(NamedTuple):
    """The state of a file or folder according to ``stat``: a hash and a time."""

    fingerprint: str
    newest_mtime_ns: int
    newest_ctime_ns: int = 0
    """0 if change times are not available."""

    def is_young(self, now_ns: int | None = None) -> bool:
        """Return True if a file may still change without a change of its times."""
        now_ns = time.time_ns() if now_ns is None else now_ns
        return _is_young(self.newest_mtime_ns, self.newest_ctime_ns, now_ns)


def _is_young(mtime_ns: int, ctime_ns: int, now_ns: int) -> bool:
    if now_ns - mtime_ns < YOUNG_SECONDS * 1e9:
        return True
    # Old file systems have a resolution of whole seconds.
    is_coarse = ctime_ns % 1_000_000_000 == 0
    tick_seconds = YOUNG_SECONDS if is_coarse else _CHANGE_TICK_SECONDS
    return ctime_ns > 0 and now_ns - ctime_ns < tick_seconds * 1e9


def hash_file(path: Path, tell: Callable[[int], None] = lambda _: None) -> str:
    """Return the SHA-256 of a file in hex; raise ``InvalidDatasetError`` if it cannot be read.

    ``tell`` is called with the number of bytes read.
    """
    digest, num_bytes = hashlib.sha256(), 0
    try:
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
                num_bytes += len(chunk)
                tell(num_bytes)
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FILE, file=path, error=error.strerror, parameter="source"
        ) from error
    return digest.hexdigest()


def hash_folder(folder: Path, *, allowed_roots: Collection[Path] | None = ()) -> str:
    """Return the SHA-256 of a folder's contents; links that are not followed count only by name."""
    return _hash_tree(scan(folder, allowed_roots=allowed_roots), KnownFiles(None), lambda _: None)


def _hash_tree(
    tree: Tree, known: KnownFiles, tell: Callable[[int], None], *, trust_young: bool = False
) -> str:
    """Return the hash of a folder; ``tell`` is called with the number of files checked."""
    digest, now_ns = hashlib.sha256(), time.time_ns()
    try:
        for count, file in enumerate(tree.files, start=1):
            sha256 = known.get(file)
            if sha256 is None:
                sha256 = hash_file(tree.root / file.path)
                if trust_young or not _is_young(file.mtime_ns, file.ctime_ns, now_ns):
                    known.put(file, sha256)
            digest.update(_line(file.path, sha256))
            tell(count)
        known.keep_only(tree.files)
    finally:
        known.save()  # also if it was interrupted
    for path, reason in tree.passed_over:
        digest.update(_line(path, reason))
    return digest.hexdigest()


def stat_fingerprint(path: Path) -> str:
    """Return the SHA-256 of sorted paths, sizes, modification times (ns) and inodes.

    Nothing is read. Change times are excluded, as a hard link to a file of an artifact changes
    them.
    """
    return snapshot(path, with_change_times=False).fingerprint


def snapshot(path: Path, *, with_change_times: bool = True) -> FileSnapshot:
    """Return the fingerprint of a file, or of everything in a folder, and the newest time in it."""
    files = scan(path).files if path.is_dir() else [ScannedFile.of("", path.stat())]
    return _snapshot_of(files if with_change_times else _without_change_times(files))


def _without_change_times(files: Sequence[ScannedFile]) -> list[ScannedFile]:
    return [file._replace(ctime_ns=0) for file in files]


def _snapshot_of(files: Sequence[ScannedFile]) -> FileSnapshot:
    digest = hashlib.sha256()
    for start in range(0, len(files), _BATCH):  # line by line takes four times as long
        batch = files[start : start + _BATCH]
        lines = [
            f"{path}\0{size} {mtime} {inode} {ctime}\n"
            if ctime
            else f"{path}\0{size} {mtime} {inode}\n"
            for path, size, mtime, inode, ctime in batch
        ]
        digest.update(os.fsencode("".join(lines)))
    newest_mtime_ns = max((file.mtime_ns for file in files), default=0)
    return FileSnapshot(
        digest.hexdigest(), newest_mtime_ns, max((file.ctime_ns for file in files), default=0)
    )


class HashCache:
    """Content hashes of files and folders, each in one small JSON file in ``folder``.

    The hashes of a folder's files are stored next to the folder's hash.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, path: Path, seen: FileSnapshot) -> str | None:
        """Return the hash stored for ``path`` in this state."""
        try:
            stored = json.loads(self._entry(path).read_text(encoding="utf-8"))
            fits = stored["path"] == _text(path) and stored["stat"] == seen.fingerprint
            return str(stored["sha256"]) if fits else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, path: Path, seen: FileSnapshot, sha256: str) -> None:
        """Store a hash, and replace an older one of the same path."""
        stored = {"path": _text(path), "stat": seen.fingerprint, "sha256": sha256}
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._entry(path), stored)

    def files_of(self, folder: Path) -> KnownFiles:
        """Return the known hashes of the files of a folder."""
        return KnownFiles(self._entry(folder).with_suffix(SUFFIX))

    def _entry(self, path: Path) -> Path:
        name = hashlib.sha256(_text(path).encode()).hexdigest()[:32]
        return self.folder / f"{name}.json"


def content_hash(
    path: Path,
    cache: HashCache | None = None,
    *,
    trust_young: bool = False,
    context: Context | None = None,
) -> str:
    """Return the hash of a file or folder, from the cache if that is safe.

    ``trust_young`` is for folders that only this program writes. Progress goes to the context,
    whose ``emit`` may raise to cancel.
    """
    if cache is None or not path.exists():
        roots = () if context is None else context.allowed_roots
        return hash_folder(path, allowed_roots=roots) if path.is_dir() else hash_file(path)
    path = path.resolve()
    look = _Look(context or Context(path))
    tree = _tree_of(path, look, () if context is None else context.allowed_roots)
    if trust_young:  # a hard link that this program creates changes the change time of a file
        tree.files = _without_change_times(tree.files)
    before = _snapshot_of(tree.files)
    is_known_by_times = trust_young or has_change_times([str(path), *tree.followed])
    is_safe = is_known_by_times and (trust_young or not before.is_young())
    known = cache.get(path, before) if is_safe else None
    if known is not None:
        return known
    if path.is_dir():
        files = cache.files_of(path) if is_known_by_times else KnownFiles(None)
        sha256 = _hash_tree(tree, files, look.looked_of(tree), trust_young=trust_young)
    else:
        sha256 = hash_file(path, look.read_of(path))
    if is_safe:
        cache.put(path, before, sha256)
    return sha256


def _tree_of(path: Path, look: _Look, allowed_roots: Collection[Path] | None) -> Tree:
    """Return the files of a folder, or the one file."""
    if path.is_dir():
        return scan(path, look.found, allowed_roots=allowed_roots)
    return Tree(path, [ScannedFile.of("", path.stat())])


class _Look:
    """Reporter of the progress of checking files to a context."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._found = ProgressReporter(context, "files found")

    def found(self, num_files: int) -> None:
        self._found.tell(num_files, 0)

    def looked_of(self, tree: Tree) -> Callable[[int], None]:
        pace, total = (
            ProgressReporter(self._context, "files checked", with_rate=True),
            len(tree.files),
        )
        return lambda done: pace.tell(done, total)

    def read_of(self, path: Path) -> Callable[[int], None]:
        pace = ProgressReporter(self._context, "MB read", with_rate=True)
        total = path.stat().st_size // _MEGABYTE
        return lambda done: pace.tell(done // _MEGABYTE, total)


def _line(path: str, text: str) -> bytes:
    return os.fsencode(path) + b"\0" + text.encode() + b"\n"


def _text(path: Path) -> str:
    """Return the path as text that any file can hold, even if its bytes are not valid text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
