"""Schedules of a workspace: add, list, pause, resume, remove."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.automation.settings import ScheduleSettings, ScheduleState
from pipelines.automation.times import check_cron, next_times, zone_of
from pipelines.automation.watched_source import snapshot_of
from pipelines.document.document import parse_document
from pipelines.document.parameter_values import with_parameter_values
from pipelines.errors import InUseError, NotFoundError, RefusedError
from pipelines.problems import PipelineError, errors_in
from pipelines.runs.published_runs import PublishedRuns
from pipelines.runs.run_service import RunService
from pipelines.sentences import scheduling
from pipelines.store.database.schedules import Firing, ScheduleRow, ScheduleStore

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class Schedule:
    """A schedule with its next planned times and newest firings."""

    name: str
    settings: ScheduleSettings
    state: ScheduleState
    paused: str | None
    created: float
    next_times: list[int] = field(default_factory=list)
    firings: list[Firing] = field(default_factory=list)


class Schedules:
    """Schedules of a workspace. Unknown ones raise ``NotFoundError``."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self.store = ScheduleStore(runs.database)

    def all(self) -> list[Schedule]:
        """Return the schedules by name."""
        return [self._schedule(row) for row in self.store.all()]

    def find(self, name: str) -> Schedule:
        row = self.store.get(name)
        if row is None:
            raise NotFoundError(scheduling.NO_SCHEDULE, name=name[:100])
        return self._schedule(row)

    def add(self, name: str, settings: ScheduleSettings) -> Schedule:
        """Add a schedule and make sure that a runner fires it.

        Raises ``RefusedError`` for an invalid name, time, zone or source, ``NotFoundError`` for an
        unknown published pipeline, ``PipelineError`` for values that it does not accept.
        """
        if NAME.fullmatch(name) is None:
            raise RefusedError(scheduling.NO_SCHEDULE_NAME, text=name[:80])
        zone_of(settings.zone)
        if settings.cron is not None:
            check_cron(settings.cron, settings.zone)
        self._check_values(settings)
        now = time.time()
        snapshot = None
        if settings.watched is not None:
            snapshot = snapshot_of(settings.watched, self._runs.workspace.datasets_dir)
        state = ScheduleState(handled=now, fired_snapshot=snapshot, seen_snapshot=snapshot)
        if not self.store.add(name, settings.model_dump(mode="json"), state.model_dump()):
            raise RefusedError(scheduling.SCHEDULE_TAKEN, name=name)
        self._runs.runner.ensure()
        return self.find(name)

    def _check_values(self, settings: ScheduleSettings) -> None:
        document = PublishedRuns(self._runs).document(settings.published, settings.version)
        document = with_parameter_values(document, settings.parameters)
        problems = errors_in(self._runs.checks.problems(parse_document(document.to_json())))
        if problems:
            raise PipelineError(problems)

    def pause(self, name: str) -> Schedule:
        """Pause a schedule."""
        self.find(name)
        self.store.pause(name, str(scheduling.PAUSED_BY_USER.about({})))
        return self.find(name)

    def resume(self, name: str) -> Schedule:
        """Resume a schedule: times that have passed meanwhile are not made up for."""
        state = self.find(name).state
        fresh = state.model_copy(update={"handled": time.time(), "failures": 0})
        self.store.set_state(name, fresh.model_dump())
        self.store.pause(name, None)
        self._runs.runner.ensure()
        return self.find(name)

    def remove(self, name: str) -> None:
        """Remove a schedule with its firings; its runs stay."""
        self.find(name)
        self.store.delete(name)

    def require_unused(self, published: str, version: int | None) -> None:
        """Raise ``InUseError`` if schedules need a published pipeline or that version."""
        users = [
            row.name
            for row in self.store.all()
            if row.settings["published"] == published
            and version in (None, row.settings.get("version"))
        ]
        if users:
            raise InUseError(scheduling.PUBLISHED_SCHEDULED, published, users)

    def _schedule(self, row: ScheduleRow) -> Schedule:
        settings = ScheduleSettings(**row.settings)
        upcoming = [] if row.paused else next_times(settings, row.created, time.time())
        return Schedule(
            row.name,
            settings,
            ScheduleState(**row.state),
            row.paused,
            row.created,
            upcoming,
            self.store.firings(row.name),
        )


def to_json(schedule: Schedule) -> Mapping[str, Any]:
    """Return a schedule as commands and the HTTP API return it."""
    return {
        "name": schedule.name,
        **schedule.settings.model_dump(mode="json"),
        "paused": schedule.paused,
        "failures": schedule.state.failures,
        "created": schedule.created,
        "next_times": schedule.next_times,
        "firings": [
            {
                "planned": firing.planned,
                "status": firing.status,
                "run_id": firing.run_id,
                "reason": firing.why,
            }
            for firing in schedule.firings
        ],
    }
