"""The plan of a search: its spaces, its strategy and its number of trials, checked together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from modules.errors import InvalidSearchSpaceError, ModuleError
from modules.search.spaces import Space, num_combinations, num_values
from modules.search.strategies import Suggester, has_tpe, suggester
from modules.search.trials import Goal
from modules.sentences import search as say
from modules.spec import ParameterFinding
from modules.training.parameters import TrainParameters, check_settings
from modules.tuning.parameters import MOST_TRIALS, TuneParameters
from modules.tuning.values_to_try import fault, read_spaces, with_values


@dataclass(frozen=True)
class SearchPlan:
    """Values and number of the trials of a search."""

    base: TrainParameters
    """Settings of every trial, apart from the values that are tried."""
    spaces: Mapping[str, Space]
    """By the name of the parameter."""
    num_trials: int
    suggester: Suggester

    def settings(self, values: Mapping[str, Any]) -> TrainParameters:
        """Return the settings of a trial."""
        return with_values(self.base, values)


def read_plan(parameters: TuneParameters) -> SearchPlan:
    """Return what a search tries; raise ``InvalidSearchSpaceError`` (3106) for a faulty one."""
    base = parameters.training
    spaces = read_spaces(parameters.values_to_try, base)
    count = num_combinations(spaces)
    num_trials = parameters.trials if count is None else min(count, parameters.trials)
    if parameters.strategy == "grid":
        for name, space in spaces.items():
            if num_values(space) is None:
                raise fault(say.GRID_OF_RANGE, place=name)
        num_trials = count or 0
        if num_trials > MOST_TRIALS:
            raise fault(say.LARGE_GRID, count=num_trials, most=MOST_TRIALS)
    if parameters.halving is not None and "epochs" in spaces:
        raise fault(say.HALVING_TRIES_EPOCHS)
    if parameters.strategy == "tpe" and not has_tpe():
        raise InvalidSearchSpaceError(say.NO_OPTUNA, parameter="strategy")
    goal: Goal = "maximize" if parameters.metric == "accuracy" else "minimize"
    strategy = suggester(parameters.strategy, spaces, parameters.search_seed, goal)
    return SearchPlan(base, spaces, num_trials, strategy)


def check_search(parameters: TuneParameters) -> Iterable[ParameterFinding]:
    """Check the values to try and, as far as they are not tried, the settings of trainings."""
    try:
        plan = read_plan(parameters)
    except ModuleError as error:
        yield ParameterFinding.from_error(error, "values_to_try")
        return
    first, epochs = parameters.first_compared_epoch, parameters.epochs
    if parameters.halving is not None and first >= epochs:
        yield ParameterFinding.of(
            "first_compared_epoch", say.HALVING_TOO_LATE, first=first, epochs=epochs
        )
    for finding in check_settings(parameters.training):
        if finding.parameter not in plan.spaces:
            yield finding
