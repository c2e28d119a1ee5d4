"""Suggested patterns for metrics in the output of a script, for the user to confirm.

A candidate is a name before a number. It is suggested if the name contains a word of metrics, and
if its pattern reads exactly the same values from all lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple, Self

from modules.metric_limits import clean_name
from modules.scripts.intake.log_patterns import LogPattern
from modules.scripts.intake.pattern_cost import MAX_LENGTH, PatternRefused

MAX_SUGGESTIONS = 12
MAX_CANDIDATES = 60
MAX_LINES = 20_000
LEFT, RIGHT = r"(?<![\w./@-])", r"(?![\w:/])"
NUMBER = r"[-+]?(?:nan|inf|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
NAME = r"[A-Za-z][\w@/.-]{0,40}(?: [A-Za-z][\w@/-]{0,20})?"
NAMED = re.compile(
    rf"{LEFT}(?P<quote>['\"]?)(?P<name>{NAME})(?P=quote)(?P<sign>\s*[:=]\s*['\"]?|\s+)"
    rf"(?P<number>{NUMBER})(?!\.?\d|[\w:/]|\.\w)"
)
"""A name and its number: not an address, a version or part of a fraction."""
METRIC_WORD = re.compile(
    r"loss|acc|accuracy|err|error|lr|learning rate|precision|recall|f1|f-score|auc|roc|map|ap"
    r"|iou|miou|dice|top-?[15]|perplexity|ppl|bleu|rouge|psnr|ssim|fid|mse|mae|rmse|r2|kappa|mcc"
    r"|score|reward|return|entropy|kl|norm"
)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
FILE_NAME = re.compile(r"\.[A-Za-z]{1,5}$")
STEP = re.compile(
    r"\b(?:[Ee]poch|[Ss]tep|[Ii]ter(?:ation)?|global_step)\b[ :=\[#'\"]*(\d+)(?!\.\d)"
)
STEP_EXPRESSION = (
    r"\b(?:[Ee]poch|[Ss]tep|[Ii]ter(?:ation)?|global_step)\b"
    r"[ :=\[#'\"]*(?P<step>\d+)\D.*?"
)


class _Form(NamedTuple):
    """The notation of a value: its name, its quotes, and the separator."""

    name: str
    quote: str
    sign: str
    quote_of_value: str

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        between = match["sign"].strip()
        return cls(match["name"], match["quote"], between[:1], between[1:].strip())

    def expression(self) -> str:
        """Return an expression that reads such values, if nothing else is before or after them."""
        name = f"{self.quote}{re.escape(self.name)}{self.quote}".replace(r"\ ", " ")
        sign = rf"\s*{self.sign}\s*{self.quote_of_value}" if self.sign else r"\s+"
        return rf"{LEFT}{name}{sign}(?P<value>{NUMBER}){RIGHT}"


class _Seen(NamedTuple):
    """A value, and the step before it."""

    line: str
    value: float
    step: int | None


@dataclass(frozen=True)
class Suggestion:
    """A pattern, the number of lines it reads, and the first and the last of them."""

    pattern: LogPattern
    num_lines: int
    examples: tuple[str, ...]


def suggest(printed: Iterable[str]) -> list[Suggestion]:
    """Return the patterns for these lines, those that read the most lines first, each name once."""
    lines = [line[:MAX_LENGTH] for line in islice(printed, MAX_LINES)]
    fit = (_suggestion(form, seen) for form, seen in _candidates(lines).items())
    by_name: dict[str, Suggestion] = {}
    for best in sorted(filter(None, fit), key=lambda suggestion: -suggestion.num_lines):
        by_name.setdefault(best.pattern.name, best)
    return list(by_name.values())[:MAX_SUGGESTIONS]


def _candidates(lines: Iterable[str]) -> dict[_Form, list[_Seen]]:
    by_form: dict[_Form, list[_Seen]] = {}
    for line in lines:
        seen: dict[_Form, _Seen] = {}
        for match in NAMED.finditer(line):
            form = _Form.of(match)
            if form not in seen and _is_metric(form.name):
                step = _step_before(line, match.start())
                seen[form] = _Seen(line, float(match["number"]), step)
        for form, value in seen.items():
            if form in by_form or len(by_form) < MAX_CANDIDATES:
                by_form.setdefault(form, []).append(value)
    return by_form


def _is_metric(name: str) -> bool:
    """Return True if a word of the name, or the whole name, is common for metrics."""
    if FILE_NAME.search(name):
        return False
    spaced = re.sub(r"[_@/]", " ", CAMEL.sub(" ", name)).lower()
    return any(METRIC_WORD.fullmatch(word) for word in (*spaced.split(), spaced))


def _suggestion(form: _Form, seen: Sequence[_Seen]) -> Suggestion | None:
    """Return the pattern, with the step if each line has a new one; None if it misreads values."""
    beginnings = [STEP_EXPRESSION, ""] if _is_rising([value.step for value in seen]) else [""]
    for beginning in beginnings:
        pattern = LogPattern(clean_name(form.name), beginning + form.expression())
        if _is_taken(pattern) and all(_reads(pattern, value) for value in seen):
            lines = (seen[0].line, seen[-1].line)
            return Suggestion(pattern, len(seen), lines if len(seen) > 1 else lines[:1])
    return None


def _is_taken(pattern: LogPattern) -> bool:
    try:
        pattern.check()
    except PatternRefused:
        return False
    return True


def _reads(pattern: LogPattern, seen: _Seen) -> bool:
    """Return True if it reads the same values; compared as texts, as NaN is not equal to itself."""
    reading = pattern.read(seen.line)
    return reading is not None and str(reading.value) == str(seen.value)


def _step_before(line: str, end: int) -> int | None:
    match = STEP.search(line, 0, end)
    return int(match[1]) if match and len(match[1]) < 16 else None


def _is_rising(steps: Sequence[int | None]) -> bool:
    known = [step for step in steps if step is not None]
    return 1 < len(known) == len(steps) and all(a < b for a, b in pairwise(known))
