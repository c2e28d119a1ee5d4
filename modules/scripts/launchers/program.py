"""What is to be started, before a launcher has said how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.scripts.starters import PYTHONS, TORCH_STARTERS

BOOTSTRAP = Path(__file__).parents[1] / "bootstrap.py"
"""What every script is started through."""


SHELLS = frozenset({"sh", "bash", "dash", "zsh"})


@dataclass(frozen=True)
class Program:
    """A Python script, a Python module (``-m NAME``), or any other command."""

    python: str
    words: tuple[str, ...]
    is_script: bool

    @classmethod
    def of_script(cls, python: str, script: str, arguments: Sequence[str]) -> Program:
        """A script of the working folder."""
        return cls(python, (script, *arguments), is_script=True)

    @classmethod
    def of_command(cls, python: str, words: Sequence[str]) -> Program:
        """A command; ``python SCRIPT`` and ``python -m NAME`` become what they run."""
        if words[0] not in PYTHONS:
            return cls(python, tuple(words), is_script=False)
        rest = list(words[1:])
        while rest[:1] == ["-u"]:  # it is unbuffered in any case
            del rest[0]
        is_module = rest[:1] == ["-m"] and len(rest) > 1 and rest[1] not in TORCH_STARTERS
        if is_module or (rest and not rest[0].startswith("-")):
            return cls(python, tuple(rest), is_script=True)
        return cls(python, (python, *rest), is_script=False)

    @property
    def is_shell(self) -> bool:
        """Whether a shell reads its words, which fills in variables itself."""
        return not self.is_script and Path(self.words[0]).name in SHELLS

    @property
    def through_bootstrap(self) -> tuple[str, ...]:
        """The bootstrap and what it runs: for who starts Python itself."""
        return (str(BOOTSTRAP), *self.words)

    @property
    def argv(self) -> tuple[str, ...]:
        """The words of one process."""
        return (self.python, "-u", *self.through_bootstrap) if self.is_script else self.words
