"""What of a source folder is left out: by ``.amlignore`` files where the folder has one, else by
``.gitignore`` files, each for the folder it lies in, as git reads them; and some things always."""

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
"""What pathspec writes for ``*``, for ``/**/``, and for a beginning in any folder."""
SET_WITHOUT_SLASH = "[^/"
NEGATED = re.compile(r"\[\^(?!/)")
"""The beginning of a negated set that takes the slash."""


@dataclass(frozen=True)
class IgnoreRules:
    """The rules that hold in one folder: its own and those of the folders above it."""

    file_name: str
    levels: tuple[tuple[str, GitIgnoreSpec], ...] = ()
    """Path of a folder (empty, or ending in a slash) and its own rules, the root first."""

    @classmethod
    def of(cls, root: Path) -> IgnoreRules:
        """The rules of a source folder."""
        name = AZURE if (root / AZURE).is_file() else GIT
        return cls(name).inside(root, "")

    def inside(self, folder: Path, prefix: str) -> IgnoreRules:
        """The rules in a folder below, ``prefix`` being its path with a slash at its end."""
        try:
            lines = (folder / self.file_name).read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return self
        return replace(self, levels=(*self.levels, (prefix, _spec(lines))))

    def leave_out(self, path: str) -> bool:
        """Whether a path is left out; that of a folder ends in a slash."""
        if _always_out().match_file(path):
            return True
        for prefix, spec in reversed(self.levels):  # what is said nearest to it counts
            verdict = spec.check_file(path.removeprefix(prefix)).include
            if verdict is not None:
                return verdict
        return False


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    patterns = (_pattern(line) for line in lines)
    found = [each for each in patterns if each is not None]
    return GitIgnoreSpec(found, backend="simple")  # others do not take atomic groups


def _pattern(line: str) -> GitIgnoreSpecPattern | None:
    """The pattern of a line; None for the few lines that mean nothing, which git passes over."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        regex, include = GitIgnoreSpecPattern.pattern_to_regex(line)
        return GitIgnoreSpecPattern(regex and re.compile(linear(regex)), include)
    except (ValueError, re.error, RecursionError, OverflowError):
        return None


def linear(regex: str) -> str:
    """The expression of an ignore pattern, without the backtracking that can take for ever.

    What stands between two wildcards has a fixed length, in characters or in folders: if its first
    occurrence leads to no match, no later one does. So each is an atomic group that ends there.
    """
    in_names = NEGATED.sub(SET_WITHOUT_SLASH, regex)  # as in git: no set takes the slash
    first, *others = map(_linear_names, in_names.split(FOLDERS))
    if not others:
        return first
    if first.startswith(ANY_FOLDER):
        first = f"^(?>(?:.+?/)??{first.removeprefix(ANY_FOLDER)}(?=/))"
    *between, last = others
    return first + "".join(f"(?>(?:/.+?)??/{each}(?=/))" for each in between) + FOLDERS + last


def _linear_names(regex: str) -> str:
    """The same for the stars within names of files and folders; two in a row are one."""
    first, *others = regex.split(STAR)
    made = first
    for place, each in enumerate(others):
        is_last_of_name = place == len(others) - 1 or "/" in each.replace(SET_WITHOUT_SLASH, "")
        if is_last_of_name:
            made += STAR + each
        elif each:
            made += f"(?>{STAR}?{each})"
    return made


@cache
def _always_out() -> GitIgnoreSpec:
    return _spec(ALWAYS_OUT)
