"""Importance of the varied parameters for the objective of a sweep."""

from __future__ import annotations

import json
from collections.abc import Sequence

from modules.search.spaces import SpaceLike, Spaces
from pipelines.store.database.sweeps import TrialRow

FEWEST_TRIALS = 8
"""Number of trials with a value from which an importance is estimated."""
METHOD = "permutation importance of a random forest"
NUM_TREES = 100
NUM_REPEATS = 10


def importance(spaces: Spaces, trials: Sequence[TrialRow]) -> dict[str, float] | None:
    """Return the shares of the parameters by place, which sum to 1; None for too few trials.

    A random forest predicts the objective from the values; a parameter's importance is the loss of
    its R² when its values are shuffled (Breiman, Random Forests, 2001). Trials that were stopped
    early count with their value so far.
    """
    compared = [trial for trial in trials if trial.objective is not None]
    if len(compared) < FEWEST_TRIALS or len({trial.objective for trial in compared}) == 1:
        return None
    import numpy as np
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.inspection import permutation_importance

    columns = [
        [_number(space, trial.values.get(place)) for trial in compared]
        for place, space in spaces.items()
    ]
    features = np.array(columns, dtype=float).T
    objectives = np.array([trial.objective for trial in compared], dtype=float)
    forest = RandomForestRegressor(NUM_TREES, random_state=0).fit(features, objectives)
    permuted = permutation_importance(
        forest, features, objectives, n_repeats=NUM_REPEATS, random_state=0
    )
    means = [max(0.0, float(mean)) for mean in permuted.importances_mean]
    whole = sum(means)
    if whole == 0:
        return None
    return {place: mean / whole for place, mean in zip(spaces, means, strict=True)}


def _number(space: SpaceLike, value: object) -> float:
    """Return a value as a number: choices that are not numbers by their position."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    texts = [json.dumps(choice, sort_keys=True) for choice in space.choices]
    text = json.dumps(value, sort_keys=True)
    return float(texts.index(text)) if text in texts else -1.0
