"""Endpoint that tries and suggests patterns for metrics in a node's log."""

from __future__ import annotations

import math

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.logs import log_path
from designer_app.application import Application
from modules.json_model import JsonModel
from modules.scripts.intake.line_tail import last_lines
from modules.scripts.intake.log_suggestions import suggest
from modules.scripts.intake.log_trial import Example, LogTrial, read_by, tried

FIRST_LOG = "70_driver_log_0.txt"
MOST_BYTES = 2**20
"""Number of bytes read from the end of the log: about ten thousand lines."""
SHOWN_CHARACTERS = 400


class LogPatternsRequest(JsonModel):
    """Patterns to be tried; if empty, patterns are only suggested."""

    patterns: list[str] = Field(default=[], max_length=20)


class PatternExample(JsonModel):
    line: str
    value: float | None = Field(description="Null if it is not a finite number.")
    step: int | None = Field(description="Null if steps are counted.")


class PatternTrial(JsonModel):
    """Result of a pattern on the log."""

    pattern: str = Field(description="NAME = EXPRESSION, as in the parameter log_patterns.")
    name: str
    problem: str | None = Field(description="Error message and fix.")
    num_lines: int = Field(description="Number of matching lines.")
    examples: list[PatternExample]


class LogPatternsAnswer(JsonModel):
    num_lines: int = Field(description="Number of lines read from the end of the log.")
    tried: list[PatternTrial]
    suggested: list[PatternTrial]


@ApiEndpoint(
    "POST",
    "/api/runs/{run_id}/nodes/{node}/log-patterns",
    takes=LogPatternsRequest,
    errors=(400, 404),
)
def _patterns(application: Application, call: Call) -> LogPatternsAnswer:
    """Try metric patterns on the end of a node's log, and suggest patterns."""
    request: LogPatternsRequest = call.body
    lines = _lines(application, call)
    suggested = [read_by(suggestion.pattern, lines) for suggestion in suggest(lines)]
    return LogPatternsAnswer(
        num_lines=len(lines),
        tried=[_trial(tried(pattern, lines)) for pattern in request.patterns],
        suggested=[_trial(trial) for trial in suggested],
    )


def _lines(application: Application, call: Call) -> list[str]:
    """Return the last lines of the log of the node's first process; raises ``ApiError``.

    None for a node of the run that has no log: it was reused, or has not started.
    """
    path = log_path(application, call, FIRST_LOG)
    if path is None:
        return []
    redaction = application.session.secrets.redaction()
    return [redaction.text(line) for line in last_lines(path, MOST_BYTES)]


def _trial(trial: LogTrial) -> PatternTrial:
    return PatternTrial(
        pattern=trial.text,
        name=trial.name,
        problem=None if trial.problem is None else str(trial.problem),
        num_lines=trial.num_lines,
        examples=[_example(example) for example in trial.examples],
    )


def _example(example: Example) -> PatternExample:
    value = example.value if math.isfinite(example.value) else None
    return PatternExample(line=example.line[:SHOWN_CHARACTERS], value=value, step=example.step)


ENDPOINTS = (_patterns,)
