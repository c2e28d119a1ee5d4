"""Poor trials are stopped early; paused ones continue from their checkpoints."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from modules.operating_system.signals import KILL
from modules.search.halving import halved, rungs
from modules.search.pruning import is_behind
from modules.tuning.trial_progress import planned_epochs
from pipelines.document.settings import SweepPruning
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import RunService
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.sweeps import Sweep, Sweeps
from tests.pipelines.sweeps.conftest import SCORE, choices
from tests.pipelines.sweeps.sweeping import ended, numbers_run, problems, started, states
from tests.polling import wait_for
from tests.project.source import ROOT

HALVING = SweepPruning(kind="halving")
CASES = json.loads((ROOT / "tests/cases/halving.json").read_text("utf-8"))
"""Shared with the estimate of the editor."""


def trial(number: int, state: Any, epoch: int | None, objective: float | None = None) -> TrialRow:
    return TrialRow("s", number, {}, state, "r", objective, epoch, None, 0.0, None)


@pytest.mark.parametrize("case", CASES)
def test_rungs_and_the_epochs_that_are_trained(case: dict[str, Any]) -> None:
    pruning = SweepPruning(kind="halving", first_epoch=case["first_epoch"], factor=case["factor"])
    assert rungs(pruning, case["epochs"]) == case["rungs"]
    assert planned_epochs(case["trials"], pruning, case["epochs"]) == case["trained"]


def test_a_rung_is_decided_when_all_have_reached_it_and_again_after_a_crash() -> None:
    paused = [trial(n, "paused", 1, objective=float(n)) for n in range(8)]
    assert halved([*paused, trial(8, "running", 1)], HALVING, 9, "maximize") is None
    whole = [*paused, trial(8, "failed", 1)]
    decision = halved(whole, HALVING, 9, "maximize")
    assert decision is not None
    assert ([t.number for t in decision.promoted], decision.next_epoch) == ([7, 6], 3)
    assert len(decision.stopped) == 6
    least = halved(whole, HALVING, 9, "minimize")
    assert least is not None
    assert [t.number for t in least.promoted] == [0, 1]
    # killed after one promotion and one stop
    whole[7] = trial(7, "interrupted", 3, 7.0)
    whole[0] = trial(0, "stopped", 1, 0.0)
    again = halved(whole, HALVING, 9, "maximize")
    assert again is not None
    assert [t.number for t in again.promoted] == [6]
    # the only ones left are promoted to the end
    last = [trial(6, "paused", 3, 6.0), trial(7, "paused", 3, 7.0), trial(1, "stopped", 1, 1.0)]
    decision = halved(last, HALVING, 9, "maximize")
    assert decision is not None
    assert ([t.number for t in decision.promoted], decision.next_epoch) == ([7], 9)
    assert halved([trial(7, "running", 9, 7.0)], HALVING, 9, "maximize") is None


def test_who_is_behind() -> None:
    others = [{1: 1.0, 2: 5.0}, {1: 2.0, 2: 4.0}, {1: 3.0, 2: 6.0}, {1: 9.0}]
    by_median, bandit = SweepPruning(kind="median", first_epoch=2), SweepPruning(kind="bandit")
    assert is_behind({1: 1.0, 2: 4.5}, others, by_median, "maximize")
    assert not is_behind({1: 1.0, 2: 5.5}, others, by_median, "maximize")
    assert not is_behind({1: 5.5, 2: 1.0}, others, by_median, "maximize")  # its best counts
    assert not is_behind({1: 0.0}, others, by_median, "maximize")  # too early
    assert not is_behind({1: 0.0, 2: 0.0}, others[:2], by_median, "maximize")  # too few
    assert is_behind({1: 1.0, 2: math.nan}, others, SweepPruning(kind="median"), "minimize") is (
        False
    )
    assert is_behind({1: math.nan}, others, bandit, "maximize")
    assert is_behind({2: 5.3}, others[:3], bandit, "maximize")
    assert not is_behind({2: 5.5}, others[:3], bandit, "maximize")
    assert is_behind({2: 4.5}, [{2: 4.0}], bandit, "minimize")
    assert not is_behind({2: 4.3}, [{2: 4.0}], bandit, "minimize")
    assert is_behind({2: -2.0}, [{2: -1.0}], bandit, "maximize")
    assert not is_behind({2: 1.0}, [], bandit, "maximize")
    assert not is_behind({}, others, bandit, "maximize")


def test_settings_that_do_not_fit() -> None:
    spaces = {"parameters": {"curve.x": choices(1, 2)}, "pruning": {"kind": "halving"}}
    assert problems({**spaces, "objective": SCORE}) == []
    [message] = problems({**spaces, "objective": {**SCORE, "node": "base"}})
    assert "cannot pause 'base'" in message
    epochs = {**spaces, "parameters": {"curve.epochs": choices(1, 2)}}
    [message] = problems({**epochs, "objective": SCORE})
    assert "varies curve.epochs" in message


def points(runs: RunService, sweep: Sweep) -> dict[int, list[tuple[int, float | None]]]:
    """Every point of the objective that each trial has reported, as events, in order."""
    points_of = {}
    for own in sweep.trials:
        events = runs.store.events_of(own.run_id or "", ["MetricLogged"])
        named = [event.data for event in events if event.data["name"] == "score"]
        points_of[own.number] = [(data["step"], data["value"]) for data in named]
    return points_of


@pytest.mark.extended
def test_halving_pauses_and_promotes_without_repeating_an_epoch(runs: RunService) -> None:
    values = (-1, 0, 1, 2, 3, 4, 5, 6, 7)
    settings = {
        "parameters": {"curve.x": choices(*values)},
        "objective": SCORE,
        "pruning": {"kind": "halving"},
        "parallel": 2,
    }
    sweep = ended(runs, started(runs, settings, epochs=9, seconds=0.02))
    assert sweep.row.state == "completed"
    assert states(sweep) == 4 * ["stopped"] + ["completed"] + 4 * ["stopped"]
    assert [own.epoch for own in sweep.trials] == [1, 1, 1, 3, 9, 3, 1, 1, 1]
    assert (sweep.best or sweep.trials[0]).number == 4
    reported = points(runs, sweep)
    assert sum(map(len, reported.values())) == 9 + 3 * 2 + 1 * 6
    # bit-equal to a run without a pause
    assert reported[4] == [(epoch, 10.0 - (9 - epoch)) for epoch in range(1, 10)]
    assert numbers_run(runs, sweep) == list(range(9))
    paused = runs.store.state(sweep.trials[0].run_id or "")
    assert (paused.status, paused.steps["curve"].status) == ("paused", "paused")
    assert paused.problem is None
    # by hand it continues to its end
    runs.resume(sweep.trials[0].run_id or "")
    wait_for(lambda: runs.store.state(sweep.trials[0].run_id or "").status == "completed")
    assert [step for step, _ in points(runs, sweep)[0]] == list(range(1, 10))


@pytest.mark.extended
def test_halving_survives_the_kill_of_all_processes(runs: RunService) -> None:
    settings = {
        "parameters": {"curve.y": choices(0, 1, 2, 3)},
        "objective": SCORE,
        "pruning": {"kind": "halving", "factor": 2},
    }
    sweep = started(runs, settings, epochs=4, seconds=0.1)
    wait_for(lambda: "paused" in states(Sweeps(runs).find(sweep.id)))
    info = current_runner(runs.workspace)
    assert info is not None
    info.identity.signal(KILL)
    sweep = ended(runs, sweep)
    assert states(sweep) == ["completed", "stopped", "stopped", "stopped"]
    assert [own.epoch for own in sweep.trials] == [4, 2, 1, 1]
    assert numbers_run(runs, sweep) == [0, 1, 2, 3]


def test_poor_trials_are_stopped_by_their_curves(runs: RunService) -> None:
    settings = {
        "parameters": {"curve.x": choices(3, 2.9, 9)},
        "objective": SCORE,
        "pruning": {"kind": "bandit", "slack": 0.2},
    }
    sweep = ended(runs, started(runs, settings, epochs=6, seconds=0.3))
    assert states(sweep) == ["completed", "completed", "stopped"]
    assert (sweep.trials[2].why or "").startswith("It was behind other trials at")
    assert sweep.trials[2].objective is not None
    assert len(points(runs, sweep)[2]) < 6
