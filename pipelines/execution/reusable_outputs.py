"""The outputs that steps need not make again."""

from __future__ import annotations

from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.plan import Step
from pipelines.store.artifacts import ArtifactRecord


class ReusableOutputs:
    """Outputs of the store, and those just made that may not be entered in it yet."""

    def __init__(self, artifacts: ArtifactStore) -> None:
        self._artifacts = artifacts
        self._made: dict[str, ArtifactRecord] = {}
        self._entered: set[str] = set()
        """The keys of what was made and has been entered: plans that are older lack them."""

    def add(self, record: ArtifactRecord) -> None:
        """An output that was made a moment ago."""
        self._made[record.key] = record

    def enter(self) -> bool:
        """What was made is in the store by now, where it may change; whether there was any."""
        had_some = bool(self._made)
        self._entered |= self._made.keys()
        self._made.clear()
        return had_some

    def clear(self) -> None:
        """Forget what was made: whoever begins now finds it with the plan."""
        self._entered.clear()

    def find(self, run: ActiveRun, step: Step) -> ArtifactRecord | None:
        """The output of a step: made a moment ago, found with the plan, or in the store by now."""
        keys = run.keys_of(step)
        made = next((self._made[key] for key in keys if key in self._made), None)
        if made is not None and self._artifacts.is_intact(made):
            return made
        if self._entered.isdisjoint(keys) and not run.steps[step.node].is_stored:
            return None
        # What was found with the plan counts in its first round alone; then the store is asked.
        planned = run.plan.found if run.plan else {}
        stored = planned if planned.keys() & keys else self._artifacts.find_all(keys)
        self._entered.difference_update(key for key in keys if key not in stored)
        return next((stored[key] for key in keys if key in stored), None)
