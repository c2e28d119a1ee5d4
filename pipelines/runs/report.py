"""Results of a run as one JSON object, for commands and the HTTP API."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from modules.context import Phase
from modules.json_model import JsonModel
from pipelines.document.checks.graph import Graph
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.errors import ObjectStoreError
from pipelines.runs.cost import run_cost
from pipelines.runs.headline import Headline
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.events import PhaseData, ProblemData, RunState, StepState
    from pipelines.runs.run_service import RunService


class ShortProblem(JsonModel):
    code: str
    name: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]
    details: dict[str, JsonValue] | None = Field(
        description="Details; with several ranks, the failed one and the results of the others."
    )


class Stall(JsonModel):
    """Stalled step: start of the stall, and the last line of each rank's log."""

    since: float
    ranks: dict[str, str]


class PhaseReport(JsonModel):
    """Phase of a step."""

    phase: Phase
    seconds: float | None = Field(description="Null while it is active.")
    facts: dict[str, JsonValue]


class NodeReport(JsonModel):
    """Result of a node, as in ``designer runs show --json``."""

    status: str
    seconds: float | None
    outputs: dict[str, str]
    metrics: dict[str, float | None]
    problem: ShortProblem | None
    summary: str | None
    warnings: list[str]
    reused_from: str | None
    pinned: bool = Field(description="True if the node is pinned to the result that it reused.")
    stalled: Stall | None
    phases: list[PhaseReport]


class PastRunForecast(JsonModel):
    """Estimate for a completed run, made before its start."""

    seconds: float
    error: float = Field(
        description="Relative to the actual duration; negative if the run took longer."
    )
    nodes: dict[str, float | None]


class RunReport(JsonModel):
    """Report of ``designer runs show --json``."""

    run_id: str
    name: str | None
    experiment: str | None
    status: str
    seconds: float | None
    headline: Headline | None
    forecast: PastRunForecast | None = Field(
        description="Null while it runs, and if no comparable run was measured before."
    )
    cost: float | None = Field(
        description="Cost of all attempts so far; null if no target has a price."
    )
    problem: ShortProblem | None
    nodes: dict[str, NodeReport]


PUBLIC_STATUS = {"preparing": "running", "finalising": "running", "not started": "queued"}


def run_report(
    runs: RunService,
    run_id: str,
    state: RunState | None = None,
    *,
    forecast: PastRunForecast | None = None,
) -> RunReport:
    """Return the object that ``run --json`` and ``runs show --json`` print.

    Of a ``state`` that was read before, otherwise of the newest one. ``forecast`` is the estimate
    for the run, if the caller has one.
    """
    record = runs.store.record(run_id)
    state = state or runs.store.state(run_id)
    last_values = runs.store.last_values(run_id)
    document = expanded(parse_document(record.document)) if record else None
    order = [node.id for node in document.nodes] if document else list(state.steps)
    pinned = {node.id for node in document.nodes if node.is_pinned} if document else set()
    unneeded = Graph(document, runs.catalog).unneeded if document and pinned else frozenset()
    return RunReport(
        run_id=run_id,
        name=record.name if record else None,
        experiment=record.experiment if record else None,
        status=state.status,
        seconds=state.seconds,
        headline=_headline(runs, run_id),
        forecast=forecast,
        cost=run_cost(runs.store, run_id),
        problem=short_problem(state.problem),
        nodes={
            node: _node_report(
                runs,
                state.steps[node],
                last_values.get(node, {}),
                is_pinned=node in pinned,
                is_unneeded=node in unneeded,
            )
            for node in order
        },
    )


def _headline(runs: RunService, run_id: str) -> Headline | None:
    """Return the run's primary metric so far."""
    from pipelines.runs.history import RunHistory  # SQL is slow to import
    from pipelines.runs.results import headline_in

    return headline_in(RunHistory(runs).row(run_id))


def short_problem(problem: ProblemData | None) -> ShortProblem | None:
    """Return kind and message of a problem, without its place."""
    if problem is None:
        return None
    return ShortProblem(
        code=problem["code"],
        name=problem["name"],
        message=problem["message"],
        cure=problem["cure"],
        reason=problem["reason"],
        facts=problem["facts"],
        details=problem["details"],
    )


def leading_ranks(state: RunState) -> set[tuple[str, int]]:
    """Return the failed nodes with several ranks, each with the rank that failed first."""
    problems = {node: step.problem for node, step in state.steps.items() if step.problem}
    ranks = {node: (problem["details"] or {}).get("rank") for node, problem in problems.items()}
    return {(node, rank) for node, rank in ranks.items() if isinstance(rank, int)}


def _node_report(
    runs: RunService,
    step: StepState,
    metrics: Mapping[str, float | None],
    *,
    is_pinned: bool,
    is_unneeded: bool,
) -> NodeReport:
    outputs: dict[str, str] = {}
    with suppress(ObjectStoreError):  # the rest can be reported while it is unavailable
        outputs = runs.artifacts.outputs(step)
    if step.status == "reused" and not metrics:
        from pipelines.runs.inherited_metrics import last_values_of_maker  # SQL is slow to import

        metrics = last_values_of_maker(runs, step)
    stall = step.stalled
    is_left_out = is_unneeded and step.status == "skipped"
    return NodeReport(
        status=PUBLIC_STATUS.get(step.status, step.status),
        seconds=step.seconds,
        outputs=outputs,
        metrics=dict(metrics),
        problem=short_problem(step.problem),
        summary=_("Left out: only a pinned node reads it.") if is_left_out else step.summary,
        warnings=step.warnings,
        reused_from=step.reused_from,
        pinned=is_pinned and step.status == "reused",
        stalled=None if stall is None else Stall(since=stall["since"], ranks=stall["ranks"]),
        phases=[_phase_report(phase) for phase in step.phases],
    )


def _phase_report(phase: PhaseData) -> PhaseReport:
    ended = phase["finished"]
    seconds = None if ended is None else ended - phase["started"]
    return PhaseReport(phase=phase["phase"], seconds=seconds, facts=phase["facts"])
