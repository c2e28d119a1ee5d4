"""Sentences with placeholders, and statements: sentences filled with facts.

Tables of sentences (this package, ``pipelines.sentences``, ``sentences.py`` in folders of the app)
hold the English text, which the catalogs of ``modules.sentences.translation`` translate by the key
of the sentence. Placeholders follow ``str.format``, with these additions:

    {names}                 a list: at most ten items, then "and 312 more"
    {names:; }              a list with another separator than ", "
    {count:image|images}    singular or plural (or true and false)

A translation has as many forms of a word as its language, in the order of CLDR (zero, one, two,
few, many, other): Czech ``{count:obrázek|obrázky|obrázku|obrázků}``.
"""

from __future__ import annotations

import numbers
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol, Self, TypedDict

from modules.sentences.translation import FormRule, local_number, translate

MAX_EXAMPLES = 10
MAX_TEXT = 4000
Facts = dict[str, Any]
"""Values by name: of the placeholders of a sentence, or of an event, as JSON."""


class StatementData(TypedDict):
    """Statement as JSON: all that is needed to write it in another language."""

    reason: str
    """Key of the sentence; empty for an author's own text."""
    facts: Facts


@dataclass(frozen=True)
class Sentence:
    """Templates of a message and of its fix; ``key`` identifies the sentence and never changes.

    In catalogs, the key is the context of the message, and ``<key>.cure`` that of the fix. In
    tables it is the name of the constant (``name_sentences``), unless the name has changed.
    """

    message: str
    cure: str = ""
    key: str = field(default="", kw_only=True)

    def about(self, facts: Mapping[str, Any]) -> Statement:
        """Fill the placeholders with these facts."""
        return Statement(self, facts)


def name_sentences(table: Mapping[str, object], prefix: str = "") -> None:
    """Set the keys of a table's sentences to their names, as in ``NO_RUN = Sentence(...)``."""
    for name, sentence in table.items():
        if isinstance(sentence, Sentence) and not sentence.key:
            object.__setattr__(sentence, "key", prefix + name.lower())


@dataclass(frozen=True)
class Statement:
    """A sentence and its facts. A statement that is a fact of another one is inserted as text."""

    sentence: Sentence
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """The description of what happened."""
        return filled(self.sentence.message, self.facts, self.sentence.key)

    @property
    def cure(self) -> str:
        """The description of what to do."""
        return filled(self.sentence.cure, self.facts, f"{self.sentence.key}.cure")

    def __str__(self) -> str:
        return f"{self.message} {self.cure}" if self.cure else self.message

    def to_json(self) -> StatementData:
        """Return ``reason`` (the sentence's key) and ``facts``: all that a translation needs."""
        return {"reason": self.sentence.key, "facts": facts_to_json(self.facts)}


