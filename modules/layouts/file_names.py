"""Lookup of the files that a table of labels refers to, in whatever form it writes their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from posixpath import basename, splitext

_Index = Mapping[str, str | None]
"""Spelling -> the only file that has it; None if several files have it."""


def normalized(name: str) -> str:
    """Return a name in the form for comparisons: slashes, no leading ``./``."""
    return name.strip().replace("\\", "/").removeprefix("./")


class FileNames:
    """The files of a dataset by the names that a table may use.

    ``folders`` are the folders that names may be relative to: the table's, the images', the root.
    """

    def __init__(self, paths: Iterable[str], folders: tuple[str, str, str]) -> None:
        self._paths = set(paths)
        self._folders = folders

    @property
    def exact_rules(self) -> tuple[Callable[[str], str | None], ...]:
        """Return ways to find a file by its own name, the most reliable first."""
        return (self.named, self.guessed)

    @property
    def loose_rules(self) -> tuple[Callable[[str], str | None], ...]:
        """Return ways to find a file by a changed form of its name."""
        return (
            self._by_web_address,
            self._without_extension,
            self._in_other_case,
            self._by_number,
            self._with_other_extension,
            self._behind_prefix,
        )

    @property
    def rules(self) -> tuple[Callable[[str], str | None], ...]:
        """Return all of them."""
        return (*self.exact_rules, *self.loose_rules)

    def find(self, name: str) -> str | None:
        """Return the file of a name; None for none, and for several."""
        name = normalized(name)
        if not name:
            return None
        return next((path for rule in self.rules if (path := rule(name))), None)

    def fits_several(self, name: str) -> bool:
        """Return True for a name that several files have."""
        spelled = _spelled(normalized(name))
        indexes = (self._by_end, self._by_stem)
        return any(index.get(spelled, "") is None for index in indexes)

    def named(self, name: str) -> str | None:
        """Return the file with that name, relative to the table, to the images or to the root."""
        return self._below(self._folders, name)

    def guessed(self, name: str) -> str | None:
        """Return the only file whose path ends so, else the one whose path the name ends with.

        None for a name that starts with an existing folder: that file is missing in it.
        """
        if self._is_anchored(name):
            return None
        if path := self._by_end.get(_spelled(name)):
            return path
        table_folder, _, root = self._folders
        while "/" in name and not self._is_anchored(name):
            name = name.partition("/")[2]
            if path := self._below((table_folder, root), name):
                return path
        return None

    def _by_web_address(self, name: str) -> str | None:
        if "://" not in name:
            return None
        last = re.split(r"[?#]", name)[0].rstrip("/").rpartition("/")[2]
        return self._by_end.get(_spelled(last))

    def _without_extension(self, name: str) -> str | None:
        return self._by_stem.get(_spelled(name))

    def _in_other_case(self, name: str) -> str | None:
        folded = _spelled(name).casefold()
        if not self._are_folded:
            return self._by_folded.get(folded)
        # All files have lower case: what the index would hold is in the two that are there already.
        known = {index[folded] for index in (self._by_end, self._by_stem) if folded in index}
        return known.pop() if len(known) == 1 else None

    def _by_number(self, name: str) -> str | None:
        """Match ``1`` and ``1.0`` with ``00001.jpg``: spreadsheets drop leading zeros."""
        number, _, rest = name.partition(".")
        if not (number.isascii() and number.isdigit()) or not _is_ending(rest):
            return None
        return self._by_digits.get(number.lstrip("0") or "0")

    def _with_other_extension(self, name: str) -> str | None:
        """Match ``cat.png`` with ``cat.jpg``: the images were saved in another format."""
        stem, extension = splitext(name)
        return self._by_stem.get(_spelled(stem)) if _is_ending(extension[1:]) else None

    def _behind_prefix(self, name: str) -> str | None:
        """Match ``upload/1/0a1b2c3d-cat.jpg`` with ``cat.jpg``, as Label Studio writes names."""
        prefixed = re.fullmatch(r"[0-9a-f]{8}-(.+)", basename(name))
        return self._by_end.get(_spelled(prefixed[1])) if prefixed else None

    def _below(self, folders: Iterable[str], name: str) -> str | None:
        for folder in folders:
            path = f"{folder}/{name}" if folder else name
            if path in self._paths:
                return path
            if candidate := self._by_other_spelling.get(_spelled(path)):
                return candidate
        return None

    def _is_anchored(self, name: str) -> bool:
        first, slash, _ = _spelled(name).partition("/")
        return bool(slash) and first in self._first_folders

    @cached_property
    def _first_folders(self) -> set[str]:
        starts = {f"{folder}/" if folder else "" for folder in self._folders}
        inside = [
            path.removeprefix(start)
            for start in starts
            for path in map(_spelled, self._paths)
            if path.startswith(start)
        ]
        return {path.partition("/")[0] for path in inside if "/" in path}

    @cached_property
    def _by_other_spelling(self) -> _Index:
        """Return names beyond ASCII by their normalised Unicode form."""
        return _index((path for path in self._paths if not path.isascii()), lambda path: (path,))

    @cached_property
    def _by_end(self) -> _Index:
        return _index(self._paths, _ends)

    @cached_property
    def _by_stem(self) -> _Index:
        return _index(self._paths, lambda path: _ends(splitext(path)[0]))

    @cached_property
    def _are_folded(self) -> bool:
        return all(path == path.casefold() for path in self._paths)

    @cached_property
    def _by_folded(self) -> _Index:
        return _index(self._paths, _folded_names)

    @cached_property
    def _by_digits(self) -> _Index:
        return _index(self._paths, _digits)


def _is_ending(text: str) -> bool:
    """Return True for what may follow a number: nothing, the zeros of a float, an extension."""
    return not text or set(text) == {"0"} or (text[0].isalpha() and text.isalnum())


def _ends(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _folded_names(path: str) -> set[str]:
    ends = {end.casefold() for end in _ends(path)}
    return ends | {splitext(end)[0] for end in ends}


def _digits(path: str) -> list[str]:
    stem = splitext(basename(path))[0]
    return [stem.lstrip("0") or "0"] if stem.isascii() and stem.isdigit() else []


def _index(paths: Iterable[str], spellings: Callable[[str], Iterable[str]]) -> _Index:
    index: dict[str, str | None] = {}
    for path in paths:
        is_ascii = path.isascii()
        for spelling in spellings(path):
            spelled = spelling if is_ascii else _spelled(spelling)
            index[spelled] = None if index.get(spelled, path) != path else path
    return index


def _spelled(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFC", name)
