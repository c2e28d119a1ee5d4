"""Sweeps are driven by the automation process of a real runner."""

from __future__ import annotations

import time
from typing import Any

import pytest

from modules.operating_system.signals import KILL
from pipelines.errors import NotFoundError, RefusedError
from pipelines.execution.runner_lock import current_runner
from pipelines.problems import PipelineError
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweep_reports import command_report
from pipelines.sweeps.sweeps import Sweeps
from tests.pipelines.sweeps.conftest import SCORE, between, choices, curve
from tests.pipelines.sweeps.sweeping import ended, numbers_run, objectives, started, states
from tests.polling import wait_for


def test_a_grid_is_run_exactly_and_reuses_what_is_above(runs: RunService) -> None:
    spaces = {"curve.x": choices(1, 3, 5), "curve.y": choices(0, 2)}
    sweep = started(runs, {"parameters": spaces, "objective": SCORE})  # the first in this file
    sweep = ended(runs, sweep)
    assert sweep.row.state == "completed"
    pairs = [(trial.values["curve.x"], trial.values["curve.y"]) for trial in sweep.trials]
    assert pairs == [(1, 0), (1, 2), (3, 0), (3, 2), (5, 0), (5, 2)]
    assert objectives(sweep) == [6, 2, 10, 6, 6, 2]
    assert command_report(sweep).best == 2
    statuses = [
        runs.store.state(trial.run_id).steps["base"].status
        for trial in sweep.trials
        if trial.run_id
    ]
    assert statuses == ["completed"] + 5 * ["reused"]
    record = runs.store.record(sweep.trials[4].run_id or "")
    assert record is not None
    assert record.options.sweep == {"id": sweep.id, "number": 4}
    assert record.document["settings"].get("sweep") is None
    assert record.name == "4: x 5, y 0"


@pytest.mark.extended
def test_the_same_trials_after_the_kill_of_all_processes_and_none_twice(runs: RunService) -> None:
    sweep = started(
        runs,
        {
            "parameters": {"curve.x": between(-5, 5)},
            "objective": SCORE,
            "strategy": "random",
            "max_trials": 8,
            "parallel": 2,
            "seed": 7,
        },
        seconds=0.2,
    )

    def some() -> list[dict[str, Any]] | None:
        trials = Sweeps(runs).find(sweep.id).trials
        return [trial.values for trial in trials] if len(trials) > 3 else None

    before = wait_for(some)
    info = current_runner(runs.workspace)
    assert info is not None
    info.identity.signal(KILL)
    sweep = ended(runs, sweep)
    assert sweep.row.state == "completed"
    assert states(sweep) == 8 * ["completed"]
    assert [trial.values for trial in sweep.trials][: len(before)] == before
    assert numbers_run(runs, sweep) == list(range(8))
    for trial in sweep.trials:
        x = float(trial.values["curve.x"])
        assert trial.objective == pytest.approx(10 - (x - 3) ** 2)


def test_failed_trials_do_not_end_a_sweep(runs: RunService) -> None:
    spaces = {"curve.x": choices(4, 6, 3)}
    sweep = started(runs, {"parameters": spaces, "objective": SCORE}, kind="fails above 5")
    sweep = ended(runs, sweep)
    assert (sweep.row.state, states(sweep)) == ("completed", ["completed", "failed", "completed"])
    assert sweep.trials[1].why == "It went wrong."
    assert sweep.best == sweep.trials[2]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("fails", "It went wrong."),
        ("silent", "It did not report the metric 'score' of 'curve'."),
        ("not a number", "Its metric 'score' is not a number."),
    ],
)
def test_a_sweep_fails_when_its_first_trials_do(runs: RunService, kind: str, says: str) -> None:
    spaces = {"curve.x": between(-5, 5)}
    sweep = started(
        runs, {"parameters": spaces, "objective": SCORE, "strategy": "random"}, kind=kind
    )
    sweep = ended(runs, sweep)
    assert (sweep.row.state, states(sweep)) == ("failed", 5 * ["failed"])
    assert sweep.row.why == f"The first 5 trials failed. The first one: {says}"


def test_a_cancelled_trial_and_a_deleted_run_are_not_repeated(runs: RunService) -> None:
    spaces = {"curve.x": choices(1, 2, 3)}
    sweep = started(runs, {"parameters": spaces, "objective": SCORE}, seconds=0.5, epochs=3)

    def running(number: int) -> str | None:
        trials = Sweeps(runs).find(sweep.id).trials
        if len(trials) <= number:
            return None
        run_id = trials[number].run_id
        is_running = run_id is not None and runs.store.state(run_id).status == "running"
        return run_id if is_running else None

    runs.cancel(wait_for(lambda: running(0)))
    wait_for(lambda: running(2))
    sweep = ended(runs, sweep)
    assert states(sweep) == ["cancelled", "completed", "completed"]
    assert sweep.row.state == "completed"
    with pytest.raises(RefusedError, match="has run all of its trials"):
        Sweeps(runs).resume(sweep.id)


