"""The best trials are repeated with other seeds."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from modules.operating_system.signals import KILL
from pipelines.document.document import parse_document
from pipelines.document.settings import SweepSettings
from pipelines.errors import RefusedError
from pipelines.execution.runner_lock import current_runner
from pipelines.lessons.pipeline_files import read_document
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.repeats import base_seeds, configurations, planned_repeats
from pipelines.sweeps.sweep_reports import command_report
from pipelines.sweeps.sweeps import Sweeps
from tests.pipelines.sweeps.conftest import CATALOG, SCORE, between, choices, curve
from tests.pipelines.sweeps.sweeping import ended, numbers_run, started, states
from tests.polling import wait_for

SPACES = {"curve.x": choices(1, 2, 3, 4, 5)}
NO_SEED = "No node up to 'curve' has a random seed"


def trial(number: int, objective: float | None, **values: Any) -> TrialRow:
    own = {f"curve.{name}": value for name, value in values.items()}
    state: Any = "failed" if objective is None else "completed"
    return TrialRow("s", number, own, state, "r", objective, None, None, 0.0, 1.0)


def settings(**others: Any) -> SweepSettings:
    return SweepSettings.model_validate({"parameters": SPACES, "objective": SCORE, **others})


def test_new_seeds_follow_those_that_were_used() -> None:
    trials = [trial(0, 3.0, x=1), trial(1, None, x=2), trial(2, 5.0, x=3), trial(3, 4.0, x=4)]
    trials += [trial(4, 1.0, x=5), trial(5, 9.0, x=3, random_seed=8)]
    document = curve({"parameters": SPACES, "objective": SCORE}, random_seed=7)
    planned = planned_repeats(trials, settings(), document, CATALOG, 2)
    assert [(one["curve.x"], one["curve.random_seed"]) for one in planned] == [
        *((3, 9), (3, 10)),  # 8 was used
        *((4, 8), (4, 9)),
        *((1, 8), (1, 9)),
    ]


def test_means_and_spreads_rank_configurations() -> None:
    trials = [trial(0, 5.0, x=1), trial(1, 4.0, x=2), trial(2, 3.0, x=3)]
    trials += [trial(3, 1.0, x=1, random_seed=2), trial(4, 4.5, x=2, random_seed=2)]
    trials += [trial(5, None, x=2, random_seed=3)]
    first, second = configurations(trials, settings())
    assert (first.trial.number, first.mean) == (1, 4.25)
    assert first.spread == pytest.approx(stdev([4.0, 4.5]))
    assert (second.trial.number, second.mean, second.objectives) == (0, 3.0, [5.0, 1.0])
    minimized = settings(objective={**SCORE, "goal": "minimize"})
    assert [one.trial.number for one in configurations(trials, minimized)] == [0, 1]
    assert configurations(trials[:3], settings()) == []


def test_the_seed_of_the_pipeline_and_seeds_that_something_else_sets() -> None:
    document = curve({"parameters": SPACES, "objective": SCORE})
    assert base_seeds(document, CATALOG, settings()) == {"curve.random_seed": 1}
    content = document.to_json()
    content["settings"]["random_seed"] = 40
    assert base_seeds(parse_document(content), CATALOG, settings()) == {"curve.random_seed": 40}
    bound = {"id": "seed", "type": "integer", "default": 5, "binds": ["curve.random_seed"]}
    changed = parse_document({**document.to_json(), "parameters": [bound]})
    with pytest.raises(RefusedError, match=NO_SEED):
        base_seeds(changed, CATALOG, settings())
    varied = settings(parameters={"curve.random_seed": choices(1, 2)})
    with pytest.raises(RefusedError, match=NO_SEED):
        base_seeds(document, CATALOG, varied)


def test_a_split_of_the_images_keeps_its_seed() -> None:
    catalog = builtin_catalog()
    document = read_document(Path("01-digits"), [], catalog)
    objective = {"node": "train", "metric": "Valid loss", "goal": "minimize"}
    seeds = base_seeds(document, catalog, settings(objective=objective))
    assert list(seeds) == ["train.random_seed"]


def test_the_best_are_repeated_and_the_sweep_is_as_it_was(runs: RunService) -> None:
    sweep = started(runs, {"parameters": SPACES, "objective": SCORE}, noise=0.4)
    with pytest.raises(RefusedError, match="is running"):
        Sweeps(runs).repeat(sweep.id)
    sweep = ended(runs, sweep)
    best = sweep.best
    assert Sweeps(runs).repeat(sweep.id, 2).is_active
    with pytest.raises(RefusedError, match="is running"):
        Sweeps(runs).repeat(sweep.id)
    done = ended(runs, sweep)
    assert (done.row.state, states(done)) == ("completed", 11 * ["completed"])
    assert done.best == best, "repetitions are no trials of the strategy"
    assert sorted(one.trial.values["curve.x"] for one in done.configurations) == [2, 3, 4]
    first = done.configurations[0]
    assert len(set(first.objectives)) == 3
    entry = command_report(done).repeated[0].model_dump()
    assert entry["mean"] == pytest.approx(fmean(first.objectives))
    assert entry["spread"] == pytest.approx(stdev(first.objectives))
    assert done.recommended == first.trial
    assert numbers_run(runs, done) == list(range(11))
    with pytest.raises(RefusedError, match="has run all of its trials"):
        Sweeps(runs).resume(sweep.id)
    again = Sweeps(runs).repeat(sweep.id, 1)
    assert {trial.values["curve.random_seed"] for trial in again.trials[11:]} == {4}
    assert states(ended(runs, sweep)) == 14 * ["completed"]


def test_repetitions_of_a_stopped_sweep_do_not_resume_it(runs: RunService) -> None:
    spaces = {"curve.x": between(0, 5)}
    options = {"parameters": spaces, "objective": SCORE, "strategy": "random", "max_trials": 9}
    sweep = started(runs, options, seconds=0.3)
    sweeps = Sweeps(runs)
    wait_for(lambda: len(sweeps.find(sweep.id).trials) > 2)
    sweeps.stop(sweep.id)
    stopped = ended(runs, sweep)
    sweeps.repeat(sweep.id, 1)
    done = ended(runs, sweep)
    assert done.row.state == "stopped"
    assert done.own_trials == list(stopped.trials)
    assert done.has_trials_left
    sweeps.resume(sweep.id)
    whole = ended(runs, sweep)
    assert (whole.row.state, len(whole.own_trials)) == ("completed", 9)
    values = [trial.values["curve.x"] for trial in whole.own_trials]
    assert len(set(values)) == 9, "the strategy continues as if nothing had been repeated"


@pytest.mark.full  # as other trials: test_driver
@pytest.mark.extended
def test_repetitions_survive_the_kill_of_the_runner(runs: RunService) -> None:
    spaces = {"curve.x": choices(3, 4)}
    sweep = started(runs, {"parameters": spaces, "objective": SCORE}, seconds=0.3)
    sweep = ended(runs, sweep)
    Sweeps(runs).repeat(sweep.id, 3)
    wait_for(lambda: numbers_run(runs, sweep)[-1] >= 4)
    info = current_runner(runs.workspace)
    assert info is not None
    info.identity.signal(KILL)
    done = ended(runs, sweep)
    assert (done.row.state, states(done)) == ("completed", 8 * ["completed"])
    assert numbers_run(runs, done) == list(range(8))


def test_sweeps_that_cannot_be_repeated(runs: RunService) -> None:
    failed = started(runs, {"parameters": SPACES, "objective": SCORE}, kind="fails")
    failed = ended(runs, failed)
    with pytest.raises(RefusedError, match="No trial of the sweep has completed"):
        Sweeps(runs).repeat(failed.id)
    varied = curve({"parameters": {"curve.random_seed": choices(1, 2)}, "objective": SCORE})
    sweep = ended(runs, Sweeps(runs).start(varied, RunOptions(), None))
    with pytest.raises(RefusedError, match=NO_SEED):
        Sweeps(runs).repeat(sweep.id)
    for count in (0, 21):
        with pytest.raises(RefusedError, match="must be 1 to 20"):
            Sweeps(runs).repeat(sweep.id, count)
