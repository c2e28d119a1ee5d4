"""Cached hashes of a folder's files, so that only changed files are read again.

A file is identified by its path, size, modification time, change time and inode. All files of a
folder are in one file: a line of version and SHA-256 of the rest, then records separated by NUL,
``<hash> <size> <time>/<change time> <inode> <path>``. Records of earlier versions have no change
time and are valid only without change times. Damaged or truncated records are ignored.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection
from pathlib import Path

from modules.files.scanning import ScannedFile
from modules.files.whole_files import replacing

SUFFIX = ".files"
MAX_FOLDERS = 64
"""Maximum number of folders whose files are cached, the newest ones."""
SAVE_SECONDS = 20.0
"""Seconds between two saves; files read in between are read again after a kill."""
_HEX = 64
_VERSION = b"designer-files-1 "


class KnownFiles:
    """Known hashes of one folder's files; with ``path`` None nothing is stored."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._hashes = {} if path is None else _read(path)
        self._has_news = False
        self._saved = time.monotonic()

    def get(self, file: ScannedFile) -> str | None:
        """Return the hash of a file if the file is unchanged."""
        known = self._hashes.get(_facts(file))
        return None if known is None else known.decode()

    def put(self, file: ScannedFile, sha256: str) -> None:
        """Store a hash, and from time to time write all of them."""
        self._hashes[_facts(file)] = sha256.encode()
        self._has_news = True
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self.save()

    def keep_only(self, files: Collection[ScannedFile]) -> None:
        """Remove the records of files that no longer exist."""
        if len(self._hashes) > len(files):
            seen = {_facts(file) for file in files}
            self._hashes = {
                facts: sha256 for facts, sha256 in self._hashes.items() if facts in seen
            }
            self._has_news = True

    def save(self) -> None:
        """Write the records that are not written yet."""
        if self._path is not None and self._has_news:
            _write(self._path, self._hashes)
            _forget_oldest(self._path.parent)
        self._has_news, self._saved = False, time.monotonic()


def _facts(file: ScannedFile) -> bytes:
    times = f"{file.mtime_ns}/{file.ctime_ns}" if file.ctime_ns else str(file.mtime_ns)
    return os.fsencode(f"{file.num_bytes} {times} {file.inode} {file.path}")


def _read(path: Path) -> dict[bytes, bytes]:
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if head != _head(body):
        return {}
    return {record[_HEX + 1 :]: record[:_HEX] for record in body.split(b"\0") if record}


def _write(path: Path, hashes: dict[bytes, bytes]) -> None:
    body = b"\0".join(b"%b %b" % (sha256, facts) for facts, sha256 in hashes.items())
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as fresh:
        fresh.write_bytes(_head(body) + b"\n" + body)


def _head(body: bytes) -> bytes:
    return _VERSION + hashlib.sha256(body).hexdigest().encode()


def _forget_oldest(folder: Path) -> None:
    def written(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:  # another process has removed it in the meantime
            return 0.0

    for path in sorted(folder.glob(f"*{SUFFIX}"), key=written, reverse=True)[MAX_FOLDERS:]:
        path.unlink(missing_ok=True)
