"""Firing of schedules: each planned time at most once, also by several processes and after kills.

A planned time becomes a row, which is unique, before its run is submitted; the submission has the
row's key, so that a row left by a killed process is submitted once, too.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Sequence

from modules.sentences.sentence import Statement
from pipelines.automation.settings import ScheduleSettings, ScheduleState
from pipelines.automation.times import due_times
from pipelines.automation.watched_source import snapshot_of
from pipelines.document.document import parse_document
from pipelines.document.parameter_values import with_parameter_values
from pipelines.errors import DatabaseAwayError, DesignerError, RefusedError
from pipelines.problems import PipelineError
from pipelines.runs.published_runs import PublishedRuns
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.runs.single_submission import SingleSubmission
from pipelines.sentences import calling, scheduling
from pipelines.store.database.schedules import Firing, FiringReason, ScheduleRow, ScheduleStore

logger = logging.getLogger(__name__)

LATE_SECONDS = 60.0
"""Delay from which a planned time counts as missed."""
OLDEST_SECONDS = 24 * 3600.0
"""Age from which a missed time is not made up for."""
MOST_MADE_UP = 10
ENDED = ("completed", "failed", "cancelled")


class Scheduler:
    """Schedules of one workspace; ``tick`` is called about once a second."""

    def __init__(self, runs: RunService, clock: Callable[[], float] = time.time) -> None:
        self._runs = runs
        self._store = ScheduleStore(runs.database)
        self._published = PublishedRuns(runs)
        self._clock = clock

    def tick(self) -> None:
        """Fire what is due. A schedule that fails in an unexpected way does not stop others."""
        for row in self._store.all():
            try:
                self._tick(row)
            except DatabaseAwayError:
                raise  # the process waits for the database
            except Exception:  # one schedule must not stop the others
                logger.exception("Schedule %s could not be processed", row.name)

    def _tick(self, row: ScheduleRow) -> None:
        settings, state = ScheduleSettings(**row.settings), ScheduleState(**row.state)
        before = state
        state = self._with_results(row.name, settings, state)
        if row.paused is None and state.failures < settings.most_failures:
            if settings.watched is not None:
                state = self._watched(row.name, settings, state)
            else:
                state = self._timed(row, settings, state)
        if state != before:
            self._store.set_state(row.name, state.model_dump())
        if row.paused is None:
            self._submit_planned(row.name, settings)

    # what is due

    def _timed(
        self, row: ScheduleRow, settings: ScheduleSettings, state: ScheduleState
    ) -> ScheduleState:
        now = self._clock()
        if state.handled > now:
            # the clock was ahead and was set right: rows are unique, so that no time fires again
            return state.model_copy(update={"handled": now})
        due = [
            planned
            for planned in due_times(settings, row.created, state.handled, now)
            if planned + _delay(row.name, planned, settings) <= now
        ]
        if not due:
            return state
        chosen = _chosen(due, now, settings)
        missed = _firing_reason(scheduling.MISSED_FIRING.about({}))
        for planned in due:
            if planned in chosen:
                self._store.plan(row.name, planned)
            elif planned == due[-1]:  # one row says that times were missed
                self._store.plan(row.name, planned, "missed", missed)
        return state.model_copy(update={"handled": float(due[-1])})

    def _watched(
        self, name: str, settings: ScheduleSettings, state: ScheduleState
    ) -> ScheduleState:
        """Fire once a changed source is the same at two looks."""
        now = self._clock()
        assert settings.every_minutes is not None
        assert settings.watched is not None
        is_over = settings.until is not None and now > settings.until
        # a clock that was set back must not stop the looks
        if is_over or 0 <= now - state.looked < settings.every_minutes * 60:
            return state
        try:
            snapshot = snapshot_of(settings.watched, self._runs.workspace.datasets_dir)
        except DesignerError as error:
            logger.warning("%s", error)
            return state.model_copy(update={"looked": now, "seen_snapshot": None})
        changes = {"looked": now, "seen_snapshot": snapshot}
        if snapshot == state.seen_snapshot and snapshot != state.fired_snapshot:
            self._store.plan(name, int(now))
            changes["fired_snapshot"] = snapshot
        return state.model_copy(update=changes)

    # submission

    def _submit_planned(self, name: str, settings: ScheduleSettings) -> None:
        """Submit the planned firings, oldest first, as far as the policy for overlaps allows."""
        for firing in reversed(self._store.firings(name, 1000, "planned")):
            running = [
                run_id
                for run_id, status in self._store.run_statuses(name).items()
                if status not in ENDED
            ]
            if running and settings.overlap == "queue":
                return
            if running and settings.overlap == "skip":
                reason = _firing_reason(scheduling.OVERLAPPED.about({}))
                self._store.set_firing(firing, "skipped", reason=reason)
                continue
            for run_id in running:
                self._runs.cancel(run_id)
            self._submit(firing, settings)

    def _submit(self, firing: Firing, settings: ScheduleSettings) -> None:
        source, key = f"schedule:{firing.schedule}", str(firing.planned)
        try:
            document = self._published.document(settings.published, settings.version)
            request = RunRequest(
                with_parameter_values(parse_document(document.to_json()), settings.parameters),
                experiment=settings.published,
                description=f"Schedule {firing.schedule}",
            )
            submitted = SingleSubmission(self._runs, source).submit(key, request, {})
        except (DesignerError, PipelineError) as error:
            if isinstance(error, RefusedError) and error.reason == calling.CALL_UNDER_WAY.key:
                return  # another process is submitting it
            why = scheduling.NOT_SUBMITTED.about({"why": str(error)[:1000]})
            logger.warning("Schedule %s: %s", firing.schedule, why)
            self._store.set_firing(firing, "failed", reason=_firing_reason(why))
        else:
            self._store.set_firing(firing, "submitted", run_id=submitted.run_id)

    # results

    def _with_results(
        self, name: str, settings: ScheduleSettings, state: ScheduleState
    ) -> ScheduleState:
        """Count failures in a row, and pause a schedule with too many."""
        statuses = self._store.run_statuses(name)
        failures = state.failures
        for firing in reversed(self._store.firings(name, 1000, "submitted")):
            status = statuses.get(firing.run_id or "")
            if status is None or status in ENDED:
                failures = failures + 1 if status == "failed" else 0
                self._store.set_firing(firing, "ended")
        for firing in reversed(self._store.firings(name, 1000, "failed")):
            if firing.reason is not None and firing.reason.get("counted"):
                continue
            failures += 1
            self._store.set_firing(
                firing, "failed", reason={**(firing.reason or {}), "counted": True}
            )
        if failures >= settings.most_failures > state.failures:
            said = scheduling.PAUSED_BY_FAILURES.about({"count": failures})
            self._store.pause(name, str(said))
        return state.model_copy(update={"failures": failures})


def _chosen(due: Sequence[int], now: float, settings: ScheduleSettings) -> set[int]:
    """Return the planned times to fire: the one that is due now, and missed ones by the policy."""
    prompt = {planned for planned in due if now - planned <= LATE_SECONDS + settings.jitter_seconds}
    if prompt:
        prompt = {max(prompt)}
    recent = [planned for planned in due if now - planned <= OLDEST_SECONDS]
    if settings.missed == "all":
        return {*recent[-MOST_MADE_UP:], *prompt}
    if settings.missed == "once" and not prompt:
        return set(recent[-1:])
    return prompt


def _delay(name: str, planned: int, settings: ScheduleSettings) -> int:
    """Return the delay of a planned time, which is the same in every process."""
    if not settings.jitter_seconds:
        return 0
    digest = hashlib.sha256(f"{name} {planned}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % (settings.jitter_seconds + 1)


def _firing_reason(said: Statement) -> FiringReason:
    data = said.to_json()
    return {"message": str(said), "reason": data["reason"], "facts": data["facts"]}
