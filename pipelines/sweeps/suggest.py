"""Strategies of a sweep: each returns the values of the next trial from those before.

A strategy keeps nothing that the trials do not say: after a restart it continues from them.
"""

from __future__ import annotations

import importlib.util
import json
import random
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import JsonValue

from pipelines.document.settings import Goal, SweepSettings, SweepSpace
from pipelines.errors import RefusedError
from pipelines.sentences import sweeps as sentences
from pipelines.sweeps.space import Spaces, combination, drawn, num_combinations
from pipelines.sweeps.trial import Trial

DRAWS = 1000
"""Attempts to draw values that no trial has."""
FEW_COMBINATIONS = 20
"""Number of combinations that the strategy ``auto`` tries in full."""
FEW_RANDOM_TRIALS = 5
"""Random trials before TPE models the results, as many as fit a short sweep."""


class Suggester(Protocol):
    """Strategy of a sweep."""

    def suggest(self, number: int, trials: Sequence[Trial]) -> dict[str, JsonValue] | None:
        """Return the values of a trial by its number from 0; None if nothing is left to try."""


class GridSuggester:
    """Every combination once, in order."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces
        self._count = num_combinations(spaces) or 0

    def suggest(
        self,
        number: int,
        trials: Sequence[Trial],  # noqa: ARG002 - a grid does not learn from them
    ) -> dict[str, JsonValue] | None:
        return combination(self._spaces, number) if number < self._count else None


class RandomSuggester:
    """Values drawn at random, the same for the same seed and number; none twice."""

    def __init__(self, spaces: Spaces, seed: int) -> None:
        self._spaces = spaces
        self._seed = seed
        self._count = num_combinations(spaces)

    def suggest(self, number: int, trials: Sequence[Trial]) -> dict[str, JsonValue] | None:
        known = {_key(trial.values) for trial in trials}
        if self._count is not None and len(known) >= self._count:
            return None
        generator = random.Random(f"{self._seed} {number}")
        for _ in range(DRAWS):
            values = drawn(self._spaces, generator)
            if _key(values) not in known:
                return values
        if self._count is None:
            return values
        # almost everything was tried: take the next combination that was not
        start = generator.randrange(self._count)
        numbers = ((start + offset) % self._count for offset in range(self._count))
        untried = (combination(self._spaces, number) for number in numbers)
        return next(values for values in untried if _key(values) not in known)


class TpeSuggester:
    """Tree-structured Parzen estimator of Optuna, which gets all trials for each suggestion.

    Bergstra et al., Algorithms for Hyper-Parameter Optimization, 2011.
    """

    def __init__(self, spaces: Spaces, seed: int, goal: Goal) -> None:
        self._spaces = spaces
        self._seed = seed
        self._goal = goal
        self._count = num_combinations(spaces)

    def suggest(self, number: int, trials: Sequence[Trial]) -> dict[str, JsonValue] | None:
        if self._count is not None and len({_key(trial.values) for trial in trials}) >= self._count:
            return None
        import optuna  # takes a third of a second

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of experimental arguments
            optuna.logging.set_verbosity(optuna.logging.ERROR)
            # other trials than the ones that run count as bad, so that they are not repeated
            sampler = optuna.samplers.TPESampler(
                seed=(self._seed + number) % 2**32,
                n_startup_trials=FEW_RANDOM_TRIALS,
                constant_liar=True,
            )
            study = optuna.create_study(direction=self._goal, sampler=sampler)
            study.add_trials(
                [known for trial in trials if (known := self._known(trial, optuna)) is not None]
            )
            distributions = {
                place: _distribution(space, optuna) for place, space in self._spaces.items()
            }
            suggested = study.ask(distributions).params
        return {place: _value(self._spaces[place], suggested[place]) for place in self._spaces}

    def _known(self, trial: Trial, optuna: Any) -> Any | None:
        """Return a trial as Optuna's; None for one that it cannot learn from."""
        if set(trial.values) != set(self._spaces):
            return None
        states = optuna.trial.TrialState
        state, value = states.FAIL, None
        if trial.objective is not None:
            # one that has paused or was stopped early counts with its value so far
            state, value = states.COMPLETE, trial.objective
        elif trial.is_open:
            state = states.RUNNING
        return optuna.trial.create_trial(
            state=state,
            value=value,
            params={
                place: _param(self._spaces[place], trial.values[place]) for place in self._spaces
            },
            distributions={
                place: _distribution(space, optuna) for place, space in self._spaces.items()
            },
        )


def _distribution(space: SweepSpace, optuna: Any) -> Any:
    kinds = optuna.distributions
    if space.kind == "choices":  # by position: Optuna accepts only plain values
        return kinds.CategoricalDistribution(list(range(len(space.choices))))
    if space.kind == "integer":
        return kinds.IntDistribution(int(space.low or 0), int(space.high or 0))
    return kinds.FloatDistribution(
        float(space.low or 0), float(space.high or 0), space.kind == "log"
    )


def _param(space: SweepSpace, value: JsonValue) -> Any:
    if space.kind != "choices":
        return value
    return [_key(choice) for choice in space.choices].index(_key(value))


def _value(space: SweepSpace, suggested: Any) -> JsonValue:
    value: JsonValue = space.choices[suggested] if space.kind == "choices" else suggested
    return value


def _key(value: Any) -> str:
    """Return equal texts for equal JSON values; 1 and True differ, unlike in Python."""
    return json.dumps(value, sort_keys=True)


def make_suggester(settings: SweepSettings) -> Suggester:
    """Return the strategy of a sweep that was resolved (``resolved_strategy``)."""
    if settings.strategy == "grid":
        return GridSuggester(settings.parameters)
    if settings.strategy == "tpe":
        goal: Goal = settings.objective.goal if settings.objective else "maximize"
        return TpeSuggester(settings.parameters, settings.seed, goal)
    return RandomSuggester(settings.parameters, settings.seed)


def resolved_strategy(settings: SweepSettings) -> SweepSettings:
    """Return the settings with the strategy that ``auto`` means.

    Raises ``RefusedError`` for a strategy that the spaces or this installation do not allow.
    """
    count, has_optuna = num_combinations(settings.parameters), has_tpe()
    strategy = settings.strategy
    if strategy == "auto":
        most = settings.max_trials or FEW_COMBINATIONS
        is_small = count is not None and count <= most
        strategy = "grid" if is_small else "tpe" if has_optuna else "random"
    if strategy == "tpe" and not has_optuna:
        raise RefusedError(sentences.NO_OPTUNA)
    if strategy == "grid":
        _check_grid(settings)
    return settings.model_copy(
        update={"strategy": strategy, "max_trials": _trials(settings, strategy)}
    )


def _trials(settings: SweepSettings, strategy: str) -> int:
    count = num_combinations(settings.parameters)
    most = settings.max_trials
    if most is None:
        most = count if strategy == "grid" and count is not None else FEW_COMBINATIONS
    return most if count is None else min(most, count)


def _check_grid(settings: SweepSettings) -> None:
    from pipelines.document.settings import MOST_TRIALS
    from pipelines.sweeps.space import num_values

    for place, space in settings.parameters.items():
        if num_values(space) is None:
            raise RefusedError(sentences.GRID_OF_RANGE, place=place)
    count = num_combinations(settings.parameters) or 0
    if count > MOST_TRIALS and settings.max_trials is None:
        raise RefusedError(sentences.GRID_TOO_LARGE, count=count, most=MOST_TRIALS)


def has_tpe() -> bool:
    """Return True if Optuna is installed, without importing it."""
    return importlib.util.find_spec("optuna") is not None
