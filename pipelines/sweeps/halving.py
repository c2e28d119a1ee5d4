"""Successive halving of one sweep: the node that pauses, and at which epochs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modules.catalog import Catalog
from modules.search.halving import Decision, halved, rungs
from pipelines.document.checks.sweep import EPOCHS
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.document.settings import Goal, SweepPruning, SweepSettings
from pipelines.store.database.sweeps import TrialRow


@dataclass(frozen=True)
class Halving:
    """Successive halving; without ``pruning``, trials run to their end."""

    node: str = ""
    epochs: int = 0
    goal: Goal = "maximize"
    pruning: SweepPruning | None = None

    @classmethod
    def of(cls, settings: SweepSettings, document: Mapping[str, Any], catalog: Catalog) -> Halving:
        """Return that of a sweep; one that never pauses unless its node has epochs."""
        pruning, objective = settings.pruning, settings.objective
        if pruning is None or objective is None or pruning.kind != "halving":
            return cls()
        nodes = expanded(parse_document(document)).nodes
        node = next((node for node in nodes if node.id == objective.node), None)
        module = None if node is None else catalog.get(node.module)
        if node is None or module is None or EPOCHS not in module.parameters_type.model_fields:
            return cls()
        default = module.parameters_type.model_fields[EPOCHS].default
        epochs = node.parameters.get(EPOCHS, default)
        return cls(node.id, epochs, objective.goal, pruning) if isinstance(epochs, int) else cls()

    @property
    def first_epoch(self) -> int | None:
        """Return the epoch at which new trials pause; None if they do not."""
        return None if self.pruning is None else rungs(self.pruning, self.epochs)[0]

    def pause_of(self, trial: TrialRow) -> dict[str, int] | None:
        """Return the epoch at which a trial's node pauses; None for one that runs to its end."""
        if self.pruning is None or trial.epoch is None or trial.epoch >= self.epochs:
            return None
        return {self.node: trial.epoch}

    def decision(self, trials: Sequence[TrialRow]) -> Decision[TrialRow] | None:
        """Return what becomes of the trials of a rung; None while some have not reached it."""
        if self.pruning is None:
            return None
        return halved(trials, self.pruning, self.epochs, self.goal)
