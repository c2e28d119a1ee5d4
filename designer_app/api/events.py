"""A run as it goes on: a stream of server-sent events, read from the store alone.

First ``snapshot`` (how the run stands) and ``curves`` (what it logged so far: of a large run this
takes longer, and is not waited for), then ``events`` (JSON arrays of what came after), at most
twenty messages a second. Those after the snapshot have the id of their last event. A stream that
is taken up again with ``Last-Event-ID`` or ``?after=`` begins with the events that were missed.
``headline``, without an id, says by which number the run is judged, whenever that is another.
``runner``, without an id, says that the runner is frozen, and later that it works again. A comment
every ten seconds keeps it open; it ends after ``RunFinished`` and when the server does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from designer_app.api.endpoint import Call, Endpoint
from designer_app.api.responses import to_bytes
from designer_app.api.runs import found_run, wire_curves
from designer_app.application import Application
from pipelines.errors import DatabaseError, RunNotFoundError, WorkspaceGoneError
from pipelines.events import Event
from pipelines.execution.heartbeat import runner_problem
from pipelines.runs.curves import thinned_metrics
from pipelines.runs.headline import Headline
from pipelines.runs.results import headline_in

MESSAGE_SECONDS = 0.05
HEARTBEAT_SECONDS = 10.0
RUNNER_SECONDS = 2.0
"""How often a silent stream asks whether the runner is frozen."""
MAX_MISSED = 5_000
"""Who missed more events than this gets a snapshot again: it is shorter."""
HEADLINE_SECONDS = 1.0
"""No sooner after the last look is it worked out again what a run under way has come to."""
HEADLINE_EVENTS = frozenset({"MetricLogged", "StepReused", "RunQueued"})
SPARK_POINTS = 400
"""Of a curve in the stream; who wants more asks for the metrics."""
SPARK_POINTS_IN_ALL = 20_000
FEW_STEPS = 100
CURVES_SECONDS = 0.5
"""Of a run of many nodes the page is drawn first: their curves take as long to work out."""


async def _stream(application: Application, call: Call, _request: Request) -> Response:
    await run_in_threadpool(found_run, application, call)
    after = _resume_point(call)
    return StreamingResponse(
        _until_gone(messages(application, call.path["run_id"], after)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"},
    )


async def _until_gone(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The stream, which ends where workspace or database are: whoever asks again is told."""
    try:
        async for each in stream:
            yield each
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
    """The stream's bytes."""
    with application.changes.watching():
        seen = application.changes.value
        last, first = await run_in_threadpool(_beginning, application, run_id, after)
        if first is not None:
            # without an id: who is cut off before the curves begins anew
            yield message("snapshot", None, first)
            curves = await run_in_threadpool(_curves, application, run_id)
            yield message("curves", last, curves)
        silence, headline = _Silence(application), _HeadlineNews(application, run_id)
        if first is not None and (news := await run_in_threadpool(headline.now)):
            yield news
        while not application.changes.is_stopped:
            # events that came, else the end of the run, else wait for the next commit
            batch = await run_in_threadpool(
                application.session.runs.store.events_after, run_id, last
            )
            if batch:
                last = batch[-1].id or last
                silence.broken()
                headline.hear(batch)
                # before the events: who hears of the end knows by then what came of the run
                if headline.is_due() and (news := await run_in_threadpool(headline.now)):
                    yield news
                yield message("events", last, [vars(event) for event in batch])
            elif headline.is_due():
                if news := await run_in_threadpool(headline.now):
                    yield news
            elif await run_in_threadpool(_has_ended, application, run_id, last):
                return
            else:
                async for each in silence.lasting(seen, headline.is_due):
                    yield each
            seen = application.changes.value  # before the store is read again: nothing is missed
            await asyncio.sleep(MESSAGE_SECONDS)


