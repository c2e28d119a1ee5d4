"""Preparation of a step: its inputs, folders and share of the machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from modules.operating_system.machine import num_threads
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.plan import Step
from pipelines.execution.resources import Rooms, is_light, threads_of
from pipelines.execution.stored_inputs import read_by
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from pipelines.workspace_settings import artifacts_cache_bytes, shards_cache_bytes


class StepPreparation:
    """Writes the specification of an attempt."""

    def __init__(self, workspace: Workspace, artifacts: ArtifactStore, rooms: Rooms) -> None:
        self._workspace = workspace
        self._artifacts = artifacts
        self._rooms = rooms
        self._shards_cache_bytes = shards_cache_bytes(workspace.root)

    def spec(self, run: ActiveRun, step: Step, attempt: int, gpus: tuple[str, ...]) -> StepSpec:
        """Return the specification of an attempt, numbered over all submissions of the run."""
        parameters = step.parameters.model_dump(mode="json")
        # A parameter names a registered model; the step only gets the folders of those.
        named = {parameter for parameter in parameters.values() if isinstance(parameter, str)}
        return StepSpec(
            run_id=run.id,
            node=step.node,
            attempt=attempt,
            module_id=step.module.id,
            origin=asdict(step.origin),
            parameters=parameters,
            inputs={
                port: str(self._input_folder(step, run.artifact_id(end.node)) / end.port)
                for port, end in step.inputs.items()
            },
            key=step.key,
            cut_short=run.has_private_input(step),
            pause_after=(run.record.options.pause or {}).get(step.node),
            node_dir=str(self._workspace.node_dir(run.id, step.node)),
            staging_dir=str(self._artifacts.staging_dir(run.id, step.node, attempt)),
            datasets_dir=str(self._workspace.datasets_dir),
            weights_dir=str(self._workspace.weights_dir),
            cache_dir=str(self._workspace.cache_dir),
            shards_cache_bytes=self._shards_cache_bytes,
            models={name: str(run.models[name]) for name in named if name in run.models},
            allowed_roots=run.record.options.allowed_roots,
            node_count=step.settings.node_count,
            process_count_per_node=step.settings.process_count_per_node,
            launches=step.module.launches,
            environment=asdict(step.environment) if step.environment else None,
            environments_dir=str(self._workspace.environments_dir),
            launcher=step.settings.launcher,
            parameter_server_count=step.settings.parameter_server_count,
            cores_per_process=step.settings.cores_per_process,
            steps_per_gpu=step.settings.steps_per_gpu,
            variables=step.settings.variables,
            fingerprint=step.fingerprint,
            pipeline_parameters=dict(step.pipeline_parameters),
            gpus=list(gpus),
            **self._share(step),
            **self._stored_inputs(run, step),
        )

    def _shares_folder(self, step: Step) -> bool:
        return self._rooms.targets[step.target].shares_folder

    def _input_folder(self, step: Step, artifact_id: str) -> Path:
        """Return the path of an input, as seen by machines without the workspace if needed."""
        if self._shares_folder(step):
            return self._artifacts.artifact_folder(artifact_id)
        return self._artifacts.root / artifact_id

    def _stored_inputs(self, run: ActiveRun, step: Step) -> dict[str, Any]:
        """Return what machines without access to the workspace download from its object store."""
        remote = self._artifacts.remote
        if self._shares_folder(step) or remote is None:
            return {}
        return {
            "contents": remote.contents(read_by(run, step)) or {},
            "artifacts_cache_bytes": artifacts_cache_bytes(self._workspace.root),
        }

    def _share(self, step: Step) -> dict[str, Any]:
        """Return its share of its nodes and the supervisor there."""
        target, machine = self._rooms.targets[step.target], self._rooms.machine
        if target.offer.is_remote:  # its nodes know their cores
            return {
                "threads": step.settings.cores_per_process or 0,
                "target": step.target,
                "time_limit_minutes": step.settings.time_limit_minutes,
            }
        return {
            "threads": num_threads(threads_of(step, machine.num_cores)),
            "niceness": 10 if is_light(step) and machine.is_training else 0,
        }
