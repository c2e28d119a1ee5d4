"""Results of a run as one JSON object, for commands and the HTTP API."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import ObjectStoreError
from pipelines.events import with_reason
from pipelines.runs.cost import run_cost

if TYPE_CHECKING:
    from pipelines.events import RunState, StepState
    from pipelines.runs.run_service import RunService

PUBLIC_STATUS = {"preparing": "running", "finalising": "running", "not started": "queued"}


def run_report(
    runs: RunService,
    run_id: str,
    state: RunState | None = None,
    *,
    forecast: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the object that ``run --json`` and ``runs show --json`` print.

    Of a ``state`` that was read before, otherwise of the newest one. ``forecast`` is the estimate
    for the run, if the caller has one.
    """
    record = runs.store.record(run_id)
    state = state or runs.store.state(run_id)
    last_values = runs.store.last_values(run_id)
    headline = _headline(runs, run_id)
    document = expanded(parse_document(record.document)) if record else None
    order = [node.id for node in document.nodes] if document else list(state.steps)
    return {
        "run_id": run_id,
        "name": record.name if record else None,
        "experiment": record.experiment if record else None,
        "status": state.status,
        "seconds": state.seconds,
        "headline": headline,
        "forecast": forecast,
        "cost": run_cost(runs.store, run_id),
        "problem": short_problem(state.problem),
        "nodes": {
            node: _node_report(runs, state.steps[node], last_values.get(node, {})) for node in order
        },
    }


def _headline(runs: RunService, run_id: str) -> dict[str, Any] | None:
    """Return the run's primary metric so far."""
    from pipelines.runs.history import RunHistory  # SQL is slow to import
    from pipelines.runs.results import headline_in

    headline = headline_in(RunHistory(runs).row(run_id))
    return None if headline is None else headline.model_dump()


def short_problem(problem: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return kind and message of a problem, without its place; older ones have no reason."""
    names = ("code", "name", "message", "cure", "reason", "facts")
    if problem is None:
        return None
    short = {name: with_reason(problem)[name] for name in names}
    return {**short, "details": problem.get("details")}


def leading_ranks(state: RunState) -> set[tuple[str, int]]:
    """Return the failed nodes with several ranks, each with the rank that failed first."""
    problems = {node: step.problem or {} for node, step in state.steps.items()}
    ranks = {node: (problem.get("details") or {}).get("rank") for node, problem in problems.items()}
    return {(node, rank) for node, rank in ranks.items() if isinstance(rank, int)}


def _node_report(
    runs: RunService, step: StepState, metrics: dict[str, float | None]
) -> dict[str, Any]:
    outputs: dict[str, str] = {}
    with suppress(ObjectStoreError):  # the rest can be reported while it is unavailable
        outputs = runs.artifacts.outputs(step)
    if step.status == "reused" and not metrics:
        from pipelines.runs.inherited_metrics import last_values_of_maker  # SQL is slow to import

        metrics = last_values_of_maker(runs, step)
    return {
        "status": PUBLIC_STATUS.get(step.status, step.status),
        "seconds": step.seconds,
        "outputs": outputs,
        "metrics": metrics,
        "problem": short_problem(step.problem),
        "summary": step.summary,
        "warnings": step.warnings or [],
        "reused_from": step.reused_from,
        "stalled": step.stalled,
        "phases": [_phase_report(phase) for phase in step.phases or []],
    }


def _phase_report(phase: dict[str, Any]) -> dict[str, Any]:
    ended = phase["finished"]
    seconds = None if ended is None else ended - phase["started"]
    return {"phase": phase["phase"], "seconds": seconds, "facts": phase["facts"]}