class HasMessage(Protocol):
    """Interface of everything that carries a message: module errors, findings and problems."""

    @property
    def message(self) -> str: ...
    @property
    def cure(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class RecordedStatement(Statement):
    """A message created elsewhere: its original text, reason and facts (JSON)."""

    text: str = ""
    help: str = ""

    @classmethod
    def of(cls, source: HasMessage | Mapping[str, Any]) -> Self:
        """Convert an error, or its JSON form; older JSON has neither reason nor facts."""
        if not isinstance(source, Mapping):
            names = ("message", "cure", "reason", "facts")
            source = {name: getattr(source, name) for name in names}
        sentence = Sentence("", key=str(source.get("reason") or ""))
        text, cure = str(source["message"]), str(source.get("cure") or "")
        return cls(sentence, dict(source.get("facts") or {}), text, cure)

    @property
    def alone(self) -> Self:
        """The same message without the description of what to do."""
        return replace(self, help="")

    @property
    def message(self) -> str:
        return self.text

    @property
    def cure(self) -> str:
        return self.help

    def to_json(self) -> StatementData:
        return {"reason": self.sentence.key, "facts": dict(self.facts)}


def stated(said: Sentence | Statement | str, facts: Mapping[str, Any]) -> Statement | str:
    """Fill a sentence with facts; return a statement or an author's own text unchanged."""
    if isinstance(said, Sentence):
        return said.about(facts)
    if facts:
        raise TypeError(f"Unexpected facts {', '.join(facts)}: only a Sentence accepts facts.")
    return said


def said_by(error: BaseException, limit: int = 200) -> Statement | str:
    """Return the statement an exception was raised with, else its text in one line."""
    first = error.args[0] if error.args else None
    if isinstance(first, Statement):
        return first
    return " ".join(str(error).split())[:limit] or type(error).__name__


def reason_of(said: Statement | str) -> StatementData:
    """Return ``reason`` and ``facts`` for JSON; both are empty for an author's own text."""
    return {"reason": "", "facts": {}} if isinstance(said, str) else said.to_json()


def _(text: str, /, **facts: Any) -> str:
    """Return an English text of the interface in the language of the user.

    ``_("Show all {count:,}", count=12)`` also fills its placeholders.
    """
    return filled(text, facts)


def filled(text: str, facts: Mapping[str, Any], context: str = "") -> str:
    """Translate a text and fill its placeholders.

    Args:
        text: English text with placeholders.
        facts: Values of the placeholders by name.
        context: Context of the text in the catalogs; a text of the interface has none.
    """
    return _written(*translate(text, context), facts)


def _written(text: str, form: FormRule, facts: Mapping[str, Any]) -> str:
    """Format a text like ``str.format``, with lists and words that depend on a count."""
    return "".join(
        literal if name is None else literal + _field(name, spec, conversion, form, facts)
        for literal, name, spec, conversion in _parts(text)
    )


_FORMATTER = string.Formatter()
_Part = tuple[str, str | None, str | None, str | None]
"""Literal text and the placeholder after it: name, format and conversion, or None."""


@lru_cache(maxsize=4096)  # a large pipeline has thousands of problems and few sentences
def _parts(text: str) -> tuple[_Part, ...]:
    return tuple(_FORMATTER.parse(text))


def _field(
    name: str, spec: str | None, conversion: str | None, form: FormRule, facts: Mapping[str, Any]
) -> str:
    value = facts[name] if name in facts else _FORMATTER.get_field(name, (), facts)[0]
    if conversion:
        value = _FORMATTER.convert_field(value, conversion)
    if not spec:
        if isinstance(value, list | tuple):
            return examples(value)
        return local_number(str(value)) if isinstance(value, float) else str(value)
    if "|" in spec:  # forms of a word, which may contain placeholders
        forms = spec.split("|")
        count = value if isinstance(value, numbers.Real) else value == 1
        return _written(forms[min(form(float(count)), len(forms) - 1)], form, facts)
    if "{" in spec:
        spec = _written(spec, form, facts)
    if isinstance(value, list | tuple):
        return examples(value, spec)
    formatted = format(value, spec)
    return local_number(formatted) if isinstance(value, numbers.Real) else formatted


def facts_to_json(facts: Mapping[str, Any]) -> Facts:
    """Convert facts to JSON, limited like the text: ten items of a list and its length."""
    return {name: _plain(value) for name, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return presentable(value)
    if isinstance(value, Statement):
        statement = value.to_json()
        return statement if statement["reason"] else presentable(str(value))
    if isinstance(value, list | tuple):
        return {"first": [_plain(item) for item in value[:MAX_EXAMPLES]], "count": len(value)}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, float) and abs(value) < float("inf"):
        return float(value)
    return presentable(str(value))


def presentable(text: str) -> str:
    """Return the text as valid Unicode of limited length, safe to store and show."""
    valid = text.encode("utf-8", "replace").decode()
    if len(valid) <= MAX_TEXT:
        return valid
    start, rest = valid[:MAX_TEXT], len(valid) - MAX_TEXT
    return _("{text} ... and {count:,} more characters", text=start, count=rest)


def shown_name(name: str) -> str:
    """Return a name, in quotes if outer blanks or commas would hide its boundaries."""
    return repr(name) if name != name.strip() or "," in name or not name else name


def examples(items: Iterable[object], between: str = ", ") -> str:
    """Join at most ten items and the number of further ones: ``a, b and 312 more``."""
    texts = [str(item) for item in items]
    shown, rest = texts[:MAX_EXAMPLES], len(texts) - MAX_EXAMPLES
    if rest > 0:
        return _("{items} and {count:,} more", items=between.join(shown), count=rest)
    return between.join(shown)
