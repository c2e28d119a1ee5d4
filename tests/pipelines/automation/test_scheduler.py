"""Schedules: fired once each, missed, overlapping and failing firings by their policies."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines.automation.scheduler import Scheduler
from pipelines.automation.schedules import Schedules
from pipelines.automation.settings import ScheduleSettings
from pipelines.errors import DatabaseAwayError, InUseError, NotFoundError, RefusedError
from pipelines.events import Event
from pipelines.problems import PipelineError
from pipelines.registry.published import PublishedPipelines
from pipelines.runs.run_service import RunService
from pipelines.runs.single_submission import SingleSubmission
from pipelines.store.database import schedules as rows
from pipelines.store.database.schedules import ScheduleStore
from tests.workspaces import opened

MINUTE, HOUR, DAY = 60.0, 3600.0, 24 * 3600.0


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = time.time() + 1  # no schedule is younger, in whole seconds

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tick(quiet: RunService, clock: Clock) -> Callable[[float], None]:
    scheduler = Scheduler(quiet, clock)

    def wait(seconds: float) -> None:
        clock.now += seconds
        scheduler.tick()

    return wait


def add(runs: RunService, **facts: Any) -> Schedules:
    schedules = Schedules(runs)
    schedules.add("s", ScheduleSettings(published="nightly", **{"every_minutes": 60, **facts}))
    return schedules


def statuses(runs: RunService) -> list[str]:
    """What became of the firings, oldest first."""
    return [firing.status for firing in reversed(ScheduleStore(runs.database).firings("s", 100))]


def end(runs: RunService, status: str = "completed") -> None:
    """End the runs that wait."""
    for run_id in runs.store.unfinished():
        runs.store.append_to(run_id, [Event("RunFinished", data={"status": status})])


def test_a_firing_submits_the_values_of_the_schedule_once(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet, parameters={"value": 7})
    tick(30 * MINUTE)
    assert statuses(quiet) == []
    tick(31 * MINUTE)
    tick(1)
    tick(1)
    [record] = quiet.store.newest()
    assert record.document["parameters"][0]["default"] == 7
    assert record.options.submission is not None
    assert statuses(quiet) == ["submitted"]
    end(quiet)
    tick(1)
    assert statuses(quiet) == ["ended"]


@pytest.mark.parametrize("is_away", [True, False])
def test_a_schedule_that_fails_stops_no_other_unless_the_database_is_away(
    quiet: RunService,
    tick: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    is_away: bool,
) -> None:
    schedules = add(quiet)
    schedules.add("a-first", ScheduleSettings(published="nightly", every_minutes=60))
    advance = Scheduler._tick

    def failing(self: Scheduler, row: rows.ScheduleRow) -> None:
        if row.name == "a-first":
            raise DatabaseAwayError("db", "gone") if is_away else RuntimeError("broken")
        advance(self, row)

    monkeypatch.setattr(Scheduler, "_tick", failing)
    if is_away:
        with pytest.raises(DatabaseAwayError):
            tick(61 * MINUTE)
    else:
        tick(61 * MINUTE)
        assert statuses(quiet) == ["submitted"]
        end(quiet)


def test_two_schedulers_at_once_fire_each_time_once(quiet: RunService, clock: Clock) -> None:
    add(quiet, every_minutes=1, overlap="cancel")
    with opened(quiet.workspace) as other:
        schedulers = [Scheduler(quiet, clock), Scheduler(other, clock)]
        for _ in range(8):
            clock.now += MINUTE
            threads = [threading.Thread(target=scheduler.tick) for scheduler in schedulers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for scheduler in schedulers:
                scheduler.tick()
    submissions = [record.options.submission for record in quiet.store.newest(limit=100)]
    assert len(submissions) == len(set(submissions)) == 8


def test_a_firing_left_by_a_killed_process_is_submitted_once(
    quiet: RunService, tick: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the row and the run, and between the run and its record."""
    add(quiet)
    whole = SingleSubmission.submit

    def dies(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SingleSubmission, "submit", dies)
    with pytest.raises(KeyboardInterrupt):
        tick(61 * MINUTE)
    assert statuses(quiet) == ["planned"]

    def dies_after(*arguments: Any) -> None:
        whole(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(SingleSubmission, "submit", dies_after)
    with pytest.raises(KeyboardInterrupt):
        tick(1)
    assert statuses(quiet) == ["planned"]
    monkeypatch.undo()
    tick(1)
    assert statuses(quiet) == ["submitted"]
    assert len(quiet.store.newest()) == 1


@pytest.mark.parametrize(
    ("missed", "hours", "fired", "rows"),
    [
        ("skip", 5, 0, ["missed"]),
        ("once", 5, 1, ["submitted"]),
        ("all", 5, 5, ["submitted"] * 5),
        ("all", 20, 10, ["submitted"] * 10),
    ],
)
def test_missed_times(
    quiet: RunService,
    tick: Callable[[float], None],
    missed: str,
    hours: int,
    fired: int,
    rows: list[str],
) -> None:
    add(quiet, missed=missed, overlap="queue")
    tick(hours * HOUR + 30 * MINUTE)
    for _ in range(12):
        end(quiet)
        tick(1)
    assert len(quiet.store.newest(limit=100)) == fired
    assert [status.replace("ended", "submitted") for status in statuses(quiet)] == rows
    tick(30 * MINUTE)  # the next one is in time
    assert len(quiet.store.newest(limit=100)) == fired + 1


def test_times_that_are_older_than_a_day_are_not_made_up_for(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet, every_minutes=7 * 24 * 60)
    tick(9 * DAY)
    assert statuses(quiet) == ["missed"]
    assert quiet.store.newest() == []


@pytest.mark.parametrize(
    ("overlap", "expected", "waiting"),
    [
        ("skip", ["submitted", "skipped"], 1),
        ("queue", ["submitted", "planned"], 1),
        ("cancel", ["ended", "submitted"], 1),
    ],
)
def test_overlapping_firings(
    quiet: RunService,
    tick: Callable[[float], None],
    overlap: str,
    expected: list[str],
    waiting: int,
) -> None:
    add(quiet, overlap=overlap)
    tick(61 * MINUTE)
    tick(60 * MINUTE)
    if overlap == "cancel":
        [cancelled] = [i for i, stop in quiet.store.requests().items() if stop]
        quiet.store.append_to(cancelled, [Event("RunFinished", data={"status": "cancelled"})])
    tick(1)
    assert statuses(quiet) == expected
    assert len(quiet.store.unfinished()) == waiting
    end(quiet)
    tick(1)
    if overlap == "queue":
        assert statuses(quiet) == ["ended", "submitted"]


def test_failures_in_a_row_pause_a_schedule(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    schedules = add(quiet, most_failures=3)
    for outcome in ("failed", "failed", "completed", "failed", "failed", "failed"):
        assert schedules.find("s").paused is None
        tick(60 * MINUTE + 1)
        end(quiet, outcome)
        tick(1)
    paused = schedules.find("s")
    assert paused.paused is not None
    assert "3" in paused.paused
    assert paused.next_times == []
    tick(60 * MINUTE)
    assert len(quiet.store.newest(limit=100)) == 6
    schedules.resume("s")
    assert schedules.find("s").state.failures == 0


def test_a_run_that_cannot_be_submitted_is_a_failure_with_its_reason(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet)
    PublishedPipelines(quiet.database).delete("nightly")
    tick(61 * MINUTE)
    tick(1)
    [firing] = ScheduleStore(quiet.database).firings("s")
    assert firing.status == "failed"
    assert firing.reason is not None
    assert "nightly" in firing.reason["message"]
    assert Schedules(quiet).find("s").state.failures == 1


def test_a_clock_that_is_set_back_fires_nothing_again(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet)
    tick(61 * MINUTE)
    end(quiet)
    tick(-30 * MINUTE)
    tick(31 * MINUTE)
    assert len(quiet.store.newest()) == 1
    tick(60 * MINUTE)
    assert len(quiet.store.newest()) == 2


def test_a_clock_that_was_a_year_ahead_does_not_silence_a_schedule(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet)
    tick(61 * MINUTE)
    end(quiet)
    tick(365 * DAY)
    end(quiet)
    count = len(quiet.store.newest())
    tick(-365 * DAY)
    assert len(quiet.store.newest()) == count
    tick(60 * MINUTE)
    assert len(quiet.store.newest()) == count + 1


def test_jitter_delays_a_firing_by_a_fixed_time(
    quiet: RunService, tick: Callable[[float], None]
) -> None:
    add(quiet, jitter_seconds=600)
    tick(60 * MINUTE)
    for _ in range(12):
        tick(MINUTE)
    assert statuses(quiet) == ["submitted"]


def test_a_folder_fires_once_it_has_stood_still(
    quiet: RunService, tick: Callable[[float], None], tmp_path: Path
) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    (folder / "a").write_text("1")
    add(quiet, watched=str(folder), every_minutes=5)
    for _ in range(3):
        tick(5 * MINUTE)
    assert statuses(quiet) == []
    for number in range(3):  # a copy under way: each look sees more
        (folder / f"b{number}").write_text("2")
        tick(5 * MINUTE)
        assert statuses(quiet) == []
    tick(5 * MINUTE)
    assert statuses(quiet) == ["submitted"]
    end(quiet)
    for _ in range(3):
        tick(5 * MINUTE)
    assert statuses(quiet) == ["ended"]
    (folder / "a").unlink()
    folder.rename(tmp_path / "away")
    tick(5 * MINUTE)
    (tmp_path / "away").rename(folder)
    tick(5 * MINUTE)
    assert statuses(quiet) == ["ended"]  # what was away is looked at twice again
    tick(5 * MINUTE)
    assert statuses(quiet) == ["ended", "submitted"]


def test_a_new_version_of_a_dataset_fires(quiet: RunService, tick: Callable[[float], None]) -> None:
    home = quiet.workspace.datasets_dir / "pets"
    (home / "1").mkdir(parents=True)
    add(quiet, watched="dataset:pets", every_minutes=5)
    (home / "2").mkdir()
    for _ in range(2):
        tick(5 * MINUTE)
    assert statuses(quiet) == ["submitted"]


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"published": "none"}, NotFoundError),
        ({"version": 9}, NotFoundError),
        ({"parameters": {"none": 1}}, PipelineError),
        ({"parameters": {"value": "text"}}, PipelineError),
        ({"zone": "Mars/Olympus"}, RefusedError),
        ({"watched": "dataset:none"}, RefusedError),
        ({"watched": "dataset:../x"}, RefusedError),
        ({"watched": "/nowhere"}, RefusedError),
    ],
)
def test_what_is_refused(quiet: RunService, facts: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Schedules(quiet).add(
            "s", ScheduleSettings(**{"published": "nightly", "every_minutes": 60, **facts})
        )
    assert Schedules(quiet).all() == []


def test_pause_resume_remove(quiet: RunService, tick: Callable[[float], None]) -> None:
    schedules = add(quiet)
    assert len(schedules.find("s").next_times) == 5
    with pytest.raises(RefusedError):
        add(quiet)
    with pytest.raises(InUseError):
        schedules.require_unused("nightly", None)
    schedules.pause("s")
    tick(61 * MINUTE)
    assert statuses(quiet) == []
    schedules.remove("s")
    with pytest.raises(NotFoundError):
        schedules.find("s")
    schedules.require_unused("nightly", None)


def test_the_newest_firings_are_kept(quiet: RunService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_FIRINGS", 3)
    add(quiet)
    store = ScheduleStore(quiet.database)
    assert store.plan("s", 1)  # not finished, so it stays
    for planned in range(2, 8):
        assert store.plan("s", planned, "missed")
    assert [firing.planned for firing in store.firings("s")] == [7, 6, 5, 1]
