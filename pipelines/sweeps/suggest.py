"""Strategies of sweeps: the settings that are meant, and their suggester."""

from __future__ import annotations

from modules.search.spaces import num_combinations, num_values
from modules.search.strategies import RandomSuggester, Suggester, has_tpe, suggester
from modules.search.trials import Goal
from modules.sentences import search as search_sentences
from pipelines.document.settings import MOST_TRIALS, SweepSettings
from pipelines.errors import RefusedError
from pipelines.sentences import sweeps as sentences

FEW_COMBINATIONS = 20
"""Number of combinations that the strategy ``auto`` tries in full."""


def make_suggester(settings: SweepSettings) -> Suggester:
    """Return the strategy of a sweep that was resolved (``resolved_strategy``)."""
    if settings.strategy == "auto":
        return RandomSuggester(settings.parameters, settings.seed)
    goal: Goal = settings.objective.goal if settings.objective else "maximize"
    return suggester(settings.strategy, settings.parameters, settings.seed, goal)


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
        raise RefusedError(search_sentences.NO_OPTUNA)
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
    for place, space in settings.parameters.items():
        if num_values(space) is None:
            raise RefusedError(search_sentences.GRID_OF_RANGE, place=place)
    count = num_combinations(settings.parameters) or 0
    if count > MOST_TRIALS and settings.max_trials is None:
        raise RefusedError(sentences.GRID_TOO_LARGE, count=count, most=MOST_TRIALS)
