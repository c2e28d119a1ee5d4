"""Trying a Ray cluster: its Jobs API and token, then two machines in a job of their own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import ray as say
from pipelines.sentences import targets as of_targets
from pipelines.targets.engine import EngineSilentError, Job
from pipelines.targets.finding import Finding
from pipelines.targets.node_trial import trial_folder, try_nodes
from pipelines.targets.ray_job import prepared, told_of
from pipelines.targets.ray_jobs import RayJobs
from pipelines.targets.ray_settings import RaySettings
from pipelines.workers.agent_files import AgentFiles, end_agents
from pipelines.workers.agent_keeper import RANK

WAIT_SECONDS = 180.0
ASK_SECONDS = 0.5
STOP_SECONDS = 15.0
OF_TOKEN = (
    *(say.NO_TOKEN_FILE, say.TOKEN_FILE_OPEN, say.TOKEN_FILE_ODD),
    *(say.TOKEN_MISSING, say.TOKEN_REFUSED),
)


def check_ray(settings: RaySettings, jobs: RayJobs, workspace: Path) -> Iterator[Finding]:
    """One finding after the other; none follows one without which nothing else can work."""
    try:
        version = jobs.version()
        jobs.find("designer-check")  # the version alone may be told without a token
    except EngineSilentError:
        yield Finding.failed("reachable", say.SILENT, address=settings.address)
        return
    except RefusedError as error:
        name = "token" if error.reason in {each.key for each in OF_TOKEN} else "reachable"
        yield Finding(name, False, error.message, error.cure)
        return
    yield Finding.of("reachable", say.ANSWERS, version=version, address=settings.address)
    if settings.token_file is None:
        yield Finding.of("token", say.NO_TOKEN)
    else:
        yield Finding.of("token", say.TOKEN_ACCEPTED, path=settings.token_file)
    with trial_folder(workspace) as folder:
        count = min(2, settings.max_nodes)
        run_job = partial(_run_job, settings, jobs, AgentFiles(folder), count)
        yield from try_nodes(run_job, folder, count, settings.interface)


def _run_job(settings: RaySettings, jobs: RayJobs, files: AgentFiles, count: int) -> Finding | None:
    """Have nodes try themselves; what kept them from it."""
    name = f"designer-{files.folder.parent.name}"
    program = ("pipelines.workers.node_check", str(files.folder.parent), str(count), RANK)
    bundle = {"CPU": 1, **({"GPU": 1} if settings.gpus_per_process else {})}
    plan = {
        "count": count,
        "bundle": bundle,
        "threads": 1,
        "command": [settings.python, "-m", *program],
    }
    try:
        jobs.submit(name, prepared(files.folder, plan))
        job = _followed(jobs, name, files)
    except EngineSilentError:
        return Finding.failed("reachable", say.SILENT, address=settings.address)
    except RefusedError as error:
        return Finding("job", False, error.message, error.cure)
    if job.state != "ended":
        facts = {"reason": job.reason or "it runs", "seconds": WAIT_SECONDS}
        return Finding.failed("machines", of_targets.CHECK_WAITS, **facts)
    problem: Any = job.problem
    return problem and Finding("job", False, problem["message"], problem["cure"])


def _followed(jobs: RayJobs, name: str, files: AgentFiles) -> Job:
    """The job once it has ended, or what it still does after so long: then it is stopped."""
    job = _waited_for(jobs, name, files, WAIT_SECONDS)
    if job.state != "ended":
        end_agents(files.folder.parent)
        jobs.stop(name)
        _waited_for(jobs, name, files, STOP_SECONDS)
    return job


def _waited_for(jobs: RayJobs, name: str, files: AgentFiles, seconds: float) -> Job:
    deadline = time.monotonic() + seconds
    while True:
        facts = jobs.find(name) or {"status": "PENDING"}
        job = told_of(name, facts, files)
        if job.state == "ended" or time.monotonic() > deadline:
            return job
        time.sleep(ASK_SECONDS)
