"""Snapshot of the files of a source folder: their hash, and a copy to run in."""

from __future__ import annotations

import hashlib
import heapq
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from modules.errors import InvalidScriptError
from modules.files.hashing import hash_file
from modules.formatting import format_bytes
from modules.scripts.ignore_rules import IgnoreRules
from modules.sentences import scripts as say

MAX_BYTES = 300 * 10**6
MAX_FILES = 2_000
"""Maximum as in Azure Machine Learning: more files are usually data or outputs of earlier runs."""
MAX_ENTRIES = 50_000
"""Number of entries at which the scan stops: such a folder is not a source."""
_NUM_LARGEST = 10
FOLDERS = ("outputs", "logs")
"""Folders that scripts always find next to their source."""


class SnapshotFile(NamedTuple):
    """A file or link: its path below the root with slashes."""

    path: str
    num_bytes: int
    is_executable: bool
    link: str | None
    """Target of a link, relative to its own folder."""


@dataclass(frozen=True)
class SourceSnapshot:
    """Files of a folder that are not ignored, sorted by path, and their hash."""

    root: Path
    files: tuple[SnapshotFile, ...]

    @classmethod
    def of(cls, root: Path) -> SourceSnapshot:
        """Take a snapshot of a folder.

        Raises ``InvalidScriptError`` if it is too large, for links that lead out and for files in
        place of the folders that scripts write to.
        """
        root = root.resolve()
        files = tuple(sorted(_walk(root)))
        _require_places(root, files)
        _require_small(files)
        return cls(root, files)

    @property
    def num_bytes(self) -> int:
        return sum(file.num_bytes for file in self.files)

    def sha256(self) -> str:
        """Return the hash of sorted ``path NUL kind NUL hash`` lines.

        Kinds are x, - and l for links.
        """
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(os.fsencode(f"{file.path}\0{_kind(file)}\0{self._hash(file)}\n"))
        return digest.hexdigest()

    def _hash(self, file: SnapshotFile) -> str:
        if file.link is not None:
            return hashlib.sha256(os.fsencode(file.link)).hexdigest()
        return hash_file(self.root / file.path)

    def copied_to(self, folder: Path) -> SourceSnapshot:
        """Return the same for a copy that nothing else changes."""
        folder.mkdir(parents=True, exist_ok=True)
        self.copy_to(folder)
        return replace(self, root=folder)

    def copy_to(self, folder: Path) -> None:
        """Copy the files to a separate folder, with times and permissions."""
        for file in self.files:
            place = folder / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.link is not None:
                place.symlink_to(file.link)
            else:
                shutil.copy2(self.root / file.path, place)


def _kind(file: SnapshotFile) -> str:
    return "l" if file.link is not None else "x" if file.is_executable else "-"


def _walk(root: Path) -> Iterator[SnapshotFile]:
    waiting, num_entries = [("", IgnoreRules.of(root))], 0
    while waiting:
        prefix, rules = waiting.pop()
        for entry in _entries(root / prefix):
            num_entries += 1
            if num_entries > MAX_ENTRIES:
                said = say.SOURCE_WITHOUT_END.about({"folder": root, "limit": MAX_ENTRIES})
                raise InvalidScriptError(said, parameter="source_folder")
            path, is_folder = prefix + entry.name, entry.is_dir(follow_symlinks=False)
            if rules.leave_out(f"{path}/" if is_folder else path):
                continue
            if is_folder:
                waiting.append((f"{path}/", rules.inside(root / path, f"{path}/")))
            elif entry.is_symlink() or entry.is_file():
                yield _file(root, path, entry)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise InvalidScriptError(
            say.SOURCE_UNREADABLE,
            folder=folder,
            error=error.strerror or type(error).__name__,
            parameter="source_folder",
        ) from error


def _file(root: Path, path: str, entry: os.DirEntry[str]) -> SnapshotFile:
    if not entry.is_symlink():
        facts = entry.stat()
        return SnapshotFile(path, facts.st_size, bool(facts.st_mode & 0o111), None)
    target = Path(os.path.realpath(entry.path))
    if not target.is_relative_to(root):
        raise InvalidScriptError(say.LINK_LEADS_OUT, link=path, parameter="source_folder")
    return SnapshotFile(path, 0, False, os.path.relpath(target, (root / path).parent))


def _require_places(root: Path, files: tuple[SnapshotFile, ...]) -> None:
    """Raise if a file has the name of a folder that is created."""
    for file in files:
        if file.path in FOLDERS and not (root / file.path).is_dir():
            raise InvalidScriptError(
                say.SOURCE_TAKES_PLACE, name=file.path, parameter="source_folder"
            )


def _require_small(files: tuple[SnapshotFile, ...]) -> None:
    """Raise if the files exceed the limits of a source, listing the ten largest."""
    total = sum(file.num_bytes for file in files)
    if total <= MAX_BYTES and len(files) <= MAX_FILES:
        return
    largest = heapq.nlargest(_NUM_LARGEST, files, key=lambda file: file.num_bytes)
    raise InvalidScriptError(
        say.SOURCE_TOO_LARGE,
        count=len(files),
        size=format_bytes(total),
        max_files=MAX_FILES,
        max_size=format_bytes(MAX_BYTES),
        largest=[f"{file.path} ({format_bytes(file.num_bytes)})" for file in largest],
        parameter="source_folder",
    )
