"""From what hosts and planners report to events and problems."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from typing import Any

from modules.errors import ModuleError, ModuleOutOfMemoryError
from pipelines.events import Event
from pipelines.problems import UNEXPECTED, UPSTREAM_FAILED, PipelineError, Problem
from pipelines.workers.failures import NO_SPACE

KINDS = {
    "metric": "MetricLogged",
    "progress": "StepProgress",
    "warning": "StepWarning",
    "summary": "StepSummary",
    "work": "StepMeasured",
    "running": "StepRunning",
    "finalising": "StepFinalising",
}


def translate(node: str, reports: Iterable[dict[str, Any]]) -> list[Event]:
    """The events that a step's own words amount to; of several progress lines a rank, the last."""
    events: list[Event] = []
    progress: dict[int, Event] = {}
    for each in reports:
        kind = KINDS.get(each["kind"])
        data = {name: value for name, value in each.items() if name != "kind"}
        if kind == "StepProgress":
            progress[data.get("rank", 0)] = Event(kind, node, data)
        elif kind is not None:
            events.append(Event(kind, node, data))
    return [*events, *progress.values()]


def planning_problem(error: Exception) -> Problem:
    """The problem that an exception of planning is."""
    if isinstance(error, PipelineError):
        return error.problems[0]
    if isinstance(error, ModuleError):
        return Problem.from_error(error)
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return disk_full()
    traceback.print_exception(error)
    return Problem.of(
        UNEXPECTED,
        f"The pipeline could not be planned: {error!r}.",
        "See the runner's log in the workspace for the traceback.",
    )


def problem_of_system(error: OSError) -> dict[str, Any]:
    """The problem of a step that the system would not let start."""
    return Problem.of(
        ModuleOutOfMemoryError,
        f"The step could not be started: {error.strerror or error}.",
        "Free disk space (`designer gc` helps), then resume the run.",
    ).to_json()


def disk_full() -> Problem:
    """The problem of a run that nothing more can be written of."""
    return Problem.of(
        ModuleOutOfMemoryError,
        "The disk is full.",
        "Free disk space (`designer gc` helps), then resume the run.",
    )


def skipped(node: str, causes: Iterable[str]) -> Event:
    """The event of a step that lacks the outputs of others, or a plan where no cause is named."""
    names = ", ".join(sorted(causes))
    problem = Problem.of(
        UPSTREAM_FAILED,
        f"{names} gave no output." if names else "The run could not be planned.",
        "Cure the problem there, then resume the run.",
        node=node,
    )
    return Event("StepSkipped", node, {"problem": problem.to_json()})
