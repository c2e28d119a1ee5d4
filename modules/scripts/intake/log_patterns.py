"""Named regular expressions for metrics in the output of a script; the user confirms each.

A pattern is one text, ``NAME = EXPRESSION``. The group ``(?P<value>...)``, or the first one, is the
value; ``(?P<step>...)`` may be the step, otherwise the values are counted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from modules.metric_limits import clean_name
from modules.scripts.intake.metric_points import MetricPoints, MetricSource
from modules.scripts.intake.pattern_cost import MAX_LENGTH, PatternRefused, check_cost
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

SOURCE = MetricSource("log")
MAX_SECONDS, MAX_SECONDS_A_LINE = 2.0, 0.005
"""Limits of the total and the average time of a pattern, after which it is disabled."""


class LoggedValue(NamedTuple):
    """The value that a pattern read from a line."""

    value: float
    step: int | None


@dataclass(frozen=True)
class LogPattern:
    """A metric's name, and the expression for its values."""

    name: str
    expression: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a pattern; raise ``PatternRefused`` with the reason if it is invalid."""
        name, equals, expression = (part.strip() for part in text.partition("="))
        if not (name and equals and expression):
            raise PatternRefused(say.PATTERN_NO_NAME.about({"text": text[:80]}))
        pattern = cls(clean_name(name), expression)
        pattern.check()
        return pattern

    def check(self) -> None:
        """Raise ``PatternRefused`` if the expression is invalid, has no value, or may be slow."""
        check_cost(self.expression)
        try:
            num_groups = self._compiled.groups
        except (re.error, RecursionError, OverflowError) as error:
            raise PatternRefused(say.PATTERN_INVALID.about({"why": str(error)})) from None
        if not num_groups:
            raise PatternRefused(say.PATTERN_NO_VALUE.about({}))

    def read(self, line: str) -> LoggedValue | None:
        """Return the first value in a line, of which only ``MAX_LENGTH`` characters count."""
        match = self._compiled.search(line[:MAX_LENGTH])
        if match is None:
            return None
        groups = match.groupdict()
        try:
            return LoggedValue(float(groups.get("value") or match[1]), _step(groups.get("step")))
        except (ValueError, TypeError):
            return None

    def __str__(self) -> str:
        return f"{self.name} = {self.expression}"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)


def _step(text: str | None) -> int | None:
    return int(float(text)) if text and len(text) < 16 else None


@dataclass
class _Used:
    """A pattern and the time it has used."""

    pattern: LogPattern
    seconds: float = 0.0
    num_lines: int = 0

    @property
    def is_slow(self) -> bool:
        average = self.seconds / max(1, self.num_lines)
        return self.seconds > MAX_SECONDS and average > MAX_SECONDS_A_LINE


@dataclass
class PatternReader:
    """Reader of output with several patterns, each within its time limit."""

    patterns: Sequence[LogPattern]
    points: MetricPoints
    warn: Callable[[Statement], None]
    _used: list[_Used] = field(init=False)

    def __post_init__(self) -> None:
        self._used = [_Used(pattern) for pattern in self.patterns]

    def read(self, lines: Iterable[str]) -> None:
        """Log the values that the patterns find."""
        for line in lines:
            for used in list(self._used):
                self._read(used, line)

    def _read(self, used: _Used, line: str) -> None:
        began = time.perf_counter()
        logged = used.pattern.read(line)
        used.seconds += time.perf_counter() - began
        used.num_lines += 1
        if logged is not None:
            self.points.add(SOURCE, used.pattern.name, logged.value, logged.step)
        if used.is_slow:
            self._used.remove(used)
            self.warn(say.PATTERN_SET_ASIDE.about({"name": used.pattern.name}))
