"""Strategies of a search: each returns the values of the next trial from those before.

A strategy keeps nothing that the trials do not say: after a restart it continues from them.
"""

from __future__ import annotations

import importlib.util
import json
import random
import warnings
from collections.abc import Container, Sequence
from typing import Any, Literal, Protocol

from modules.search.spaces import (
    SpaceLike,
    Spaces,
    TrialValues,
    combination,
    drawn,
    num_combinations,
)
from modules.search.trials import Goal, Trial

SearchStrategy = Literal["grid", "random", "tpe"]
DRAWS = 1000
"""Attempts to draw values that no trial has."""
TPE_DRAWS = 10
"""Attempts of TPE to suggest values that no trial has; then they are drawn at random."""
FEW_RANDOM_TRIALS = 5
"""Random trials before TPE models the results, as many as fit a short sweep."""


class Suggester(Protocol):
    """Strategy of a search."""

    def suggest(self, number: int, trials: Sequence[Trial]) -> TrialValues | None:
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
    ) -> TrialValues | None:
        return combination(self._spaces, number) if number < self._count else None


class RandomSuggester:
    """Values drawn at random, the same for the same seed and number; none twice."""

    def __init__(self, spaces: Spaces, seed: int) -> None:
        self._spaces = spaces
        self._seed = seed
        self._count = num_combinations(spaces)

    def suggest(self, number: int, trials: Sequence[Trial]) -> TrialValues | None:
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

    Bergstra et al., Algorithms for Hyper-Parameter Optimization, 2011. It suggests no values twice,
    as trainings with the same values and seed are equal.
    """

    def __init__(self, spaces: Spaces, seed: int, goal: Goal) -> None:
        self._spaces = spaces
        self._seed = seed
        self._goal = goal
        self._count = num_combinations(spaces)

    def suggest(self, number: int, trials: Sequence[Trial]) -> TrialValues | None:
        known = {_key(trial.values) for trial in trials}
        if self._count is not None and len(known) >= self._count:
            return None
        values = self._untried(number, trials, known)
        return values or RandomSuggester(self._spaces, self._seed).suggest(number, trials)

    def _untried(
        self, number: int, trials: Sequence[Trial], known: Container[str]
    ) -> TrialValues | None:
        """Return the most promising values that no trial has; None if only known ones are."""
        import optuna  # takes a third of a second

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of experimental arguments
            optuna.logging.set_verbosity(optuna.logging.ERROR)
            # values of trials that run, and of earlier attempts, count as bad
            sampler = optuna.samplers.TPESampler(
                # independent for each number, so that sweeps with other seeds share no trials
                seed=random.Random(f"{self._seed} {number}").randrange(2**32),
                n_startup_trials=FEW_RANDOM_TRIALS,
                constant_liar=True,
            )
            study = optuna.create_study(direction=self._goal, sampler=sampler)
            study.add_trials(
                [seen for trial in trials if (seen := self._known(trial, optuna)) is not None]
            )
            distributions = {
                place: _distribution(space, optuna) for place, space in self._spaces.items()
            }
            for _ in range(TPE_DRAWS):
                suggested = study.ask(distributions).params
                values = {
                    place: _value(space, suggested[place]) for place, space in self._spaces.items()
                }
                if _key(values) not in known:
                    return values
        return None

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


def _distribution(space: SpaceLike, optuna: Any) -> Any:
    kinds = optuna.distributions
    if space.kind == "choices":  # by position: Optuna accepts only plain values
        last = len(space.choices) - 1
        if _are_numbers(space.choices):  # good ones have good neighbors
            return kinds.IntDistribution(0, last)
        return kinds.CategoricalDistribution(list(range(last + 1)))
    if space.kind == "integer":
        return kinds.IntDistribution(int(space.low or 0), int(space.high or 0))
    return kinds.FloatDistribution(
        float(space.low or 0), float(space.high or 0), space.kind == "log"
    )


def _param(space: SpaceLike, value: Any) -> Any:
    if space.kind != "choices":
        return value
    return [_key(choice) for choice in _ordered(space.choices)].index(_key(value))


def _value(space: SpaceLike, suggested: Any) -> Any:
    value: Any = _ordered(space.choices)[suggested] if space.kind == "choices" else suggested
    return value


def _ordered(choices: Sequence[Any]) -> Sequence[Any]:
    """Return choices in the order that TPE models: numbers by size, others as they are."""
    return sorted(choices) if _are_numbers(choices) else choices


def _are_numbers(choices: Sequence[Any]) -> bool:
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in choices)


def _key(value: Any) -> str:
    """Return equal texts for equal JSON values; 1 and True differ, unlike in Python."""
    return json.dumps(value, sort_keys=True)


def suggester(strategy: SearchStrategy, spaces: Spaces, seed: int, goal: Goal) -> Suggester:
    """Return a strategy; ``seed`` is 0 to 2**32 - 1."""
    if strategy == "grid":
        return GridSuggester(spaces)
    if strategy == "tpe":
        return TpeSuggester(spaces, seed, goal)
    return RandomSuggester(spaces, seed)


def has_tpe() -> bool:
    """Return True if Optuna is installed, without importing it."""
    return importlib.util.find_spec("optuna") is not None
