"""Check of a Kubernetes cluster: the requirements of a step, then two pods in a test job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import kubernetes as say
from pipelines.sentences import targets as of_targets
from pipelines.targets.engine import EngineSilentError, Job
from pipelines.targets.finding import Finding
from pipelines.targets.kubernetes.api import KubernetesApi
from pipelines.targets.kubernetes.manifest import (
    RANK,
    STEP,
    Pods,
    facts_of,
    job_manifest,
    mounted_at,
    service_manifest,
)
from pipelines.targets.kubernetes.settings import KubernetesSettings
from pipelines.targets.kubernetes.states import job_state
from pipelines.targets.node_trial import trial_folder, try_nodes

TRIAL_TIMEOUT_SECONDS = 180.0
POLL_INTERVAL_SECONDS = 0.5


class KubernetesCheck:
    """Sequence of checks that stops when a required one fails."""

    def __init__(self, settings: KubernetesSettings, api: KubernetesApi, workspace: Path) -> None:
        self._settings = settings
        self._api = api
        self._workspace = workspace
        self._facts = facts_of(settings, workspace)

    def run(self) -> Iterator[Finding]:
        """Run all checks."""
        looks = {"reachable": self._reach, "rights": self._list, "claim": self._look_for_claim}
        if self._settings.queue:
            looks["queue"] = self._look_for_queue
        for name, look in looks.items():
            finding = self._tried(name, look)
            yield finding
            if not finding.ok:
                return
        count = min(2, self._settings.max_nodes)
        with trial_folder(self._workspace) as folder:
            run = partial(self._tried_job, folder, count)
            yield from try_nodes(run, folder, count, self._settings.interface)

    def _tried(self, name: str, look: Callable[[], Finding]) -> Finding:
        try:
            return look()
        except EngineSilentError as error:
            return Finding.failed(name, say.SILENT, address=self._api.address, why=error)
        except RefusedError as error:
            return Finding(name, False, error.message, error.cure)

    def _reach(self) -> Finding:
        facts = {"version": self._api.version(), "address": self._api.address}
        return Finding.of("reachable", say.ANSWERS, **facts)

    def _list(self) -> Finding:
        self._api.jobs(f"{STEP}=none")
        return Finding.of("rights", say.MAY_LIST, **self._facts)

    def _look_for_claim(self) -> Finding:
        modes = self._api.claim_modes(self._settings.claim)
        if modes is None:
            return Finding.failed("claim", say.NO_CLAIM, **self._facts)
        if "ReadWriteMany" not in modes and self._settings.max_nodes > 1:
            return Finding.failed("claim", say.CLAIM_OF_ONE, **self._facts, modes=modes)
        return Finding.of("claim", say.CLAIM_THERE, **self._facts)

    def _look_for_queue(self) -> Finding:
        version = self._api.kueue_version()
        if version is None:
            return Finding.failed("queue", say.NO_KUEUE, **self._facts)
        if not self._api.has_queue(str(self._settings.queue), version):
            return Finding.failed("queue", say.NO_QUEUE, **self._facts)
        return Finding.of("queue", say.QUEUE_THERE, **self._facts)

    # the job

    def _tried_job(self, folder: Path, count: int) -> Finding | None:
        """Run test pods; return what prevented them."""
        name = f"designer-{folder.name}"
        pods = Pods(
            count=count,
            command=("-m", "pipelines.workers.node_check", str(folder), str(count), RANK),
            resources=self._settings.resources(1),
            folder=mounted_at(self._settings, self._workspace),
            workspace=self._workspace,
        )
        try:
            job = job_manifest(self._settings, name, pods)
            self._api.create(job, service_manifest(name, pods))
            return self._outcome(self._followed(name))
        except EngineSilentError as error:
            return Finding.failed("reachable", say.SILENT, address=self._api.address, why=error)
        except RefusedError as error:
            return Finding("job", False, error.message, error.cure)
        finally:
            with suppress(EngineSilentError, RefusedError):
                self._api.delete(name)

    def _followed(self, name: str) -> Job:
        """Return the job when it has ended or never will; otherwise its state at the timeout."""
        deadline = time.monotonic() + TRIAL_TIMEOUT_SECONDS
        why_none = partial(self._api.why_no_pods, name)
        while True:
            resource = self._api.job(name) or {}
            job = job_state(resource, self._api.pods(f"{STEP}={name}"), self._facts, why_none)
            if job.state == "ended" or job.problem or time.monotonic() > deadline:
                return job
            time.sleep(POLL_INTERVAL_SECONDS)

    def _outcome(self, job: Job) -> Finding | None:
        problem: Any = job.problem
        if problem:
            return Finding("job", False, problem["message"], problem["cure"])
        if job.state == "ended":
            return Finding.failed("job", say.JOB_FAILED, why=job.reason) if job.reason else None
        facts = {"reason": job.reason or "it runs", "seconds": TRIAL_TIMEOUT_SECONDS}
        return Finding.failed("machines", of_targets.CHECK_WAITS, **facts)
