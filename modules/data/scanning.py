"""The files below a folder, found fast and without leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from modules.errors import InvalidDatasetError


@dataclass(frozen=True)
class FileEntry:
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


def scan(root: Path) -> Tree:
    """Everything below ``root``; links to files are followed only where they stay inside it.

    Raises ``InvalidDatasetError`` where a folder may not be read or is not there.
    """
    tree = Tree(root)
    resolved = os.path.realpath(root)
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        for entry in _entries(root / prefix):
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                tree.folders.append(path)
                waiting.append(path + "/")
            else:
                _add_file(tree, resolved, path, entry)
    tree.files.sort(key=lambda file: file.path)
    tree.folders.sort()
    tree.passed_over.sort()
    return tree


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        raise InvalidDatasetError(
            f"The folder {folder} cannot be read: {error.strerror}.",
            cure="Check that it is there and that this server may read it.",
            parameter="source",
        ) from error


def _add_file(tree: Tree, resolved: str, path: str, entry: os.DirEntry[str]) -> None:
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
    if stat.S_ISREG(facts.st_mode):
        tree.files.append(FileEntry(path, facts.st_size, facts.st_mtime_ns, facts.st_ino))
    elif stat.S_ISDIR(facts.st_mode):
        tree.passed_over.append((path, "a link to a folder"))
    else:
        tree.passed_over.append((path, "not a regular file"))
