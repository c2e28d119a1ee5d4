"""What trying a compute target brings to light."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from modules.sentences.sentence import Sentence


@dataclass(frozen=True)
class Finding:
    """One thing that was tried."""

    name: str
    ok: bool
    message: str
    cure: str = ""

    @classmethod
    def of(cls, name: str, said: Sentence, **facts: Any) -> Self:
        """Something that works, as a sentence says."""
        return cls(name, True, said.about(facts).message)

    @classmethod
    def failed(cls, name: str, said: Sentence, **facts: Any) -> Self:
        """Something that does not, with its cure."""
        statement = said.about(facts)
        return cls(name, False, statement.message, statement.cure)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