def test_a_stopped_sweep_continues_with_the_same_runs(runs: RunService) -> None:
    spaces = {"curve.x": choices(1, 2, 3)}
    sweep = started(runs, {"parameters": spaces, "objective": SCORE}, seconds=0.3, epochs=4)
    sweeps = Sweeps(runs)
    wait_for(lambda: sweeps.find(sweep.id).trials)
    assert sweeps.stop(sweep.id).row.state in ("stopping", "stopped")
    stopped = ended(runs, sweep)
    assert stopped.row.state == "stopped"
    assert set(states(stopped)) <= {"completed", "interrupted", "planned"}
    assert len(stopped.trials) < 3
    with pytest.raises(RefusedError, match="is not running"):
        sweeps.stop(sweep.id)
    sweeps.resume(sweep.id)
    with pytest.raises(RefusedError, match="is running"):
        sweeps.resume(sweep.id)
    done = ended(runs, sweep)
    assert (done.row.state, states(done)) == ("completed", 3 * ["completed"])
    assert [trial.run_id for trial in stopped.trials] == [
        trial.run_id for trial in done.trials[: len(stopped.trials)]
    ]
    assert numbers_run(runs, done) == [0, 1, 2]


def test_without_a_metric_the_first_trial_chooses_it(runs: RunService) -> None:
    sweep = started(runs, {"parameters": {"curve.x": choices(1, 2)}})
    sweep = ended(runs, sweep)  # neither "score" nor "error" of a curve is a primary metric
    assert (sweep.row.state, states(sweep)) == ("failed", ["failed", "failed"])
    assert "no metric to compare" in (sweep.row.why or "")


def test_time_limit(runs: RunService) -> None:
    settings = {"parameters": {"curve.x": between(0, 1)}, "objective": SCORE, "max_minutes": 0.02}
    sweep = ended(runs, started(runs, {**settings, "strategy": "random"}, seconds=0.4))
    assert sweep.row.state == "completed"
    assert 0 < len(sweep.trials) < 20
    assert "time limit" in (sweep.row.why or "")


def test_a_time_limit_that_is_over_before_the_runner_has_started_leaves_one_trial(
    runs: RunService,
) -> None:
    settings = {"parameters": {"curve.x": between(0, 1)}, "objective": SCORE, "max_minutes": 1e-6}
    sweep = ended(runs, started(runs, {**settings, "strategy": "random"}))
    assert states(sweep) == ["completed"]
    assert "time limit" in (sweep.row.why or "")


def test_sweeps_that_cannot_start(runs: RunService) -> None:
    before = len(Sweeps(runs).all())
    for settings in ({}, {"parameters": {"curve.x": choices(99)}}):
        with pytest.raises(PipelineError):
            started(runs, settings)
    with pytest.raises(PipelineError, match="varies no parameter"):
        Sweeps(runs).start(curve(), RunOptions(), None)
    ranges = {"parameters": {"curve.x": between(0, 1)}}
    with pytest.raises(RefusedError, match="grid needs single values"):
        started(runs, {**ranges, "strategy": "grid"})
    many = {"parameters": {f"curve.{name}": choices(*range(-9, 10)) for name in "xy"}}
    many["parameters"]["base.value"] = choices(1, 2, 3)
    with pytest.raises(RefusedError, match="1,083 combinations"):
        started(runs, {**many, "strategy": "grid"})
    with pytest.raises(PipelineError, match="label"):  # of what is not varied
        started(runs, {"parameters": {"curve.x": choices(1)}}, label="a" * 21)
    with pytest.raises(NotFoundError):
        Sweeps(runs).find("none")
    assert len(Sweeps(runs).all()) == before


@pytest.mark.extended
def test_twenty_trials_add_little_to_their_runs(runs: RunService) -> None:
    warm = started(runs, {"parameters": {"curve.x": choices(1)}, "objective": SCORE})
    ended(runs, warm)
    begun = time.monotonic()
    spaces = {"curve.x": between(-5, 5)}
    settings = {"parameters": spaces, "objective": SCORE, "strategy": "random", "max_trials": 20}
    sweep = ended(runs, started(runs, {**settings, "parallel": 4}))
    seconds = time.monotonic() - begun
    assert states(sweep) == 20 * ["completed"]
    assert seconds < 60  # 5.4 s at a load of 17 on two cores
