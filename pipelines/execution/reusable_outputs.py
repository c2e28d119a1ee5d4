"""Outputs that steps can reuse."""

from __future__ import annotations

from pipelines.execution.active_run import ActiveRun
from pipelines.execution.plan import Step
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.artifacts import ArtifactRecord


class ReusableOutputs:
    """Outputs in the store, and new ones that may not be recorded there yet."""

    def __init__(self, artifacts: ArtifactStore) -> None:
        self._artifacts = artifacts
        self._made: dict[str, ArtifactRecord] = {}
        self._entered: set[str] = set()
        """Keys of new outputs that are recorded: older plans lack them."""

    def add(self, record: ArtifactRecord) -> None:
        """Add a new output."""
        self._made[record.key] = record

    def enter(self) -> bool:
        """Note that the store has new outputs, which may change; return whether there were any."""
        had_some = bool(self._made)
        self._entered |= self._made.keys()
        self._made.clear()
        return had_some

    def clear(self) -> None:
        """Forget new outputs: later plans find them in the store."""
        self._entered.clear()

    def find(self, run: ActiveRun, step: Step) -> ArtifactRecord | None:
        """Return the output of a step: a new one, one found with the plan, or one in the store."""
        keys = run.keys_of(step)
        record = next((self._made[key] for key in keys if key in self._made), None)
        if record is not None and self._artifacts.is_intact(record):
            return record
        if self._entered.isdisjoint(keys) and not run.steps[step.node].is_stored:
            return None
        # What was found with the plan counts only in its first round; then the store is queried.
        planned = run.plan.artifacts if run.plan else {}
        stored = planned if planned.keys() & keys else self._artifacts.find_all(keys)
        self._entered.difference_update(key for key in keys if key not in stored)
        return next((stored[key] for key in keys if key in stored), None)
