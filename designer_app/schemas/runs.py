"""Runs: requests and results."""

from __future__ import annotations

from pydantic import Field, JsonValue

from designer_app.schemas.editor import RunStateShape
from designer_app.schemas.shape import Document, Shape
from modules.context import Phase
from pipelines.document.parts import NodePath
from pipelines.runs.headline import Headline


class RunRequest(Shape):
    """Request to queue a run.

    Without a name, the run is named after the changes since the previous run. The default
    experiment is the pipeline's.
    """

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    name: str | None = Field(None, max_length=200)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)
    to: NodePath | None = Field(None, description="Run only this node and the nodes that it needs.")
    target: str | None = Field(None, max_length=64, description="Replaces the document's target.")
    only: list[str] = Field(
        [],
        max_length=10_000,
        description="Selected nodes, if the document contains only what they need.",
    )
    forced: list[str] = Field(
        [], max_length=10_000, description="Run these nodes and all following ones again."
    )


class RunCreated(Shape):
    run_id: str


class RunEntry(Shape):
    """Run in a list; times are seconds since the epoch."""

    run_id: str
    name: str
    experiment: str
    description: str
    pipeline_id: str | None
    pipeline_name: str | None = Field(
        description="Current name of the saved pipeline; if it is not saved, its name in the run."
    )
    status: str
    created: float
    started: float | None
    finished: float | None
    seconds: float | None
    num_nodes: int
    num_done: int
    note: str
    tags: list[str]
    from_run: str | None = Field(description="Run that it repeats, which may have been deleted.")
    headline: Headline | None = Field(description="Primary metric so far; null if there is none.")
    curve: list[float | None] = Field(description="Main curve, in a few points.")
    values: list[JsonValue] = Field(
        default=[], description="Values of the requested columns, in order."
    )


class RunList(Shape):
    """Page of matching runs, newest first."""

    runs: list[RunEntry]
    total: int = Field(description="Number of matching runs on all pages.")
    experiments: list[str]
    tags: list[str] = Field(description="All tags, most used first.")


class ShortProblem(Shape):
    code: str
    name: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]
    details: dict[str, JsonValue] | None = Field(
        description="Details; with several ranks, the failed one and the results of the others."
    )


class Stall(Shape):
    """Stalled step: start of the stall, and the last line of each rank's log."""

    since: float
    ranks: dict[str, str]


class PhaseReport(Shape):
    """Phase of a step."""

    phase: Phase
    seconds: float | None = Field(description="Null while it is active.")
    facts: dict[str, JsonValue]


class NodeReport(Shape):
    """Result of a node, as in ``designer runs show --json``."""

    status: str
    seconds: float | None
    outputs: dict[str, str]
    metrics: dict[str, float | None]
    problem: ShortProblem | None
    summary: str | None
    warnings: list[str]
    reused_from: str | None
    stalled: Stall | None
    phases: list[PhaseReport]


class RunForecast(Shape):
    """Estimate for a completed run, made before its start."""

    seconds: float
    error: float = Field(
        description="Relative to the actual duration; negative if the run took longer."
    )
    nodes: dict[str, float | None]


class RunAnswer(Shape):
    """Run: the report of ``designer runs show --json``, its state and the submitted document."""

    run_id: str
    name: str | None
    experiment: str | None
    status: str
    seconds: float | None
    headline: Headline | None
    forecast: RunForecast | None = Field(
        description="Null while it runs, and if no comparable run was measured before."
    )
    cost: float | None = Field(
        description="Cost of all attempts so far; null if no target has a price."
    )
    problem: ShortProblem | None
    runner_problem: str | None = Field(
        description="Error message and fix if the runner is frozen; otherwise null."
    )
    nodes: dict[str, NodeReport]
    description: str
    pipeline_id: str | None
    to: str | None
    target: str | None
    only: list[str]
    note: str
    tags: list[str]
    from_run: str | None
    created: float
    last_event_id: int
    state: RunStateShape
    document: Document


class RunStatus(Shape):
    """State of a run after a request."""

    run_id: str
    status: str
    stopping: list[str] = Field(
        default=[], description="Nodes that stop early and keep their best result."
    )
