"""Repetitions of the best trials with other random seeds, which show how much is chance.

A repetition is a trial with the same values and, besides, other seeds: values of parameters that
the sweep does not vary. Strategies, early stopping and the best trial leave repetitions out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from pydantic import ValidationError

from modules.artifacts import ImageDirectory
from modules.catalog import Catalog
from modules.search.spaces import TrialValues
from modules.search.trials import Goal, ranked
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import PipelineDocument
from pipelines.document.settings import SweepSettings
from pipelines.errors import RefusedError
from pipelines.sentences import sweeps as sentences
from pipelines.store.database.sweeps import TrialRow

SEED = "random_seed"
NUM_BEST = 3
"""Number of configurations that are repeated."""
NUM_SEEDS = 3
"""Number of other seeds if none is given."""
MOST_SEEDS = 20
LARGEST_SEED = 2**32 - 1

Seeds = Mapping[str, int]
"""Seeds by NODE.PARAMETER."""


def own_trials(trials: Sequence[TrialRow], settings: SweepSettings) -> list[TrialRow]:
    """Return the trials of the strategy, without repetitions."""
    return [trial for trial in trials if not is_repeat(trial, settings)]


def is_repeat(trial: TrialRow, settings: SweepSettings) -> bool:
    """Return True for a trial with values that the sweep does not vary: its seeds."""
    return not set(trial.values) <= set(settings.parameters)


def seeds_of(trial: TrialRow, settings: SweepSettings) -> TrialValues:
    """Return the seeds of a repetition."""
    varied = settings.parameters
    return {place: value for place, value in trial.values.items() if place not in varied}


@dataclass(frozen=True)
class Configuration:
    """Values that were tried with several seeds."""

    trial: TrialRow
    """Trial of the strategy; the others repeat its values."""
    repeats: tuple[TrialRow, ...]

    @property
    def objectives(self) -> list[float]:
        """Return the objectives of the completed trials, the first seed first."""
        trials = (self.trial, *self.repeats)
        ended = [trial.objective for trial in trials if trial.state == "completed"]
        return [value for value in ended if value is not None]

    @property
    def mean(self) -> float | None:
        """Return the mean of the objectives; None without any."""
        return fmean(self.objectives) if self.objectives else None

    @property
    def spread(self) -> float | None:
        """Return the standard deviation of the sample; None for fewer than two objectives."""
        return stdev(self.objectives) if len(self.objectives) > 1 else None


def configurations(trials: Sequence[TrialRow], settings: SweepSettings) -> list[Configuration]:
    """Return the configurations that were repeated, the best mean first."""
    repeats: dict[str, list[TrialRow]] = {}
    for trial in trials:
        if is_repeat(trial, settings):
            repeats.setdefault(_key(trial, settings), []).append(trial)
    repeated = [
        Configuration(trial, tuple(own))
        for trial in own_trials(trials, settings)
        if (own := repeats.pop(_key(trial, settings), None)) is not None
    ]
    sign = -1 if settings.objective and settings.objective.goal == "maximize" else 1
    return sorted(repeated, key=lambda one: (one.mean is None, sign * (one.mean or 0.0)))


def _key(trial: TrialRow, settings: SweepSettings) -> str:
    values = {place: trial.values.get(place) for place in settings.parameters}
    return json.dumps(values, sort_keys=True)


def planned_repeats(
    trials: Sequence[TrialRow],
    settings: SweepSettings,
    document: PipelineDocument,
    catalog: Catalog,
    num_seeds: int,
) -> list[TrialValues]:
    """Return the values of the repetitions of the best trials, each with seeds that are new.

    Raises ``RefusedError`` if no trial has completed, or no node has a seed that can be set.
    """
    if not 1 <= num_seeds <= MOST_SEEDS:
        raise RefusedError(sentences.NUMBER_OF_SEEDS, most=MOST_SEEDS)
    goal: Goal = settings.objective.goal if settings.objective else "maximize"
    best = ranked(own_trials(trials, settings), goal)[:NUM_BEST]
    if settings.objective is None or not best:
        raise RefusedError(sentences.NOTHING_TO_REPEAT)
    base = base_seeds(document, catalog, settings)
    planned: list[TrialValues] = []
    for trial in best:
        key = _key(trial, settings)
        same = [one for one in trials if is_repeat(one, settings) and _key(one, settings) == key]
        used = [seeds_of(one, settings) for one in same]
        planned += [{**trial.values, **seeds} for seeds in _new_seeds(base, used, num_seeds)]
    return planned


def base_seeds(
    document: PipelineDocument, catalog: Catalog, settings: SweepSettings
) -> dict[str, int]:
    """Return the seeds of trainings and other nodes up to the compared one; not those of images.

    Another split of the images would compare other data.
    """
    graph = Graph(document, catalog)
    bound = {bind for parameter in document.parameters for bind in parameter.binds}
    node_id = settings.objective.node if settings.objective else ""
    seeds: dict[str, int] = {}
    for node in document.nodes:
        module, place = catalog.get(node.module), f"{node.id}.{SEED}"
        is_on_the_way = node.id == node_id or node.id in graph.upstream(node_id)
        is_on_the_way = is_on_the_way and not node.is_pinned  # its stored result has one seed
        if module is None or not is_on_the_way or SEED not in module.parameters_type.model_fields:
            continue
        makes_images = any(issubclass(port.type, ImageDirectory) for port in module.outputs)
        if makes_images or place in bound or place in settings.parameters:
            continue
        try:
            seed = getattr(parameters_of(node, module, document), SEED)
        except ValidationError:
            continue
        seeds[place] = seed if isinstance(seed, int) else 0
    if not seeds:
        raise RefusedError(sentences.NO_SEED, node=node_id)
    return seeds


def _new_seeds(base: Seeds, used: Sequence[Seeds], count: int) -> Iterator[dict[str, int]]:
    """Yield seeds that follow the base and were not used, the same step for all nodes."""
    step = 0
    while count:
        step += 1
        seeds = {place: (seed + step) % (LARGEST_SEED + 1) for place, seed in base.items()}
        if seeds not in used:
            count -= 1
            yield seeds
