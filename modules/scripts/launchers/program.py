"""The program to be started, independent of the launcher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.scripts.starters import PYTHONS, TORCH_STARTERS

BOOTSTRAP = Path(__file__).parents[1] / "bootstrap.py"
"""Script through which every script is started."""


SHELLS = frozenset({"sh", "bash", "dash", "zsh"})


@dataclass(frozen=True)
class Program:
    """A Python script, a Python module (``-m NAME``), or any other command."""

    python: str
    words: tuple[str, ...]
    is_script: bool

    @classmethod
    def of_script(cls, python: str, script: str, arguments: Sequence[str]) -> Program:
        """Create the program of a script in the working folder."""
        return cls(python, (script, *arguments), is_script=True)

    @classmethod
    def of_command(cls, python: str, words: Sequence[str]) -> Program:
        """Create the program of a command; ``python SCRIPT`` becomes that script."""
        if words[0] not in PYTHONS:
            return cls(python, tuple(words), is_script=False)
        rest = list(words[1:])
        while rest[:1] == ["-u"]:  # output is always unbuffered
            del rest[0]
        is_module = rest[:1] == ["-m"] and len(rest) > 1 and rest[1] not in TORCH_STARTERS
        if is_module or (rest and not rest[0].startswith("-")):
            return cls(python, tuple(rest), is_script=True)
        return cls(python, (python, *rest), is_script=False)

    @property
    def is_shell(self) -> bool:
        """Return True if a shell reads its words, which replaces variables itself."""
        return not self.is_script and Path(self.words[0]).name in SHELLS

    @property
    def through_bootstrap(self) -> tuple[str, ...]:
        """Return the bootstrap and its arguments, for launchers that start Python themselves."""
        return (str(BOOTSTRAP), *self.words)

    @property
    def argv(self) -> tuple[str, ...]:
        """Return the words of one process."""
        return (self.python, "-u", *self.through_bootstrap) if self.is_script else self.words
