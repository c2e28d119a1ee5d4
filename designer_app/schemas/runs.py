"""Runs: what is asked of one, and what it came to."""

from __future__ import annotations

from pydantic import Field, JsonValue

from designer_app.schemas.editor import RunStateShape
from designer_app.schemas.shape import Document, Shape
from modules.context import Phase
from pipelines.documents.parts import NodePath
from pipelines.runs.headline import Headline


class RunRequest(Shape):
    """A run to queue. Where no name is given it says what changed since the run before; the
    experiment is the pipeline's.
    """

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    name: str | None = Field(None, max_length=200)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)
    to: NodePath | None = Field(None, description="Run only what this node needs.")
    target: str | None = Field(None, max_length=64, description="In place of the document's.")
    only: list[str] = Field(
        [],
        max_length=10_000,
        description="What was chosen, where the document is the part of a pipeline that it needs.",
    )
    forced: list[str] = Field(
        [], max_length=10_000, description="Make these nodes and all after them anew."
    )


class RunCreated(Shape):
    run_id: str


class RunEntry(Shape):
    """A run in a list; times are seconds since the epoch."""

    run_id: str
    name: str
    experiment: str
    description: str
    pipeline_id: str | None
    pipeline_name: str | None = Field(
        description="What the saved pipeline is called now; one not saved, as in its run."
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
    from_run: str | None = Field(description="The run it repeats; that one may be deleted.")
    headline: Headline | None = Field(
        description="The number it is judged by, so far or in the end; null where it has none."
    )
    curve: list[float | None] = Field(description="Its most telling curve in a few points.")
    values: list[JsonValue] = Field(
        default=[], description="Of the columns that were asked for, in their order."
    )


class RunList(Shape):
    """A page of the runs that fit, newest first."""

    runs: list[RunEntry]
    total: int = Field(description="How many fit, on all pages.")
    experiments: list[str]
    tags: list[str] = Field(description="Every tag there is, the most used first.")


class ShortProblem(Shape):
    code: str
    name: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]
    details: dict[str, JsonValue] | None = Field(
        description="Its evidence; of several ranks, which it was, and how the others ended."
    )


class Stall(Shape):
    """A step that stands still: since when, and the last line of each rank's log."""

    since: float
    ranks: dict[str, str]


class PhaseReport(Shape):
    """Part of a step's time."""

    phase: Phase
    seconds: float | None = Field(description="Null while it lasts.")
    facts: dict[str, JsonValue]


class NodeReport(Shape):
    """What a node came to, as ``designer runs show --json`` says it."""

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
    """What was to be expected of a completed run before it began."""

    seconds: float
    error: float = Field(description="Of what the run took; below 0 where it took longer.")
    nodes: dict[str, float | None]


class RunAnswer(Shape):
    """A run: the report of ``designer runs show --json``, its state and what was submitted."""

    run_id: str
    name: str | None
    experiment: str | None
    status: str
    seconds: float | None
    headline: Headline | None
    forecast: RunForecast | None = Field(
        description="None while it runs, and where nothing like it was measured before."
    )
    cost: float | None = Field(
        description="Of all attempts so far; null where none of its targets has a price."
    )
    problem: ShortProblem | None
    runner_problem: str | None = Field(
        description="That the runner is frozen, and what to do; null where it works."
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
    """How a run stands after it was asked for something."""

    run_id: str
    status: str
    stopping: list[str] = Field(default=[], description="Nodes that end early and keep their best.")
