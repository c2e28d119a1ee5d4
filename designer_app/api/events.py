"""Live events of a run: a stream of server-sent events, read from the store alone.

First ``snapshot`` (the state of the run) and ``curves`` (the values logged so far; sent separately
because large runs take longer), then ``events`` (JSON arrays of later events), at most twenty
messages a second. Messages after the snapshot have the id of their last event. A stream resumed
with ``Last-Event-ID`` or ``?after=`` starts with the missed events. ``headline``, without an id,
reports the run's primary metric whenever it changes. ``runner``, without an id, reports that the
runner is frozen, and later that it works again. A heartbeat comment every ten seconds keeps the
connection open; the stream ends after ``RunFinished`` and when the server shuts down.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.responses import to_bytes
from modules.json_model import JsonModel
from pipelines.errors import DatabaseError, RunNotFoundError, WorkspaceGoneError
from pipelines.events import Event, RunState
from pipelines.execution.heartbeat import runner_problem
from pipelines.runs.curves import RunCurves, thinned_metrics
from pipelines.runs.headline import Headline
from pipelines.runs.results import headline_in

MESSAGE_SECONDS = 0.05
HEARTBEAT_SECONDS = 10.0
RUNNER_SECONDS = 2.0
"""Interval at which an idle stream checks whether the runner is frozen."""
MAX_MISSED = 5_000
"""Limit of missed events; beyond it a new snapshot is sent, because it is shorter."""
HEADLINE_SECONDS = 1.0
"""Minimum time between two computations of the primary metric of a running run."""
HEADLINE_EVENTS = frozenset({"MetricLogged", "StepReused", "RunQueued"})
SPARK_POINTS = 400
"""Limit of points per curve in the stream; clients that need more request the metrics."""
SPARK_POINTS_IN_ALL = 20_000


class Snapshot(JsonModel):
    """First message of an event stream: the state of the run after ``last_event_id``."""

    run_id: str
    document_id: str
    pipeline_id: str | None
    last_event_id: int
    state: RunState


class HeadlineReport(JsonModel):
    """Primary metric so far, as a message of an event stream."""

    headline: Headline | None


class RunnerReport(JsonModel):
    """State of the runner, as a message of an event stream."""

    problem: str | None = Field(description="Error message and fix; null: the runner works again.")


class EventBatch(JsonModel):
    """Content of the other messages, as a JSON array: events in order."""

    events: list[Event]


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/events",
    media_type="text/event-stream",
    query={"after": "Continue after the event with this id."},
    headers={"Last-Event-ID": "The same, as sent by browsers."},
    errors=(404,),
)
async def _stream(application: Application, call: Call, _request: Request) -> Response:
    """Follow a run: events `snapshot` (Snapshot) and `curves` (RunCurves), then `events`
    (EventBatch's array); `headline` (HeadlineReport) when that is another; `runner`
    (RunnerReport) where a frozen runner keeps the run waiting, and once it works again.
    """
    await run_in_threadpool(found_run, application, call)
    after = _resume_point(call)
    return StreamingResponse(
        _until_gone(messages(application, call.path["run_id"], after)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"},
    )


async def _until_gone(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """End the stream when the workspace or database is gone; reconnecting reports the error."""
    try:
        async for part in stream:
            yield part
    except (WorkspaceGoneError, DatabaseError):
        return


def _resume_point(call: Call) -> int | None:
    text = call.headers.get("last-event-id", "")
    if text.isdecimal() and len(text) < 16:
        return int(text)
    return call.number("after", 0) if "after" in call.query else None


async def messages(
    application: Application, run_id: str, after: int | None
) -> AsyncIterator[bytes]:
    """Yield the bytes of the stream."""
    with application.changes.watching():
        seen = application.changes.value
        last, first = await run_in_threadpool(_beginning, application, run_id, after)
        if first is not None:
            # without an id: a client disconnected before the curves starts over with a snapshot
            yield message("snapshot", None, first)
            curves = await run_in_threadpool(_curves, application, run_id)
            yield message("curves", last, curves)
        silence, headline = _Silence(application), _HeadlineNews(application, run_id)
        if first is not None and (news := await run_in_threadpool(headline.now)):
            yield news
        while not application.changes.is_stopped:
            # events if there are any, otherwise the end of the run, otherwise wait for the next
            # commit
            batch = await run_in_threadpool(
                application.session.runs.store.events_after, run_id, last
            )
            if batch:
                last = batch[-1].id or last
                silence.broken()
                headline.hear(batch)
                # before the events: clients that receive the end already know the result of the run
                if headline.is_due() and (news := await run_in_threadpool(headline.now)):
                    yield news
                yield message("events", last, batch)
            elif headline.is_due():
                if news := await run_in_threadpool(headline.now):
                    yield news
            elif await run_in_threadpool(_has_ended, application, run_id, last):
                return
            else:
                async for part in silence.lasting(seen, headline.is_due):
                    yield part
            # before the next read of the store: no event is missed
            seen = application.changes.value
            await asyncio.sleep(MESSAGE_SECONDS)


class _HeadlineNews:
    """Primary metric of a run, sent when it changes; computing it takes a few milliseconds."""

    def __init__(self, application: Application, run_id: str) -> None:
        self._application = application
        self._run_id = run_id
        self._told: Headline | None = None
        self._asked = 0.0
        self._may_differ = self._has_ended = False

    def hear(self, batch: Sequence[Event]) -> None:
        """Record whether these events may have changed the metric."""
        kinds = {event.kind for event in batch}
        self._has_ended |= "RunFinished" in kinds
        self._may_differ |= self._has_ended or not kinds.isdisjoint(HEADLINE_EVENTS)

    def is_due(self) -> bool:
        """Return True if it may have changed and was not computed in the last second.

        At the end of the run there is no delay.
        """
        is_time = time.monotonic() - self._asked > HEADLINE_SECONDS
        return self._may_differ and (is_time or self._has_ended)

    def now(self) -> bytes | None:
        """Return the message; None if the metric is unchanged."""
        self._asked = time.monotonic()
        self._may_differ = self._has_ended = False
        try:
            headline = headline_in(self._application.session.history.row(self._run_id))
        except RunNotFoundError:  # deleted in the meantime
            return None
        if headline == self._told:
            return None
        self._told = headline
        return message("headline", None, HeadlineReport(headline=headline))


class _Silence:
    """Messages of an idle stream: heartbeats and reports about the runner."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._spoke = self._asked = time.monotonic()
        self._problem: str | None = None

    def broken(self) -> None:
        """Record that another message was sent."""
        self._spoke = time.monotonic()

    async def lasting(self, seen: int, is_over: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Yield heartbeats and runner reports until the first commit after ``seen``."""
        changes = self._application.changes
        while changes.value == seen and not changes.is_stopped and not is_over():
            await asyncio.sleep(MESSAGE_SECONDS / 2)
            report = await self._runner_report()
            if report is not None:
                self.broken()
                yield report
            elif time.monotonic() - self._spoke > HEARTBEAT_SECONDS:
                self.broken()
                yield b": still here\n\n"

    async def _runner_report(self) -> bytes | None:
        """Return a report if the state of the runner has changed."""
        if time.monotonic() - self._asked < RUNNER_SECONDS:
            return None
        self._asked = time.monotonic()
        problem = await run_in_threadpool(runner_problem, self._application.settings.workspace)
        if problem == self._problem:
            return None
        self._problem = problem
        return message("runner", None, RunnerReport(problem=problem))


def _beginning(
    application: Application, run_id: str, after: int | None
) -> tuple[int, Snapshot | None]:
    """Return the event id to resume from and, if needed, the snapshot to start with."""
    state, last = application.session.runs.store.snapshot(run_id)
    if after is not None and after <= last:
        missed = application.session.runs.store.events_after(run_id, after, limit=MAX_MISSED + 1)
        if len(missed) <= MAX_MISSED:
            return after, None
    record = application.session.runs.store.record(run_id)
    return last, Snapshot(
        run_id=run_id,
        document_id=record.document["id"] if record else "",
        pipeline_id=record.options.pipeline_id if record else None,
        last_event_id=last,
        state=state,
    )


def _curves(application: Application, run_id: str) -> RunCurves:
    curves = thinned_metrics(
        application.session.runs.store, run_id, most=SPARK_POINTS, most_in_all=SPARK_POINTS_IN_ALL
    )
    return RunCurves(run_id=run_id, metrics=curves)


def _has_ended(application: Application, run_id: str, last: int) -> bool:
    """Return True if the run is over and no event follows the last one sent."""
    if application.session.runs.store.record(run_id) is None:
        return True
    state, newest = application.session.runs.store.snapshot(run_id)
    return state.is_finished and newest <= last


def message(kind: str, event_id: int | None, content: object) -> bytes:
    """Return one server-sent event; JSON has no line breaks, so its data is one line."""
    name = b"" if event_id is None else b"id: %d\n" % event_id
    return b"event: %s\n%sdata: %s\n\n" % (kind.encode(), name, to_bytes(content))


ENDPOINTS = (_stream,)
