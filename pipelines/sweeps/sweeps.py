"""Sweeps of a workspace: start, list, show, stop, resume."""

from __future__ import annotations

from dataclasses import dataclass

from modules.catalog import Catalog
from modules.search.strategies import RandomSuggester
from modules.search.trials import OPEN, ranked
from pipelines.document.checks.sweep import sweep_problems
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.settings import SweepSettings
from pipelines.errors import NotFoundError, RefusedError
from pipelines.problems import PipelineError, errors_in
from pipelines.runs.run_service import RunService
from pipelines.sentences import sweeps as sentences
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.sweeps import ACTIVE, SweepRow, SweepState, SweepStore, TrialRow
from pipelines.sweeps.repeats import (
    NUM_SEEDS,
    Configuration,
    configurations,
    own_trials,
    planned_repeats,
)
from pipelines.sweeps.space import with_values
from pipelines.sweeps.suggest import make_suggester, resolved_strategy

ENDED: tuple[SweepState, ...] = ("stopped", "failed", "completed")


@dataclass(frozen=True)
class Sweep:
    """A sweep with its trials by number."""

    row: SweepRow
    trials: tuple[TrialRow, ...]

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def settings(self) -> SweepSettings:
        return SweepSettings.model_validate(self.row.settings)

    @property
    def is_active(self) -> bool:
        return self.row.state in ACTIVE

    @property
    def ranked(self) -> list[TrialRow]:
        """Return the completed trials, best first; repetitions with other seeds do not count."""
        settings = self.settings
        if settings.objective is None:
            return []
        return ranked(own_trials(self.trials, settings), settings.objective.goal)

    @property
    def best(self) -> TrialRow | None:
        """Return the best completed trial; repetitions with other seeds do not count."""
        return next(iter(self.ranked), None)

    @property
    def own_trials(self) -> list[TrialRow]:
        """Return the trials of the strategy, without repetitions."""
        return own_trials(self.trials, self.settings)

    @property
    def configurations(self) -> list[Configuration]:
        """Return the values that were repeated with other seeds, the best mean first."""
        return configurations(self.trials, self.settings)

    @property
    def recommended(self) -> TrialRow | None:
        """Return the trial whose values to use: of the best mean, if trials were repeated."""
        repeated = [one for one in self.configurations if one.spread is not None]
        return repeated[0].trial if repeated else self.best

    @property
    def has_trials_left(self) -> bool:
        """Return True if trials of the strategy have not been started, or not ended."""
        is_full = len(self.own_trials) >= (self.settings.max_trials or 0)
        return not is_full or any(trial.state in OPEN for trial in self.trials)


