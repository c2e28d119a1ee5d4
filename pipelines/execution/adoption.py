"""Adoption of steps that survived their runner; those not found at their targets start again."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.events import Event, StepState
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.recovery import UNDER_WAY
from pipelines.execution.step_events import restart_events
from pipelines.targets.base import StepHandle, Target
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace


class Adoption:
    """Queries targets for the steps that an earlier runner has submitted."""

    def __init__(self, workspace: Workspace, targets: Mapping[str, Target]) -> None:
        self._workspace = workspace
        self._targets = targets

    def adopt(self, run: ActiveRun) -> list[Event]:
        """Adopt the steps of a run that may continue; return the events of the others."""
        events: list[Event] = []
        for node, state in run.state.steps.items():
            if state.status not in UNDER_WAY:
                continue
            handle = self._find(run.id, node, state)
            if handle is None:
                events += restart_events(node, state)
            else:
                run.adopted[node] = handle
        return events

    def _find(self, run_id: str, node: str, state: StepState) -> StepHandle | None:
        folder = self._workspace.node_dir(run_id, node) / f"attempt-{state.attempt}"
        spec = StepSpec.find(folder)
        target = self._targets.get(spec.target) if spec else None
        return target.adopt(spec) if target and spec else None
