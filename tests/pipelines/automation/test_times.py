"""Planned times: both changes of the clocks, weekdays, never, intervals, long pauses."""

from __future__ import annotations

from datetime import datetime
from itertools import islice, pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pipelines.automation.settings import ScheduleSettings
from pipelines.automation.times import check_cron, due_times, next_times, times_after, zone_of
from pipelines.errors import RefusedError

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold).timestamp()


def cron(expression: str, **facts: Any) -> ScheduleSettings:
    return ScheduleSettings(published="p", cron=expression, zone="Europe/Berlin", **facts)


def local(times: list[int]) -> list[str]:
    return [datetime.fromtimestamp(time, BERLIN).strftime("%Y-%m-%d %H:%M %z") for time in times]


@pytest.mark.parametrize(
    ("expression", "start", "expected"),
    [
        # 2027-03-28: 2:00 becomes 3:00
        (
            "30 2 * * *",
            "2027-03-27 12:00",
            ["2027-03-28 03:00 +0200", "2027-03-29 02:30 +0200"],
        ),
        # 2027-10-31: 3:00 becomes 2:00
        (
            "30 2 * * *",
            "2027-10-30 12:00",
            ["2027-10-31 02:30 +0200", "2027-11-01 02:30 +0100"],
        ),
        ("0 8 * * 0", "2027-01-01 00:00", ["2027-01-03 08:00 +0100", "2027-01-10 08:00 +0100"]),
        ("0 8 * * 7", "2027-01-01 00:00", ["2027-01-03 08:00 +0100", "2027-01-10 08:00 +0100"]),
        ("0 8 1 * 1", "2027-01-01 09:00", ["2027-01-04 08:00 +0100", "2027-01-11 08:00 +0100"]),
        ("0 0 29 2 *", "2027-01-01 00:00", ["2028-02-29 00:00 +0100", "2032-02-29 00:00 +0100"]),
    ],
)
def test_cron_in_a_time_zone(expression: str, start: str, expected: list[str]) -> None:
    assert local(next_times(cron(expression), 0, at(start), 2)) == expected


def test_half_hours_go_on_through_both_changes_of_the_clocks() -> None:
    for start in ("2027-03-28 00:00", "2027-10-31 00:00"):
        times = next_times(cron("*/30 * * * *"), 0, at(start), 12)
        assert [later - sooner for sooner, later in pairwise(times)] == [1800] * 11


def test_in_the_repeated_hour_nothing_is_planned_again() -> None:
    """At 2:10 for the second time, 2:30 has passed."""
    after = at("2027-10-31 02:10", fold=1)
    [following] = next_times(cron("30 2 * * *"), 0, after, 1)
    assert local([following]) == ["2027-11-01 02:30 +0100"]


@pytest.mark.parametrize(
    "expression",
    ["", "* * * *", "* * * * * *", "61 * * * *", "0 0 30 2 *", "x * * * *", "@daily", "* " * 99],
)
def test_expressions_that_are_refused(expression: str) -> None:
    with pytest.raises(RefusedError):
        check_cron(expression, "UTC")


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime"])
def test_zones_that_are_refused(zone: str) -> None:
    with pytest.raises(RefusedError):
        zone_of(zone)


def test_intervals_count_from_the_creation() -> None:
    settings = ScheduleSettings(published="p", every_minutes=10)
    assert list(islice(times_after(settings, 1000, 1000), 3)) == [1600, 2200, 2800]
    assert list(islice(times_after(settings, 1000, 1600), 1)) == [2200]
    assert list(islice(times_after(settings, 1000, 1601), 1)) == [2200]
    assert due_times(settings, 1000, 1000, 2200) == [1600, 2200]


def test_nothing_is_planned_after_the_last_time() -> None:
    settings = ScheduleSettings(published="p", every_minutes=10, until=2300)
    assert list(times_after(settings, 1000, 1000)) == [1600, 2200]


def test_a_pause_of_years_is_looked_through_for_its_last_day() -> None:
    now = at("2030-01-01 00:00")
    due = due_times(cron("* * * * *"), 0, at("2027-01-01 00:00"), now)
    assert len(due) == 25 * 60
    assert due[-1] == now
    weekly = due_times(cron("0 8 * * 1"), 0, at("2029-12-01 00:00"), now)
    assert local(weekly)[-1] == "2029-12-31 08:00 +0100"


@pytest.mark.parametrize(
    "facts",
    [{}, {"cron": "* * * * *", "every_minutes": 5}, {"watched": "dataset:x"}, {"every_minutes": 0}],
)
def test_settings_with_no_or_two_triggers(facts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"every_minutes|cron"):
        ScheduleSettings(published="p", **facts)
