"""Strategies suggest from the trials alone."""

from __future__ import annotations

from typing import Any

import pytest

from modules.search.strategies import Suggester
from modules.search.trials import Trial
from pipelines.document.settings import SweepSettings
from pipelines.errors import RefusedError
from pipelines.sweeps import suggest
from pipelines.sweeps.suggest import make_suggester, resolved_strategy
from tests.pipelines.sweeps.conftest import SCORE, between, choices


def settings(strategy: str, spaces: dict[str, Any], **others: Any) -> SweepSettings:
    content = {"strategy": strategy, "parameters": spaces, "objective": SCORE, **others}
    return SweepSettings.model_validate(content)


def searched(strategy: Suggester, count: int) -> list[Trial]:
    """Trials of a quadratic function whose best place is x = 3."""
    trials: list[Trial] = []
    for number in range(count):
        values = strategy.suggest(number, trials)
        if values is None:
            break
        x = values["curve.x"]
        score = 10 - (x - 3) ** 2 if isinstance(x, int | float) else 0.0
        trials.append(Trial(number, values, "completed", score))
    return trials


def test_random_values_are_repeatable_and_never_twice() -> None:
    spaces = {"curve.x": choices(*range(12)), "curve.label": choices("a", "b")}
    first = searched(make_suggester(settings("random", spaces, seed=3)), 100)
    assert len(first) == 24  # all there are
    assert len({str(trial.values) for trial in first}) == 24
    assert first == searched(make_suggester(settings("random", spaces, seed=3)), 100)
    assert first != searched(make_suggester(settings("random", spaces, seed=4)), 100)
    again = make_suggester(settings("random", spaces, seed=3)).suggest(9, first[:9])
    assert again == first[9].values


def test_equal_looking_choices_differ() -> None:
    spaces = {"curve.x": choices(1, True, 1.0, "1")}
    made = searched(make_suggester(settings("random", spaces)), 10)
    assert len(made) == 4


def test_the_strategy_auto(monkeypatch: pytest.MonkeyPatch) -> None:
    few, ranges = {"a.b": choices(1, 2)}, {"a.b": between(0, 1)}
    many = {"a.b": choices(*range(30))}
    assert resolved_strategy(settings("auto", few)).strategy == "grid"
    assert resolved_strategy(settings("auto", few)).max_trials == 2
    monkeypatch.setattr(suggest, "has_tpe", lambda: False)
    assert resolved_strategy(settings("auto", ranges)).strategy == "random"
    assert resolved_strategy(settings("auto", ranges)).max_trials == 20
    assert resolved_strategy(settings("auto", many)).strategy == "random"
    assert resolved_strategy(settings("auto", many, max_trials=30)).strategy == "grid"
    assert resolved_strategy(settings("random", many, max_trials=500)).max_trials == 30
    with pytest.raises(RefusedError, match=r"pip install 'pipeline-designer\[tune\]'"):
        resolved_strategy(settings("tpe", ranges))
    monkeypatch.setattr(suggest, "has_tpe", lambda: True)
    assert resolved_strategy(settings("auto", ranges)).strategy == "tpe"


def test_tpe_finds_better_values_than_chance() -> None:
    pytest.importorskip("optuna")
    spaces = {"curve.x": between(-10, 10), "curve.label": choices("a", ["b"])}
    strategy = make_suggester(settings("tpe", spaces, seed=1))
    trials = searched(strategy, 30)
    assert len(trials) == 30
    early = max(trial.objective or 0 for trial in trials[:5])
    assert max(trial.objective or 0 for trial in trials) > max(early, 9.9)
    # told again from the trials, as after a restart, it suggests the same
    assert make_suggester(settings("tpe", spaces, seed=1)).suggest(29, trials[:29]) == (
        trials[29].values
    )
    # with trials that run, failed, were stopped early, or are of other spaces
    others = [
        Trial(0, {"curve.x": 1.0, "curve.label": "a"}, "running"),
        Trial(1, {"curve.x": 2.0, "curve.label": ["b"]}, "failed"),
        Trial(2, {"curve.x": 2.5, "curve.label": ["b"]}, "stopped", 3.0),
        Trial(3, {"curve.y": 2.0}, "completed", 4.0),
    ]
    values = strategy.suggest(4, others)
    assert values is not None
    assert values["curve.label"] in ("a", ["b"])
    whole = make_suggester(settings("tpe", {"curve.x": between(1, 3, "integer")}))
    made = searched(whole, 20)
    assert all(isinstance(trial.values["curve.x"], int) for trial in made)


def test_tpe_tries_every_combination_once() -> None:
    pytest.importorskip("optuna")
    spaces = {"curve.x": choices(*range(8)), "curve.label": choices("a", "b")}
    for seed in range(3):
        trials = searched(make_suggester(settings("tpe", spaces, seed=seed)), 100)
        assert len({str(trial.values) for trial in trials}) == len(trials) == 16
    # nor one that runs or failed
    x = {"curve.x": choices(1, 2, 3)}
    known = [Trial(0, {"curve.x": 1}, "running"), Trial(1, {"curve.x": 3}, "failed")]
    assert make_suggester(settings("tpe", x)).suggest(2, known) == {"curve.x": 2}


def test_tpe_knows_the_order_of_numbers() -> None:
    pytest.importorskip("optuna")
    # the shuffled choices have good neighbors only by size
    values = sorted(range(-50, 51), key=lambda x: x * 37 % 101)
    best = []
    for seed in range(10):
        strategy = make_suggester(settings("tpe", {"curve.x": choices(*values)}, seed=seed))
        best.append(max(trial.objective or 0 for trial in searched(strategy, 15)))
    assert sum(value >= 6 for value in best) >= 6


def test_tpe_sweeps_with_other_seeds_share_no_trials() -> None:
    pytest.importorskip("optuna")
    spaces = {"curve.x": between(-10, 10)}
    first, second = (
        {trial.values["curve.x"] for trial in searched(strategy, 8)}
        for strategy in (make_suggester(settings("tpe", spaces, seed=seed)) for seed in (1, 2))
    )
    assert not first & second
