"""A sentence with places for facts, and a statement: that sentence about certain facts.

Tables of sentences (this package, ``pipelines.sentences``, ``designer_app.api.sentences``) hold
the English; another language is another table with the same keys. The places are those of
``str.format``, and further:

    {names}                 a list: at most ten of them, then "and 312 more"
    {count:image|images}    the word for one, and the one for several (or for true and false)
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

MAX_EXAMPLES = 10
MAX_TEXT = 4000


@dataclass(frozen=True)
class Sentence:
    """What happened and what to do, each with places for facts; ``key`` is its name for good."""

    key: str
    message: str
    cure: str = ""

    def about(self, facts: Mapping[str, Any]) -> Statement:
        """The sentence about these facts."""
        return Statement(self, facts)


@dataclass(frozen=True)
class Statement:
    """A sentence and its facts. One statement can be a fact of another: it stands there as text."""

    sentence: Sentence
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """What happened."""
        return _WRITER.vformat(self.sentence.message, (), self.facts)

    @property
    def cure(self) -> str:
        """What to do."""
        return _WRITER.vformat(self.sentence.cure, (), self.facts)

    def __str__(self) -> str:
        return f"{self.message} {self.cure}".strip()

    def to_json(self) -> dict[str, Any]:
        """``reason``, the sentence's key, and ``facts``: all that another language needs."""
        return {"reason": self.sentence.key, "facts": facts_to_json(self.facts)}


class _Writer(string.Formatter):
    """``str.format`` for lists and for words that depend on a count."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        if "|" in format_spec:
            one, several = format_spec.split("|")
            return one if value == 1 else several
        if isinstance(value, list | tuple):
            return examples(value)
        return format(value if format_spec else str(value), format_spec)


_WRITER = _Writer()


def facts_to_json(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as JSON has them, as bounded as the text: of a list the first ten and their count."""
    return {name: _plain(value) for name, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Statement):
        return value.to_json()
    if isinstance(value, list | tuple):
        return {"first": [_plain(each) for each in value[:MAX_EXAMPLES]], "count": len(value)}
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and abs(value) < float("inf"):
        return value
    return presentable(str(value))


def presentable(text: str) -> str:
    """Text that can be stored and shown anywhere: valid Unicode, and cut where it has no end."""
    valid = text.encode("utf-8", "replace").decode()
    if len(valid) <= MAX_TEXT:
        return valid
    return f"{valid[:MAX_TEXT]} ... and {len(valid) - MAX_TEXT:,} more characters"


def examples(items: Iterable[object]) -> str:
    """At most ten items in one phrase, then how many more: ``a, b and 312 more``."""
    texts = [str(item) for item in items]
    shown, rest = texts[:MAX_EXAMPLES], len(texts) - MAX_EXAMPLES
    if rest > 0:
        return f"{', '.join(shown)} and {rest:,} more"
    return ", ".join(shown)
