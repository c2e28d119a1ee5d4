"""Trial of patterns on an existing log, before they are used."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from modules.scripts.intake.log_patterns import LogPattern
from modules.scripts.intake.pattern_cost import PatternRefused
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

MAX_EXAMPLES = 5
MAX_SECONDS = 1.0


class Example(NamedTuple):
    """A line, and the value read from it."""

    line: str
    value: float
    step: int | None


@dataclass(frozen=True)
class LogTrial:
    """Result of a pattern: its error, or the number of lines it read and the first ones."""

    text: str
    name: str = ""
    problem: Statement | None = None
    num_lines: int = 0
    examples: tuple[Example, ...] = ()


def tried(text: str, lines: Sequence[str]) -> LogTrial:
    """Try a pattern on these lines for at most a second."""
    try:
        pattern = LogPattern.parse(text)
    except PatternRefused as refused:
        return LogTrial(text, problem=refused.statement)
    return read_by(pattern, lines)


def read_by(pattern: LogPattern, lines: Iterable[str]) -> LogTrial:
    """Return what a valid pattern reads from these lines."""
    until, num_lines = time.monotonic() + MAX_SECONDS, 0
    examples: list[Example] = []
    for line in lines:
        reading = pattern.read(line)
        if reading is not None:
            num_lines += 1
            if len(examples) < MAX_EXAMPLES:
                examples.append(Example(line, *reading))
        if time.monotonic() > until:
            slow = say.PATTERN_SLOW.about({})
            return LogTrial(str(pattern), pattern.name, slow, num_lines, tuple(examples))
    return LogTrial(str(pattern), pattern.name, None, num_lines, tuple(examples))
