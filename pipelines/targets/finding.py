"""Findings of the check of a compute target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from modules.sentences.sentence import Sentence


@dataclass(frozen=True)
class Finding:
    """Result of one check."""

    name: str
    ok: bool
    message: str
    cure: str = ""

    @classmethod
    def of(cls, name: str, sentence: Sentence, **facts: Any) -> Self:
        """Return the finding of a successful check."""
        return cls(name, True, sentence.about(facts).message)

    @classmethod
    def failed(cls, name: str, sentence: Sentence, **facts: Any) -> Self:
        """Return the finding of a failed check, with its fix."""
        statement = sentence.about(facts)
        return cls(name, False, statement.message, statement.cure)
