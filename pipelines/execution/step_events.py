"""Conversion of reports by hosts and planners into events and problems."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from modules.context import Report
from modules.errors import ModuleError, ModuleOutOfMemoryError
from modules.metric_limits import bounded_step, clean_name
from modules.sentences.sentence import RecordedStatement, Sentence, Statement, presentable
from pipelines.document.target_offer import TargetOffer
from pipelines.errors import ObjectStoreError
from pipelines.events import Event, ProblemData, StepState
from pipelines.execution.plan import Step
from pipelines.problems import (
    OBJECT_STORE_UNUSABLE,
    UNEXPECTED,
    UPSTREAM_FAILED,
    PipelineError,
    Problem,
)
from pipelines.sentences import steps
from pipelines.workers.failures import NO_SPACE
from pipelines.workers.step_spec import StepSpec

KINDS = {
    "metric": "MetricLogged",
    "progress": "StepProgress",
    "warning": "StepWarning",
    "summary": "StepSummary",
    "work": "StepMeasured",
    "phase": "StepPhase",
    "running": "StepRunning",
    "finalising": "StepFinalising",
}


def translate(node: str, reports: Iterable[Report]) -> list[Event]:
    """Return the events for a step's reports; of several progress lines of a rank only the last."""
    # Progress is reported many times a second and stored: one line per rank and round.
    events: list[Event] = []
    progress: dict[int, Event] = {}
    for report in reports:
        kind = KINDS.get(report["kind"])
        data = {name: value for name, value in report.items() if name != "kind"}
        if kind == "StepProgress":
            progress[data.get("rank", 0)] = Event(kind, node, data)
        elif kind == "MetricLogged":
            events += _points(node, data)
        elif kind is not None:
            events.append(Event(kind, node, data))
    return [*events, *progress.values()]


def _points(node: str, data: Report) -> list[Event]:
    """Return the point in a line in a storable form; none if the line has none."""
    match data:
        case {"name": str(name), "value": float(), "step": int(step)}:
            storable = {"name": clean_name(name), "step": bounded_step(step)}
            return [Event("MetricLogged", node, {**data, **storable})]
    return []


def unreported(events: Iterable[Event], reported: Counter[tuple[str, int]]) -> list[Event]:
    """Return the events that exceed the ``reported`` counts by kind and rank; decrement these."""
    return [event for event in events if not reported or not _was_reported(event, reported)]


def _was_reported(event: Event, reported: Counter[tuple[str, int]]) -> bool:
    if event.kind == "StepProgress":
        return False
    key = (event.kind, event.data.get("rank", 0))
    reported[key] -= 1
    return reported[key] >= 0


def waits_for(node: str, awaited: str, **facts: str | int) -> Event:
    """Return the event that a step waits for resources, a store or another run."""
    return Event("StepPhase", node, {"phase": "scaling", "waits_for": awaited, **facts})


def waits_for_output(node: str, title: str, run: tuple[str, str] | None = None) -> Event:
    """Return the event that a step waits for an output which is being computed.

    Args:
        node: Node of the step that waits.
        title: Title of the node that computes the same output.
        run: Id and name of the run that it belongs to, if that is another one.
    """
    run_id, maker = run or ("", title)
    awaited = f"{'run' if run_id else 'node'} “{maker}”, which computes the same output"
    return waits_for(node, awaited, computed_by=maker, run_id=run_id)


def facts_of_wait(state: StepState) -> Mapping[str, Any]:
    """Return the facts of the last event that a queued step waits; none if there is none."""
    return state.phases[-1]["facts"] if state.status == "queued" and state.phases else {}


def warning(node: str, sentence: Sentence, **facts: Any) -> Event:
    """Return a warning event, in the same form as a module's."""
    return warning_of(node, sentence.about(facts))


def warning_of(node: str, statement: Statement) -> Event:
    """Return the warning event of a statement."""
    return Event(
        "StepWarning", node, {"message": presentable(str(statement)), **statement.to_json()}
    )


def restart_events(node: str, state: StepState) -> list[Event]:
    """Return the events of a step that ended with its runner and waits for a restart."""
    return [
        warning(node, steps.ATTEMPT_LOST, attempt=state.attempt),
        Event("StepQueued", node, {"key": state.key}),
    ]


def planning_problem(error: Exception) -> Problem:
    """Return the problem for an exception of planning."""
    if isinstance(error, PipelineError):
        return error.problems[0]
    if isinstance(error, ModuleError):
        return Problem.from_error(error)
    if isinstance(error, ObjectStoreError):
        return Problem.relayed(OBJECT_STORE_UNUSABLE, error)
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return disk_full()
    traceback.print_exception(error)
    return Problem.of(UNEXPECTED, steps.NOT_PLANNED, error=repr(error))


def problem_of_system(error: OSError) -> ProblemData:
    """Return the problem of a step that the system could not start."""
    statement = steps.STEP_NOT_STARTED.about({"error": error.strerror or error})
    return Problem.of(ModuleOutOfMemoryError, statement).to_json()


def disk_full() -> Problem:
    """Return the problem of a run whose events cannot be written."""
    return Problem.of(ModuleOutOfMemoryError, steps.RUN_DISK_FULL)


def skipped(node: str, names: Sequence[str]) -> Event:
    """Return the event of a step that lacks these nodes' outputs."""
    return _skipped(node, names, steps.UPSTREAM_FAILED)


def not_planned(node: str, names: Sequence[str]) -> Event:
    """Return the event of a step of a run that these nodes keep from being planned, if any."""
    return _skipped(node, names, steps.RUN_STOPPED_AT if names else steps.UPSTREAM_NOT_PLANNED)


def _skipped(node: str, names: Sequence[str], sentence: Sentence) -> Event:
    problem = Problem.of(UPSTREAM_FAILED, sentence.about({"names": names}), node=node)
    return Event("StepSkipped", node, {"problem": problem.to_json()})


def step_started(step: Step, attempt: int, offer: TargetOffer) -> Event:
    """Return the event of a step's start on a target, with its machines' price per hour."""
    price = offer.price_of(step.settings.node_count)
    priced = {} if price is None else {"price_per_hour": price}
    return Event("StepStarted", step.node, {"attempt": attempt, **priced})


def another_try(spec: StepSpec, problem: ProblemData, *, is_preempted: bool) -> list[Event]:
    """Return the events of a step that failed transiently."""
    sentence = steps.ATTEMPT_PREEMPTED if is_preempted else steps.ATTEMPT_FAILED
    why = RecordedStatement.of(problem).alone
    return [
        warning(spec.node, sentence, attempt=spec.attempt, why=why),
        Event("StepQueued", spec.node, {"key": spec.key}),
    ]
