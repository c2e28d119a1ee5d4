"""The files below a folder, found fast and without leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from modules.errors import InvalidDatasetError
from modules.files import database_files, workspace_folder
from modules.files.shard_member import ShardMember, StoredFile
from modules.sentences import files as say
from modules.sentences.sentence import Statement


class FileEntry(NamedTuple):
    """A regular file: its path below the root with slashes, and what ``stat`` says of it."""

    path: str
    num_bytes: int
    mtime_ns: int
    inode: int


@dataclass
class Tree:
    """What lies below ``root``: files and folders sorted by path, and what was passed over."""

    root: Path
    files: list[FileEntry] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason: links that lead out of the root, links to folders, devices."""
    left_out: list[str] = field(default_factory=list)
    """Folders (``.``: the root) that are a workspace: what the designer keeps there is no data."""
    members: Callable[[str], ShardMember] | None = None
    """Gives a file by its path where they lie in shards (``modules.files.shards``)."""

    def file(self, path: str) -> StoredFile:
        """The file of that path."""
        return self.root / path if self.members is None else self.members(path)

    @property
    def notice(self) -> Statement | None:
        """What says what was left out; None where nothing was."""
        if not self.left_out:
            return None
        if self.left_out == ["."]:
            return say.WORKSPACE_NOT_READ.about({})
        return say.WORKSPACE_INSIDE_NOT_READ.about({"folders": self.left_out})


def scan(root: Path, found: Callable[[int], None] = lambda _: None) -> Tree:
    """Everything below ``root``; links to files are followed only where they stay inside it.

    A workspace below it is left out, and of one that is the root itself what is the designer's.
    ``found`` is told the number of files so far, folder by folder.

    Raises ``InvalidDatasetError`` where a folder may not be read or is not there.
    """
    tree = Tree(root)
    resolved, held = os.path.realpath(root), database_files.held()
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        for entry in _without_own(tree, prefix, list(_entries(root / prefix))):
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                tree.folders.append(path)
                waiting.append(path + "/")
            else:
                _add_file(tree, resolved, path, entry, held)
        found(len(tree.files))
    tree.files.sort(key=lambda file: file.path)
    tree.folders.sort()
    tree.passed_over.sort()
    return tree


def notice_of(source: Path) -> Statement | None:
    """What is to be said of a folder before its files are taken; None also for an archive."""
    return scan(source).notice if source.is_dir() else None


def _without_own(
    tree: Tree, prefix: str, entries: list[os.DirEntry[str]]
) -> list[os.DirEntry[str]]:
    """The entries of a folder without what is the designer's own."""
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


def _add_file(
    tree: Tree,
    resolved: str,
    path: str,
    entry: os.DirEntry[str],
    held: frozenset[tuple[int, int]],
) -> None:
    try:
        if entry.is_symlink():
            target = os.path.realpath(entry.path)
            if os.path.commonpath((resolved, target)) != resolved:
                tree.passed_over.append((path, "a link that leads out of the folder"))
                return
        facts = entry.stat()
    except (OSError, ValueError):
        tree.passed_over.append((path, "a link that leads nowhere"))
        return
    if held and (facts.st_dev, facts.st_ino) in held:
        tree.passed_over.append((path, database_files.REASON))
    elif stat.S_ISREG(facts.st_mode):
        tree.files.append(FileEntry(path, facts.st_size, facts.st_mtime_ns, facts.st_ino))
    elif stat.S_ISDIR(facts.st_mode):
        tree.passed_over.append((path, "a link to a folder"))
    else:
        tree.passed_over.append((path, "not a regular file"))
