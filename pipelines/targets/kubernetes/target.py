"""Namespace of a Kubernetes cluster as compute target: one Indexed Job per step.

Experimental: tested against a simulated API.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from pipelines.targets.engine import Job, require_shared
from pipelines.targets.finding import Finding
from pipelines.targets.kubernetes.api import KubernetesApi, KubernetesObject, table
from pipelines.targets.kubernetes.manifest import (
    STEP,
    WORKSPACE,
    Pods,
    agent_command,
    facts_of,
    job_manifest,
    mounted_at,
    object_name,
    service_manifest,
    workspace_label,
)
from pipelines.targets.kubernetes.settings import KubernetesSettings
from pipelines.targets.kubernetes.states import job_state
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.settings import TargetSettings
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

DEADLINE_MARGIN_SECONDS = 120
"""A step's own limit ends it first: a pod's counts from its assignment to a node."""

ALL_PODS_TIMEOUT_SECONDS = 6 * 3600.0
"""Timeout for all pods of a job: they get nodes one by one, the last after another job."""


class Kubernetes:
    """API of a cluster; its pods mount the workspace at its path on this machine."""

    title = "Kubernetes"
    gpus = 0
    """Agents count no GPUs: a pod only gets a node with everything it requests."""
    lease_seconds = 0.0
    report_seconds = ALL_PODS_TIMEOUT_SECONDS

    def __init__(self, settings: KubernetesSettings, workspace: Path) -> None:
        self._settings = settings
        self._workspace = workspace
        self._api = KubernetesApi(settings)
        self.interface = settings.interface

    def submit(self, name: str, spec: StepSpec) -> None:
        """Create a job and its service."""
        require_shared(self._settings.shared_folder, spec)
        limit = math.ceil(spec.time_limit_minutes * 60)
        pods = Pods(
            count=spec.host_count,
            command=agent_command(spec.spec_path),
            resources=self._settings.resources_of(spec),
            folder=mounted_at(self._settings, self._workspace),
            workspace=self._workspace,
            seconds=limit and limit + DEADLINE_MARGIN_SECONDS,
        )
        name = object_name(name)
        job = job_manifest(self._settings, name, pods)
        self._api.create(job, service_manifest(name, pods))

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Return the jobs of ``steps`` in the namespace, with two requests for any number."""
        labels = f"{WORKSPACE}={workspace_label(self._workspace)}"
        jobs = {_name_of(job): job for job in self._api.jobs(labels)}
        names = {name: object_name(name) for name in steps}
        if jobs.keys().isdisjoint(names.values()):
            return {}
        pods = defaultdict(list)
        for pod in self._api.pods(labels):
            pods[table(pod, "metadata", "labels").get(STEP)].append(pod)
        facts = facts_of(self._settings, self._workspace)
        return {
            name: job_state(jobs[own], pods[own], facts, partial(self._api.why_no_pods, own))
            for name, own in names.items()
            if own in jobs
        }

    def cancel(self, name: str) -> None:
        """Delete the job with its pods and service."""
        self._api.delete(object_name(name))

    def check(self, folder: str) -> Iterator[Finding]:
        """Check the requirements of a step, then run two test pods."""
        from pipelines.targets.kubernetes.check import KubernetesCheck

        yield from KubernetesCheck(self._settings, self._api, Path(folder)).run()


def kubernetes_target(
    name: str,
    settings: TargetSettings,
    workspace: Workspace,
    fork_servers: ForkServerPool | None = None,  # noqa: ARG001 - of this machine's targets
) -> RemoteTarget:
    """Return the target of that name with these settings."""
    assert isinstance(settings, KubernetesSettings)
    return RemoteTarget(settings.offer(name), Kubernetes(settings, workspace.root), workspace)


def _name_of(job: KubernetesObject) -> str:
    return str(table(job, "metadata").get("name"))
