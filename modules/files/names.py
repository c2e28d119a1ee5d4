"""Names of files and classes as text that can be shown, stored and compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from modules.operating_system.names import usable_name

_JUNK = frozenset(("__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin"))


def word_list(text: str) -> tuple[str, ...]:
    """Return the words of a list that the code writes as one text."""
    return tuple(text.split())


def printable(name: str) -> str:
    """Return the name as valid Unicode; bytes that are not UTF-8 become replacement characters."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def class_name(name: str) -> str:
    """Return a folder's or a table's name for a class, printable and in one form (Unicode NFC).

    Archives made on a Mac write an umlaut as two characters, others as one.
    """
    return unicodedata.normalize("NFC", printable(name))


def is_junk(path: str) -> bool:
    """Return True for files of file managers: hidden files, ``__MACOSX``, ``Thumbs.db``."""
    return any(part.startswith(".") or part.lower() in _JUNK for part in path.split("/"))


def folder_name(label: str) -> str:
    """Return a class name as a folder name: separators become underscores."""
    name = printable(label).replace("/", "_").replace("\\", "_").replace("\0", "_").strip()
    return usable_name(name.lstrip(".") or "_")


def parent_of(path: str) -> str:
    """Return the folder of a path below a root; empty for the root itself."""
    return path.rpartition("/")[0]


def folders_above(paths: Iterable[str]) -> list[str]:
    """Return all folders above some files, at any depth, as archives list only files."""
    innermost = map(PurePosixPath, {parent_of(path) for path in paths})
    folders = {str(above) for folder in innermost for above in (folder, *folder.parents)}
    return sorted(folders - {".", "/"})
