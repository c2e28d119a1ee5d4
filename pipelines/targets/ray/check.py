"""Check of a Ray cluster: its Jobs API and token, then two machines in a test job."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pipelines.errors import ObjectStoreError, RefusedError
from pipelines.sentences import ray as say
from pipelines.sentences import targets as of_targets
from pipelines.store.objects.mirrored_folder import MirroredFolder
from pipelines.targets.engine import EngineSilentError, Job
from pipelines.targets.finding import Finding
from pipelines.targets.node_trial import trial_folder, try_nodes
from pipelines.targets.ray.job import REPORT_FILE, job_state, prepared, report_in, submit_stored
from pipelines.targets.ray.jobs import RayJobs
from pipelines.targets.ray.settings import RaySettings
from pipelines.targets.step_mirror import location_of, runner_mirror
from pipelines.workers.agent_files import AgentFiles, end_agents
from pipelines.workers.agent_keeper import RANK
from pipelines.workers.node_folder import StepLocation
from pipelines.workspace import Workspace

TRIAL_TIMEOUT_SECONDS = 180.0
POLL_INTERVAL_SECONDS = 0.5
STOP_TIMEOUT_SECONDS = 15.0
OF_TOKEN = (
    *(say.NO_TOKEN_FILE, say.TOKEN_FILE_OPEN, say.TOKEN_FILE_ODD),
    *(say.TOKEN_MISSING, say.TOKEN_REFUSED),
)


def check_ray(settings: RaySettings, jobs: RayJobs, workspace: Workspace) -> Iterator[Finding]:
    """Yield findings; stop when a required check fails."""
    try:
        version = jobs.version()
        jobs.find("designer-check")  # the version alone may be public
    except EngineSilentError:
        yield Finding.failed("reachable", say.SILENT, address=settings.address)
        return
    except RefusedError as error:
        name = "token" if error.reason in {sentence.key for sentence in OF_TOKEN} else "reachable"
        yield Finding(name, False, error.message, error.cure)
        return
    yield Finding.of("reachable", say.ANSWERS, version=version, address=settings.address)
    if settings.token_file is None:
        yield Finding.of("token", say.NO_TOKEN)
    else:
        yield Finding.of("token", say.TOKEN_ACCEPTED, path=settings.token_file)
    with trial_folder(workspace.root) as folder:
        trial = _Trial(settings, jobs, AgentFiles(folder), min(2, settings.max_nodes))
        if not settings.shares_folder:
            try:
                trial.mirror(workspace)
            except (RefusedError, ObjectStoreError) as error:
                yield Finding("object store", False, error.message, error.cure)
                return
        yield from trial.findings()


class _Trial:
    """Test job of nodes in a folder of the workspace."""

    def __init__(self, settings: RaySettings, jobs: RayJobs, files: AgentFiles, count: int) -> None:
        self._settings, self._jobs, self._files, self._count = settings, jobs, files, count
        self._folder = files.folder.parent
        self._name = f"designer-{self._folder.name}"
        self._location: StepLocation | None = None
        self._mirror: MirroredFolder | None = None

    def mirror(self, workspace: Workspace) -> None:
        """Mirror the folder through the object store, if nodes share no folder."""
        location = location_of(workspace, self._name, self._folder, self._count)
        self._location = replace(location, is_trial=True)
        self._mirror = runner_mirror(
            self._location, own_files=lambda: [self._files.folder / "order.json"]
        )

    def findings(self) -> Iterator[Finding]:
        """Return the reports of the nodes, and what prevented them."""
        store = None if self._location is None else self._location.address
        try:
            yield from try_nodes(
                self._run, self._folder, self._count, self._settings.interface, store
            )
        finally:
            if self._mirror is not None:
                with suppress(ObjectStoreError):
                    self._mirror.files.remove(self._mirror.base)
                with suppress(EngineSilentError, RefusedError):
                    self._jobs.forget(self._name)

    def _run(self) -> Finding | None:
        try:
            self._submit()
            job = self._followed()
        except EngineSilentError:
            return Finding.failed("reachable", say.SILENT, address=self._settings.address)
        except ObjectStoreError as error:
            return Finding("object store", False, error.message, error.cure)
        except RefusedError as error:
            return Finding("job", False, error.message, error.cure)
        if job.state != "ended":
            facts = {"reason": job.reason or "it runs", "seconds": TRIAL_TIMEOUT_SECONDS}
            return Finding.failed("machines", of_targets.CHECK_WAITS, **facts)
        problem: Any = job.problem
        return problem and Finding("job", False, problem["message"], problem["cure"])

    def _submit(self) -> None:
        settings = self._settings
        plan = {
            "count": self._count,
            "bundle": {"CPU": 1, **({"GPU": 1} if settings.gpus_per_process else {})},
            "threads": 1,
        }
        words = [settings.python, "-m"]
        if self._mirror is None or self._location is None:
            words += ["pipelines.workers.node_check", str(self._folder), str(self._count), RANK]
            plan["command"] = words
            self._jobs.submit(self._name, prepared(self._files.folder, plan))
        else:
            words += ["pipelines.workers.unshared_node", "{folder}", self._location.argument]
            plan["command"] = [*words, "--rank-from", RANK, "--parent", "{parent}"]
            self._mirror.put_all()
            submit_stored(self._jobs, self._name, plan)

    def _followed(self) -> Job:
        """Return the job when it has ended, or its state at the timeout, after stopping it."""
        job = self._waited_for(TRIAL_TIMEOUT_SECONDS)
        if job.state != "ended":
            end_agents(self._folder)
            self._jobs.stop(self._name)
            self._waited_for(STOP_TIMEOUT_SECONDS)
        return job

    def _waited_for(self, seconds: float) -> Job:
        deadline = time.monotonic() + seconds
        while True:
            facts = self._jobs.find(self._name) or {"status": "PENDING"}
            if self._mirror is None:
                report = self._files.read(REPORT_FILE)
            else:
                self._mirror.take()
                report = report_in(self._jobs.printed(self._name))
            job = job_state(self._name, facts, self._files, report)
            if job.state == "ended" or time.monotonic() > deadline:
                return job
            time.sleep(POLL_INTERVAL_SECONDS)
