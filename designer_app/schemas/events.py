"""The stream of a run, and its curves."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import EventShape, RunStateShape
from designer_app.schemas.shape import Shape
from pipelines.runs.headline import Headline


class Point(Shape):
    """A measurement of a curve; ``time`` is seconds since the epoch."""

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


class HeadlineReport(Shape):
    """In an event stream: the number the run is judged by, as far as it is."""

    headline: Headline | None


class RunnerReport(Shape):
    """In an event stream: whether the runner is frozen."""

    problem: str | None = Field(description="What is wrong and what to do; null: it works again.")


class EventBatch(Shape):
    """What the other messages hold, as a JSON array: events in order."""

    events: list[EventShape]
