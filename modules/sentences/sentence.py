"""A sentence with places for facts, and a statement: that sentence about certain facts.

Tables of sentences (this package, ``pipelines.sentences``, ``designer_app.api.sentences``) hold
the English; another language is another table with the same keys. The places are those of
``str.format``, and further:

    {names}                 a list: at most ten of them, then "and 312 more"
    {names:; }              the same with something else than ", " between them
    {count:image|images}    the word for one, and the one for several (or for true and false)
"""

from __future__ import annotations

import numbers
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol, Self

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
        return _written(self.sentence.message, self.facts)

    @property
    def cure(self) -> str:
        """What to do."""
        return _written(self.sentence.cure, self.facts)

    def __str__(self) -> str:
        return f"{self.message} {self.cure}" if self.cure else self.message

    def to_json(self) -> dict[str, Any]:
        """``reason``, the sentence's key, and ``facts``: all that another language needs."""
        return {"reason": self.sentence.key, "facts": facts_to_json(self.facts)}


class Told(Protocol):
    """What was told elsewhere: by an error of a module, a finding of its check, a problem."""

    @property
    def message(self) -> str: ...
    @property
    def cure(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Retold(Statement):
    """What was told elsewhere: its text as it was, and the reason and facts (JSON) of it."""

    text: str = ""
    help: str = ""

    @classmethod
    def of(cls, told: Told | Mapping[str, Any]) -> Self:
        """Of an error, or of one in JSON; older ones have neither reason nor facts."""
        if not isinstance(told, Mapping):
            names = ("message", "cure", "reason", "facts")
            told = {name: getattr(told, name) for name in names}
        sentence = Sentence(str(told.get("reason") or ""), "")
        text, cure = str(told["message"]), str(told.get("cure") or "")
        return cls(sentence, dict(told.get("facts") or {}), text, cure)

    @property
    def alone(self) -> Self:
        """What happened, without what to do."""
        return replace(self, help="")

    @property
    def message(self) -> str:
        return self.text

    @property
    def cure(self) -> str:
        return self.help

    def to_json(self) -> dict[str, Any]:
        return {"reason": self.sentence.key, "facts": dict(self.facts)}


def stated(said: Sentence | Statement | str, facts: Mapping[str, Any]) -> Statement | str:
    """The sentence about these facts; a statement, or an author's own text, as it is."""
    if isinstance(said, Sentence):
        return said.about(facts)
    if facts:
        raise TypeError(f"{', '.join(facts)}: only a Sentence has places for facts.")
    return said


def said_by(error: BaseException, limit: int = 200) -> Statement | str:
    """What an exception says, in one line: the statement it was raised with, else its text."""
    first = error.args[0] if error.args else None
    if isinstance(first, Statement):
        return first
    return " ".join(str(error).split())[:limit] or type(error).__name__


def reason_of(said: Statement | str) -> dict[str, Any]:
    """``reason`` and ``facts``, for JSON; both empty for an author's own text."""
    return {"reason": "", "facts": {}} if isinstance(said, str) else said.to_json()


def _written(text: str, facts: Mapping[str, Any]) -> str:
    """``str.format`` for lists and for words that depend on a count."""
    return "".join(
        literal if name is None else literal + _field(name, spec, conversion, facts)
        for literal, name, spec, conversion in _parts(text)
    )


_FORMATTER = string.Formatter()
_Part = tuple[str, str | None, str | None, str | None]
"""Text, and the place after it: its name, format and conversion; None where there is none."""


@lru_cache(maxsize=4096)  # a large pipeline has thousands of problems and few sentences
def _parts(text: str) -> tuple[_Part, ...]:
    return tuple(_FORMATTER.parse(text))


def _field(name: str, spec: str | None, conversion: str | None, facts: Mapping[str, Any]) -> str:
    value = facts[name] if name in facts else _FORMATTER.get_field(name, (), facts)[0]
    if conversion:
        value = _FORMATTER.convert_field(value, conversion)
    if not spec:
        return examples(value) if isinstance(value, list | tuple) else str(value)
    if "{" in spec:  # a word for several may have places of its own
        spec = _written(spec, facts)
    if "|" in spec:
        one, several = spec.split("|")
        return one if value == 1 else several
    if isinstance(value, list | tuple):
        return examples(value, spec)
    return format(value, spec)


def facts_to_json(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as JSON has them, as bounded as the text: of a list the first ten and their count."""
    return {name: _plain(value) for name, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return presentable(value)
    if isinstance(value, Statement):
        told = value.to_json()
        return told if told["reason"] else presentable(str(value))
    if isinstance(value, list | tuple):
        return {"first": [_plain(each) for each in value[:MAX_EXAMPLES]], "count": len(value)}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, float) and abs(value) < float("inf"):
        return float(value)
    return presentable(str(value))


def presentable(text: str) -> str:
    """Text that can be stored and shown anywhere: valid Unicode, and cut where it has no end."""
    valid = text.encode("utf-8", "replace").decode()
    if len(valid) <= MAX_TEXT:
        return valid
    return f"{valid[:MAX_TEXT]} ... and {len(valid) - MAX_TEXT:,} more characters"


def shown_name(name: str) -> str:
    """A name as it is, in quotes if blanks at its ends or a comma hide where it ends."""
    return repr(name) if name != name.strip() or "," in name or not name else name


def examples(items: Iterable[object], between: str = ", ") -> str:
    """At most ten items in one phrase, then how many more: ``a, b and 312 more``."""
    texts = [str(item) for item in items]
    shown, rest = texts[:MAX_EXAMPLES], len(texts) - MAX_EXAMPLES
    if rest > 0:
        return f"{between.join(shown)} and {rest:,} more"
    return between.join(shown)
