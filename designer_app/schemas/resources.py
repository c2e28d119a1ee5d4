"""The objects of the HTTP API. The documentation and the checks of the tests are made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from designer_app.schemas.editor import (
    CatalogSpec,
    EventShape,
    ProblemShape,
    RunStateShape,
    TargetShape,
)
from pipelines.documents.document import PipelineDocument, Settings

Document = Annotated[dict[str, Any], WithJsonSchema({"x-model": "PipelineDocument"})]
"""A pipeline document inside another object; it is read by ``parse_document``."""


class Shape(BaseModel):
    """Every object of the API: exactly these fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ErrorBody(Shape):
    """What went wrong and what to do."""

    code: str
    message: str
    cure: str


class ErrorAnswer(Shape):
    """Any answer that is no success."""

    error: ErrorBody
    problems: list[ProblemShape] | None = Field(None, description="Of a refused document.")
    revision: int | None = Field(None, description="The one that a commit collided with.")
    document: Document | None = Field(None, description="Its document.")


class CatalogAnswer(CatalogSpec):
    """The palette, the compute targets and the settings a new pipeline has."""

    targets: list[TargetShape]
    settings: Settings
    document_limits: dict[str, int]


class LessonEntry(Shape):
    """A ready-made pipeline."""

    slug: str
    name: str
    description: str
    document: PipelineDocument


class LessonList(Shape):
    lessons: list[LessonEntry]


class PipelineEntry(Shape):
    """A saved pipeline; times are seconds since the epoch."""

    id: str
    name: str
    revision: int
    created: float
    updated: float
    num_nodes: int


class PipelineList(Shape):
    pipelines: list[PipelineEntry]


class Created(Shape):
    """Where a new pipeline is."""

    id: str
    revision: int


class Committed(Shape):
    """A commit that is on disk, and what is wrong with the pipeline now."""

    revision: int
    problems: list[ProblemShape]


class Deleted(Shape):
    id: str
    deleted: bool


class RevisionEntry(Shape):
    """A revision and, in a sentence, what is different from the one before."""

    revision: int
    created: float
    num_nodes: int
    changes: str


class RevisionList(Shape):
    revisions: list[RevisionEntry]


class Verdict(Shape):
    """Whether a document can be run, and everything that is wrong with it."""

    valid: bool
    problems: list[ProblemShape]


class RunRequest(Shape):
    """A run to queue. Name and experiment are the pipeline's where they are not given."""

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    name: str | None = Field(None, max_length=200)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)
    to: str | None = Field(None, max_length=64, description="Run only what this node needs.")
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
        description="What the saved pipeline is called now; one not saved, as it was submitted."
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


class Stall(Shape):
    """A step that stands still: since when, and the last line of each rank's log."""

    since: float
    ranks: dict[str, str]


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
    forecast: RunForecast | None = Field(
        description="None while it runs, and where nothing like it was measured before."
    )
    problem: ShortProblem | None
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


class Point(Shape):
    step: int
    value: float | None
    time: float


class Curves(Shape):
    """The curves of a run: node, then metric, then its points by step.

    In an event stream they may hold points of events that follow; a point with the same step
    replaces another.
    """

    run_id: str
    metrics: dict[str, dict[str, list[Point]]]


class Snapshot(Shape):
    """The first message of an event stream: everything folded up to ``last_event_id``."""

    run_id: str
    document_id: str
    pipeline_id: str | None
    last_event_id: int
    state: RunStateShape


class EventBatch(Shape):
    """What the other messages hold, as a JSON array: events in order."""

    events: list[EventShape]


class LogEntry(Shape):
    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher's.")
    num_bytes: int


class LogList(Shape):
    logs: list[LogEntry]


class LogMatch(Shape):
    offset: int = Field(description="Of the line's first byte.")
    line: int = Field(description="Its number, from 1 on.")
    text: str


class LogMatches(Shape):
    matches: list[LogMatch]
    more: bool = Field(description="There are more than were given.")


class FileEntry(Shape):
    path: str
    num_bytes: int


class FileList(Shape):
    files: list[FileEntry]
    num_files: int


class ThumbnailEntry(Shape):
    """An image on a sheet; ``index`` is its row in the directory."""

    index: int
    path: str
    label: str | None
    shown: bool = Field(description="False where the file cannot be read.")


class ThumbnailSheet(Shape):
    """Small pictures in rows of so many columns, so many pixels apart."""

    picture: str = Field(description="A data: address of a WebP picture.")
    columns: int
    edge: int
    images: list[ThumbnailEntry]


class TargetRequest(Shape):
    """This machine as so many simulated nodes, to learn and to test."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    simulated_nodes: int = Field(ge=1, le=64)


class TargetList(Shape):
    targets: list[TargetShape]


class EnvironmentFinding(Shape):
    name: str
    ok: bool
    found: str
    cure: str


class Environment(Shape):
    """This machine and this server."""

    version: str
    workspace: str
    healthy: bool
    findings: list[EnvironmentFinding]
    allowed_roots: list[str]
    runner: Literal["running", "none"]
