"""Event stream of a run, and its curves."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import EventShape, RunStateShape
from designer_app.schemas.shape import Shape
from pipelines.runs.headline import Headline


class Point(Shape):
    """Point of a curve; ``time`` is seconds since the epoch."""

    step: int
    value: float | None
    time: float


class Curves(Shape):
    """Curves of a run: by node, then metric, points by step.

    In an event stream they may include points of later events; a point replaces the one with the
    same step.
    """

    run_id: str
    metrics: dict[str, dict[str, list[Point]]]


class Snapshot(Shape):
    """First message of an event stream: the state of the run after ``last_event_id``."""

    run_id: str
    document_id: str
    pipeline_id: str | None
    last_event_id: int
    state: RunStateShape


class HeadlineReport(Shape):
    """Primary metric so far, as a message of an event stream."""

    headline: Headline | None


class RunnerReport(Shape):
    """State of the runner, as a message of an event stream."""

    problem: str | None = Field(description="Error message and fix; null: the runner works again.")


class EventBatch(Shape):
    """Content of the other messages, as a JSON array: events in order."""

    events: list[EventShape]
