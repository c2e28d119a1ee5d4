"""Fast scan of the files below a folder; links out of it are followed only into allowed folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

from modules.errors import InvalidDatasetError
from modules.files import database_files, workspace_folder
from modules.files.shard_member import ShardMember, StoredFile
from modules.sentences import files as say
from modules.sentences.sentence import Statement

# These reasons are hashed with the folders that contain them: a new wording would change the
# hashes.
OUTSIDE = "a link that leads out of the folder"
NOWHERE = "a link that leads nowhere"
FOLDER_LINK = "a link to a folder"
NOT_REGULAR = "not a regular file"
MAX_FOLLOWED = 10_000
"""Maximum number of links to folders followed below one root."""
_MAX_CHAIN = 4
"""Maximum depth of links to folders."""


def change_time(facts: os.stat_result) -> int:
    """Return the change time in nanoseconds."""
    return facts.st_ctime_ns


class ScannedFile(NamedTuple):
    """A regular file: its path below the root with slashes, and its ``stat`` values."""

    path: str
    num_bytes: int
    mtime_ns: int
    inode: int
    ctime_ns: int = 0
    """Time of the last change according to the system; 0 if it is not available."""

    @classmethod
    def of(cls, path: str, facts: os.stat_result) -> Self:
        """Create the entry of a file from its ``stat`` result."""
        times = facts.st_mtime_ns, facts.st_ino, change_time(facts)
        return cls(path, facts.st_size, *times)


@dataclass
class Tree:
    """The contents of ``root``: files and folders sorted by path, and skipped entries."""

    root: Path
    files: list[ScannedFile] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason: links that are not followed, devices."""
    folder_links: set[str] = field(default_factory=set)
    """Paths in ``passed_over`` that are links to folders."""
    followed: set[str] = field(default_factory=set)
    """Real paths of the folders outside the root that links were followed into."""
    left_out: list[str] = field(default_factory=list)
    """Folders (``.``: the root) that are a workspace: the designer's own files are not data."""
    members: Callable[[str], ShardMember] | None = None
    """Function that returns a file by its path if it is in shards (``modules.files.shards``)."""

    def file(self, path: str) -> StoredFile:
        """Return the file of that path."""
        return self.root / path if self.members is None else self.members(path)

    @property
    def notice(self) -> Statement | None:
        """Return a notice about skipped folders; None if there are none."""
        if not self.left_out:
            return None
        if self.left_out == ["."]:
            return say.WORKSPACE_NOT_READ.about({})
        return say.WORKSPACE_INSIDE_NOT_READ.about({"folders": self.left_out})


def scan(
    root: Path,
    report: Callable[[int], None] = lambda _: None,
    *,
    allowed_roots: Collection[Path] | None = (),
) -> Tree:
    """Scan everything below ``root``.

    A workspace below it is skipped; if the root itself is a workspace, the designer's own files
    are.

    Args:
        root: Folder to scan.
        report: Called with the number of files, folder by folder.
        allowed_roots: Links to files and folders outside ``root`` are followed if their targets are
            below one of these folders; None: always.

    Raises:
        InvalidDatasetError: A folder does not exist or may not be read.
    """
    return _Scan(root, allowed_roots).run(report)


@dataclass(frozen=True)
class _Waiting:
    """A folder to scan; ``real`` are the real paths of the root and of followed links."""

    prefix: str
    real: tuple[str, ...]


class _Scan:
    """One scan of a folder."""

    def __init__(self, root: Path, allowed_roots: Collection[Path] | None) -> None:
        self._tree = Tree(root)
        self._held = database_files.held()
        self._allowed = (
            None
            if allowed_roots is None
            else [os.path.realpath(folder) for folder in allowed_roots]
        )
        self._num_followed = 0

    def run(self, report: Callable[[int], None]) -> Tree:
        tree = self._tree
        waiting = [_Waiting("", (os.path.realpath(tree.root),))]
        while waiting:
            folder = waiting.pop()
            entries = list(_entries(tree.root / folder.prefix))
            for entry in _without_own(tree, folder.prefix, entries):
                waiting += self._add(folder, entry)
            report(len(tree.files))
        tree.files.sort(key=lambda file: file.path)
        tree.folders.sort()
        tree.passed_over.sort()
        return tree

    def _add(self, folder: _Waiting, entry: os.DirEntry[str]) -> list[_Waiting]:
        """Add an entry; return the folders to scan next."""
        path = folder.prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            self._tree.folders.append(path)
            return [_Waiting(path + "/", folder.real)]
        try:
            facts = entry.stat()
            target = os.path.realpath(entry.path) if entry.is_symlink() else None
        except (OSError, ValueError):
            self._tree.passed_over.append((path, NOWHERE))
            return []
        if target is None:
            self._add_file(path, facts)
        elif stat.S_ISDIR(facts.st_mode):
            return self._follow(folder, path, target)
        elif self._is_readable(folder, target):
            self._add_file(path, facts)
            self._tree.followed.add(os.path.dirname(target))
        else:
            self._tree.passed_over.append((path, OUTSIDE))
        return []

    def _add_file(self, path: str, facts: os.stat_result) -> None:
        if self._held and (facts.st_dev, facts.st_ino) in self._held:
            self._tree.passed_over.append((path, database_files.REASON))
        elif stat.S_ISREG(facts.st_mode):
            self._tree.files.append(ScannedFile.of(path, facts))
        else:
            self._tree.passed_over.append((path, NOT_REGULAR))

    def _follow(self, folder: _Waiting, path: str, target: str) -> list[_Waiting]:
        """Scan a linked folder, unless its files are in the tree anyway or it is recursive."""
        is_there = any(_is_below(target, parent) for parent in folder.real)
        is_above = any(_is_below(parent, target) for parent in folder.real)
        may_follow = (
            len(folder.real) <= _MAX_CHAIN
            and self._num_followed < MAX_FOLLOWED
            and self._is_readable(folder, target)
        )
        if is_there or is_above or not may_follow:
            self._tree.passed_over.append((path, FOLDER_LINK if is_there else OUTSIDE))
            self._tree.folder_links.add(path)
            return []
        self._num_followed += 1
        self._tree.folders.append(path)
        self._tree.followed.add(target)
        return [_Waiting(path + "/", (*folder.real, target))]

    def _is_readable(self, folder: _Waiting, target: str) -> bool:
        """Return True for paths below the root, and below allowed roots."""
        if any(_is_below(target, parent) for parent in folder.real):
            return True
        if self._allowed is not None and not any(_is_below(target, root) for root in self._allowed):
            return False
        return workspace_folder.own_place(Path(target)) is None


def _is_below(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath((folder, path)) == folder
    except ValueError:  # on another drive
        return False


def notice_of(source: Path) -> Statement | None:
    """Return a notice about a folder before its files are used; None for an archive."""
    return scan(source).notice if source.is_dir() else None


def _without_own(
    tree: Tree, prefix: str, entries: list[os.DirEntry[str]]
) -> list[os.DirEntry[str]]:
    """Return the entries of a folder without the designer's own."""
    if not workspace_folder.is_workspace({entry.name for entry in entries}):
        return entries
    tree.left_out.append(prefix.rstrip("/") or ".")
    if prefix:
        tree.folders.remove(prefix.rstrip("/"))
        return []
    return [entry for entry in entries if not workspace_folder.is_own(entry.name)]


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FOLDER, folder=folder, error=error.strerror, parameter="source"
        ) from error