class _HeadlineNews:
    """The number a run is judged by, told when it is another; working it out costs a few ms."""

    def __init__(self, application: Application, run_id: str) -> None:
        self._application = application
        self._run_id = run_id
        self._told: Headline | None = None
        self._asked = 0.0
        self._may_differ = self._has_ended = False

    def hear(self, batch: Sequence[Event]) -> None:
        """Take note whether these events can have changed it."""
        kinds = {event.kind for event in batch}
        self._has_ended |= "RunFinished" in kinds
        self._may_differ |= self._has_ended or not kinds.isdisjoint(HEADLINE_EVENTS)

    def is_due(self) -> bool:
        """True where it can have changed; at the end at once, else a second after the last look."""
        is_time = time.monotonic() - self._asked > HEADLINE_SECONDS
        return self._may_differ and (is_time or self._has_ended)

    def now(self) -> bytes | None:
        """The message; None where it is what was told last."""
        self._asked = time.monotonic()
        self._may_differ = self._has_ended = False
        try:
            headline = headline_in(self._application.session.history.row(self._run_id))
        except RunNotFoundError:  # deleted just now
            return None
        if headline == self._told:
            return None
        self._told = headline
        content = None if headline is None else headline.model_dump()
        return message("headline", None, {"headline": content})


class _Silence:
    """What a stream says while nothing is written to the store."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._spoke = self._asked = time.monotonic()
        self._problem: str | None = None

    def broken(self) -> None:
        """Something else was sent."""
        self._spoke = time.monotonic()

    async def lasting(self, seen: int, is_over: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Until a commit after ``seen``: a comment now and then, and how the runner is."""
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
        """What has changed about the runner since it was last said."""
        if time.monotonic() - self._asked < RUNNER_SECONDS:
            return None
        self._asked = time.monotonic()
        problem = await run_in_threadpool(runner_problem, self._application.settings.workspace)
        if problem == self._problem:
            return None
        self._problem = problem
        return message("runner", None, {"problem": problem})


def _beginning(
    application: Application, run_id: str, after: int | None
) -> tuple[int, dict[str, Any] | None]:
    """The event to go on after, and the snapshot to begin with where one is needed."""
    state, last = application.session.runs.store.snapshot(run_id)
    if after is not None and after <= last:
        missed = application.session.runs.store.events_after(run_id, after, limit=MAX_MISSED + 1)
        if len(missed) <= MAX_MISSED:
            return after, None
    record = application.session.runs.store.record(run_id)
    return last, {
        "run_id": run_id,
        "document_id": record.document["id"] if record else "",
        "pipeline_id": record.options.pipeline_id if record else None,
        "last_event_id": last,
        "state": state.to_json(),
    }


def _curves(application: Application, run_id: str) -> dict[str, Any]:
    curves = thinned_metrics(
        application.session.runs.store, run_id, most=SPARK_POINTS, most_in_all=SPARK_POINTS_IN_ALL
    )
    return {"run_id": run_id, "metrics": wire_curves(curves)}


def _has_ended(application: Application, run_id: str, last: int) -> bool:
    """True when the run is over and nothing came after the last event that was sent."""
    if application.session.runs.store.record(run_id) is None:
        return True
    state, newest = application.session.runs.store.snapshot(run_id)
    return state.is_finished and newest <= last


def message(kind: str, event_id: int | None, content: dict[str, Any] | list[Any]) -> bytes:
    """One server-sent event; JSON has no line breaks, so its data is one line."""
    name = b"" if event_id is None else b"id: %d\n" % event_id
    return b"event: %s\n%sdata: %s\n\n" % (kind.encode(), name, to_bytes(content))


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/runs/{run_id}/events",
        "Follow a run: events `snapshot` (Snapshot) and `curves` (Curves), then `events` "
        "(EventBatch's array); `headline` (HeadlineReport) when that is another; `runner` "
        "(RunnerReport) where a frozen runner keeps the run waiting, and once it works again.",
        _stream,
        media_type="text/event-stream",
        query={"after": "Continue after the event with this id."},
        headers={"Last-Event-ID": "The same, as sent by browsers."},
        errors=(404,),
    ),
)
