"""Ray cluster as compute target: a Ray job per step, whose driver starts an agent per machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import ray as say
from pipelines.targets.engine import EngineSilentError, Job, require_shared
from pipelines.targets.finding import Finding
from pipelines.targets.ray.job import (
    ENDED,
    REPORT_FILE,
    job_state,
    prepared,
    report_in,
    submit_stored,
)
from pipelines.targets.ray.jobs import RayJobs
from pipelines.targets.ray.settings import RaySettings
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.settings import TargetSettings
from pipelines.targets.step_mirror import location_of
from pipelines.workers.agent_files import REPORT_TIMEOUT_SECONDS, AgentFiles
from pipelines.workers.agent_keeper import RANK
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workers.node_facts import software
from pipelines.workers.node_folder import StepLocation
from pipelines.workers.preloads import TORCH_ENVIRONMENT
from pipelines.workers.secret_store import SecretStore
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

DRIVER_LEASE_SECONDS = 20.0
"""Lease of warm agents: they do not end with their driver."""


class Ray:
    """Jobs API of a cluster whose machines share a folder or an object store with this one."""

    title = "Ray"
    gpus = 0
    """Agents count no GPUs: Ray only assigns machines with the reserved resources."""
    report_seconds = REPORT_TIMEOUT_SECONDS

    def __init__(self, settings: RaySettings, workspace: Workspace) -> None:
        self._settings = settings
        self._workspace = workspace
        self._jobs = RayJobs(settings.address, settings.token_file)
        self.interface = settings.interface
        self.lease_seconds = DRIVER_LEASE_SECONDS if settings.keep_warm else 0.0

    def submit(self, name: str, spec: StepSpec) -> None:
        """Submit the driver with its plan."""
        settings = self._settings
        program = (
            self._program(spec) if settings.shares_folder else self._unshared_program(name, spec)
        )
        words = ("--rank-from", RANK, "--parent", "{parent}")
        plan = {
            "count": spec.host_count,
            "bundle": settings.bundle(spec),
            "threads": spec.cores_per_process or settings.cpus_per_process,
            "command": [settings.python, "-m", *program, *words],
            **self._warm(name, spec),
        }
        if settings.shares_folder:
            self._jobs.submit(name, prepared(AgentFiles(spec.attempt_dir).folder, plan))
        else:
            names = AgentFiles(spec.attempt_dir).order().secrets
            secrets = SecretStore(self._workspace).of_attempt(spec.attempt_dir, names)
            submit_stored(self._jobs, name, {**plan, "secrets": secrets})

    def _program(self, spec: StepSpec) -> tuple[str, ...]:
        require_shared(self._settings.shared_folder, spec)
        return "pipelines.workers.agent", str(spec.spec_path)

    def _unshared_program(self, name: str, spec: StepSpec) -> tuple[str, ...]:
        is_together = spec.parameters.get("outputs_of") == "all processes together"
        if spec.launches and spec.host_count > 1 and is_together:
            raise RefusedError(say.ONE_FOLDER_NEEDED)
        location = self._location(name, spec).argument
        return "pipelines.workers.unshared_node", "{folder}", location

    def _warm(self, name: str, spec: StepSpec) -> dict[str, Any]:
        """Return the command of a process that survives steps, and its name: that of its code."""
        python, minutes = self._settings.python, str(self._settings.keep_warm)
        if minutes == "0":
            return {}
        location = None if self._settings.shares_folder else self._location(name, spec)
        store = [] if location is None else [location.address.partition(":")[0]]
        content = json.dumps([python, minutes, software(), *store])
        warm = {
            "name": f"designer-{sha256(content.encode()).hexdigest()[:16]}",
            "command": [python, "-m", "pipelines.workers.warm_agents", minutes, *store],
            "environment": TORCH_ENVIRONMENT,
        }
        if location is None:
            return {"spec": str(spec.spec_path), "warm": warm}
        return {"spec": name, "place": asdict(location), "warm": warm}

    def _location(self, name: str, spec: StepSpec) -> StepLocation:
        return location_of(self._workspace, name, spec.attempt_dir, spec.host_count)

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Return the jobs of ``steps`` that Ray knows."""
        facts_by_name = {name: self._jobs.find(name) for name in steps}
        return {
            name: self._job_state(name, facts, AgentFiles(steps[name].attempt_dir))
            for name, facts in facts_by_name.items()
            if facts is not None
        }

    def _job_state(self, name: str, facts: Mapping[str, Any], files: AgentFiles) -> Job:
        if self._settings.shares_folder:
            return job_state(name, facts, files, files.read(REPORT_FILE))
        report = report_in(self._jobs.printed(name))
        if report is None and facts.get("status") in ENDED:  # its driver may not have read its plan
            with suppress(EngineSilentError):
                self._jobs.forget(name)
        return job_state(name, facts, files, report)

    def cancel(self, name: str) -> None:
        """Stop the job and remove what Ray keeps for it."""
        self._jobs.stop(name)
        if not self._settings.shares_folder:
            self._jobs.forget(name)

    def check(self, folder: str) -> Iterator[Finding]:
        """Check the version, then run two test nodes if there are as many."""
        from pipelines.targets.ray.check import check_ray

        yield from check_ray(self._settings, self._jobs, Workspace(Path(folder)))


def ray_target(
    name: str,
    settings: TargetSettings,
    workspace: Workspace,
    fork_servers: ForkServerPool | None = None,  # noqa: ARG001 - of this machine's targets
) -> RemoteTarget:
    """Return the target of that name with these settings."""
    assert isinstance(settings, RaySettings)
    engine = Ray(settings, workspace)
    return RemoteTarget(
        settings.offer(name), engine, workspace, shares_folder=settings.shares_folder
    )
