"""Rules for ignored files of a source folder.

They come from ``.amlignore`` files if the folder has one, else from ``.gitignore`` files, each for
its folder, as in git. Some files are always ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

AZURE, GIT = ".amlignore", ".gitignore"
ALWAYS_OUT = (
    ".git/",
    ".venv/",
    "node_modules/",
    "__pycache__/",
    ".ipynb_checkpoints/",
    ".mypy_cache/",
    ".pytest_cache/",
    "*.pyc",
    "/outputs/",
    "/logs/",
    "/mlruns/",
)
STAR, FOLDERS, ANY_FOLDER = "[^/]*", "(?:/.+)?/", "^(?:.+/)?"
"""pathspec's expressions for ``*``, for ``/**/``, and for a prefix in any folder."""
SET_WITHOUT_SLASH = "[^/"
NEGATED = re.compile(r"\[\^(?!/)")
"""Start of a negated set that matches the slash."""


@dataclass(frozen=True)
class IgnoreRules:
    """The rules for one folder: its own and those of the folders above it."""

    file_name: str
    levels: tuple[tuple[str, GitIgnoreSpec], ...] = ()
    """Path of a folder (empty, or ending in a slash) and its own rules, the root first."""

    @classmethod
    def of(cls, root: Path) -> IgnoreRules:
        """Return the rules of a source folder."""
        name = AZURE if (root / AZURE).is_file() else GIT
        return cls(name).inside(root, "")

    def inside(self, folder: Path, prefix: str) -> IgnoreRules:
        """Return the rules for a subfolder; ``prefix`` is its path with a trailing slash."""
        try:
            lines = (folder / self.file_name).read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return self
        return replace(self, levels=(*self.levels, (prefix, _spec(lines))))

    def leave_out(self, path: str) -> bool:
        """Return True if a path is ignored; that of a folder ends in a slash."""
        if _always_out().match_file(path):
            return True
        for prefix, spec in reversed(self.levels):  # the nearest rule counts
            verdict = spec.check_file(path.removeprefix(prefix)).include
            if verdict is not None:
                return verdict
        return False


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    patterns = (_pattern(line) for line in lines)
    valid = [pattern for pattern in patterns if pattern is not None]
    return GitIgnoreSpec(valid, backend="simple")  # older versions do not support atomic groups


def _pattern(line: str) -> GitIgnoreSpecPattern | None:
    """Return the pattern of a line; None for invalid lines, which git ignores."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        regex, include = GitIgnoreSpecPattern.pattern_to_regex(line)
        return GitIgnoreSpecPattern(regex and re.compile(linear(regex)), include)
    except (ValueError, re.error, RecursionError, OverflowError):
        return None


def linear(regex: str) -> str:
    """Return the expression of an ignore pattern without exponential backtracking.

    The text between two wildcards has a fixed length, in characters or in folders: if its first
    occurrence leads to no match, no later one does. So each is an atomic group that ends there.
    """
    in_names = NEGATED.sub(SET_WITHOUT_SLASH, regex)  # as in git, no set matches the slash
    first, *others = map(_linear_names, in_names.split(FOLDERS))
    if not others:
        return first
    if first.startswith(ANY_FOLDER):
        first = f"^(?>(?:.+?/)??{first.removeprefix(ANY_FOLDER)}(?=/))"
    *between, last = others
    return first + "".join(f"(?>(?:/.+?)??/{part}(?=/))" for part in between) + FOLDERS + last


def _linear_names(regex: str) -> str:
    """Do the same for the stars within names of files and folders; two in a row are one."""
    first, *others = regex.split(STAR)
    made = first
    for place, part in enumerate(others):
        is_last_of_name = place == len(others) - 1 or "/" in part.replace(SET_WITHOUT_SLASH, "")
        if is_last_of_name:
            made += STAR + part
        elif part:
            made += f"(?>{STAR}?{part})"
    return made


@cache
def _always_out() -> GitIgnoreSpec:
    return _spec(ALWAYS_OUT)
