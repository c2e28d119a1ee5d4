"""What of a source folder is left out: by ``.amlignore`` files where the folder has one, else by
``.gitignore`` files, each for the folder it lies in, as git reads them; and some things always."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

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

    return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    """False for the few lines that mean nothing, which git passes over."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


@cache
def _always_out() -> GitIgnoreSpec:
    return _spec(ALWAYS_OUT)
