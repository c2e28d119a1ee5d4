"""Planned times of schedules: cron in a time zone, or every few minutes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pipelines.automation.settings import ScheduleSettings
from pipelines.errors import RefusedError
from pipelines.sentences import scheduling

MOST_DUE = 1000
"""Planned times after a long pause from which only those of the last day are looked through."""
LOOKED_BACK_SECONDS = 25 * 3600.0
ZONE_FILES = "zoneinfo/"


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its IANA name; raises ``RefusedError``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RefusedError(scheduling.NO_ZONE, zone=name[:100]) from None


def local_zone() -> str:
    """Return the IANA name of this machine's time zone; UTC if it is unknown."""
    name = os.environ.get("TZ", "").removeprefix(":")
    if not name:
        try:
            name = str(Path("/etc/localtime").resolve()).rpartition(ZONE_FILES)[2]
        except OSError:
            return "UTC"
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
    return name


def check_cron(expression: str, zone: str) -> None:
    """Raise ``RefusedError`` for an expression that is invalid or never due."""
    from cronsim import CronSimError

    try:
        # with six fields, the first one would be seconds
        five = expression if len(expression.split()) == 5 else ""
        next(_cron_times(five, zone, datetime.now(UTC).timestamp()))
    except (CronSimError, StopIteration) as error:
        why = str(error) or "it is never due"
        raise RefusedError(scheduling.NO_CRON, expression=expression[:100], why=why) from None


def _cron_times(expression: str, zone: str, after: float) -> Iterator[int]:
    from cronsim import CronSim

    start = datetime.fromtimestamp(after, zone_of(zone))
    for moment in CronSim(expression, start):
        yield int(moment.timestamp())


def times_after(settings: ScheduleSettings, started: float, after: float) -> Iterator[int]:
    """Yield the planned times after a time, in seconds since the epoch; none for data triggers.

    Args:
        settings: Settings of the schedule.
        started: Creation time of the schedule, from which intervals count.
        after: Time in seconds since the epoch.
    """
    if settings.cron is not None:
        times: Iterator[int] = _cron_times(settings.cron, settings.zone, after)
    elif settings.every_minutes is not None and settings.watched is None:
        times = _interval_times(round(settings.every_minutes * 60), int(started), after)
    else:
        return
    for planned in times:
        if settings.until is not None and planned > settings.until:
            return
        if planned > after:  # in the hour that is repeated in autumn, the first one has passed
            yield planned


def _interval_times(seconds: int, started: int, after: float) -> Iterator[int]:
    planned = started + seconds * max(1, int((after - started) // seconds) + 1)
    while True:
        yield planned
        planned += seconds


def next_times(
    settings: ScheduleSettings, started: float, after: float, count: int = 5
) -> list[int]:
    """Return the next planned times."""
    return list(islice(times_after(settings, started, after), count))


def due_times(settings: ScheduleSettings, started: float, after: float, now: float) -> list[int]:
    """Return the planned times after a time until now; of very many only those of the last day."""
    due = list(islice(_until(now, times_after(settings, started, after)), MOST_DUE + 1))
    if len(due) > MOST_DUE:
        after = max(after, now - LOOKED_BACK_SECONDS)
        due = list(_until(now, times_after(settings, started, after)))
    return due


def _until(now: float, times: Iterator[int]) -> Iterator[int]:
    return takewhile(lambda planned: planned <= now, times)