class Sweeps:
    """Sweeps of a workspace. Unknown ones raise ``NotFoundError``."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self.store = SweepStore(runs.database)

    def all(self) -> list[Sweep]:
        """Return the sweeps, newest first."""
        return [self._with_trials(row) for row in self.store.all()]

    def find(self, text: str) -> Sweep:
        """Return the sweep whose id starts or ends with ``text``; ``last`` is the newest."""
        if text == "last":
            newest = self.store.all(limit=1)
            if newest:
                return self._with_trials(newest[0])
        ids = self.store.find(text) if text else []
        exact = [sweep_id for sweep_id in ids if sweep_id == text] or ids
        if len(exact) > 1:
            raise NotFoundError(sentences.SEVERAL_SWEEPS, text=text[:60], count=len(exact))
        row = self.store.get(exact[0]) if exact else None
        if row is None:
            raise NotFoundError(sentences.NO_SWEEP, text=text[:60])
        return self._with_trials(row)

    def _with_trials(self, row: SweepRow) -> Sweep:
        return Sweep(row, tuple(self.store.trials(row.id)))

    def start(
        self, document: PipelineDocument, options: RunOptions, experiment: str | None = None
    ) -> Sweep:
        """Start the sweep of a document's settings, and make sure that a runner drives it.

        Args:
            document: Pipeline; the sweep keeps this version of it.
            options: Options of the trials: saved pipeline, description, allowed folders.
            experiment: Experiment of the trials; None: the pipeline's name.

        Raises:
            PipelineError: The sweep does not fit the pipeline, or its trials cannot be run.
            RefusedError: The strategy does not fit the spaces, or is not installed.
        """
        settings = self.checked(document, options.to_node)
        sweep_id = self.store.add(
            (document.name or document.id)[:200],
            document.to_json(),
            settings.model_dump(mode="json"),
            {**options.to_json(), "to_node": options.to_node, "experiment": experiment},
            options.pipeline_id,
        )
        self._runs.runner.ensure()
        return self.find(sweep_id)

    def checked(self, document: PipelineDocument, to_node: str | None = None) -> SweepSettings:
        """Return the settings of a document's sweep with the strategy resolved."""
        catalog = self._runs.catalog
        require_sweep(document, catalog)
        assert document.settings.sweep is not None
        settings = resolved_strategy(document.settings.sweep)
        # with values of a trial: those on the canvas may be missing
        is_grid = settings.strategy == "grid"
        first = make_suggester(settings) if is_grid else RandomSuggester(settings.parameters, 0)
        trial = with_values(document, first.suggest(0, []) or {})
        problems = errors_in(self._runs.checks.problems(trial, to_node))
        if problems:
            raise PipelineError(problems)
        return settings

    def stop(self, sweep_id: str) -> Sweep:
        """Stop a sweep: its runs are cancelled, and continue when it is resumed."""
        if not self.store.set_state(sweep_id, "stopping", only_from=("running",)):
            raise RefusedError(sentences.SWEEP_NOT_RUNNING, sweep=sweep_id)
        self._runs.runner.ensure()
        return self.find(sweep_id)

    def resume(self, sweep_id: str) -> Sweep:
        """Continue a sweep that was stopped or has failed, with the trials that are left."""
        sweep = self.find(sweep_id)
        if sweep.is_active:
            raise RefusedError(sentences.SWEEP_UNDER_WAY, sweep=sweep_id)
        if not sweep.has_trials_left:
            raise RefusedError(sentences.SWEEP_ENDED, sweep=sweep_id)
        self.store.resume(sweep_id, only_from=ENDED)
        self._runs.runner.ensure()
        return self.find(sweep_id)

    def repeat(self, sweep_id: str, num_seeds: int = NUM_SEEDS) -> Sweep:
        """Run the best three configurations again with other random seeds.

        Raises ``RefusedError`` if the sweep runs, has no result, or no node of it has a seed.
        """
        sweep = self.find(sweep_id)
        if sweep.is_active:
            raise RefusedError(sentences.SWEEP_UNDER_WAY, sweep=sweep_id)
        document = parse_document(sweep.row.document)
        planned = planned_repeats(
            sweep.trials, sweep.settings, document, self._runs.catalog, num_seeds
        )
        count = len(sweep.trials)
        if not self.store.plan_repeats(sweep_id, count, planned, only_from=ENDED):
            raise RefusedError(sentences.SWEEP_UNDER_WAY, sweep=sweep_id)
        self._runs.runner.ensure()
        return self.find(sweep_id)


def require_sweep(document: PipelineDocument, catalog: Catalog) -> None:
    """Raise ``PipelineError`` with all problems of a document's sweep, also if it has none."""
    if document.settings.sweep is None:
        settings = document.settings.model_copy(update={"sweep": SweepSettings()})
        document = document.model_copy(update={"settings": settings})
    problems = list(sweep_problems(document, catalog))
    if problems:
        raise PipelineError(problems)


def with_sweep(document: PipelineDocument, sweep: SweepSettings) -> PipelineDocument:
    """Return the document with these settings of its sweep."""
    settings = document.settings.model_copy(update={"sweep": sweep})
    return document.model_copy(update={"settings": settings})
