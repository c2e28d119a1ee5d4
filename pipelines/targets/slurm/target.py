"""Slurm cluster as compute target: one job per step, one agent per machine."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from modules.errors import ModuleOutOfMemoryError
from pipelines.events import ProblemData
from pipelines.problems import NODE_LOST, TARGET_REFUSED, TIME_LIMIT_REACHED, Problem
from pipelines.sentences import steps
from pipelines.sentences import targets as say
from pipelines.targets.engine import Job, require_shared
from pipelines.targets.finding import Finding
from pipelines.targets.machine_lack import answer_of, refusal_of
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.settings import TargetSettings
from pipelines.targets.slurm.commands import run
from pipelines.targets.slurm.settings import LOG, SlurmSettings
from pipelines.workers.agent_files import REPORT_TIMEOUT_SECONDS, AgentFiles
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

OWN_JOBS = ("squeue", "--me", "--noheader", "--states=all", "--format=%j|%T|%r|%i")
WAITING = frozenset({"PENDING", "CONFIGURING", "REQUEUED", "RESV_DEL_HOLD", "REQUEUE_HOLD"})
RUNNING = frozenset({"RUNNING", "COMPLETING", "SUSPENDED", "STAGE_OUT", "SIGNALING", "STOPPED"})
SUSPENDED = frozenset({"SUSPENDED", "STOPPED"})
NODE_ENDS = frozenset({"NODE_FAIL", "BOOT_FAIL", "PREEMPTED"})
LOG_LENGTH = 10_000
"""Characters read at the end of a job's log, which contains the agents' startup errors."""
NEVER = frozenset(
    {
        *("PartitionConfig", "PartitionNodeLimit", "PartitionTimeLimit", "BadConstraints"),
        *("InvalidAccount", "InvalidQOS", "AccountNotAllowed", "QOSNotAllowed", "DeadLine"),
    }
)
"""Reasons of jobs that will never start, in addition to those that end in ``PerJob``."""


class Slurm:
    """Slurm's commands on this machine."""

    title = "Slurm"
    lease_seconds = 0.0
    report_seconds = REPORT_TIMEOUT_SECONDS

    def __init__(self, settings: SlurmSettings) -> None:
        self._settings = settings
        self.gpus = settings.gpus
        self.interface = settings.interface

    def submit(self, name: str, spec: StepSpec) -> None:
        """Submit with ``sbatch``: one agent per machine."""
        require_shared(self._settings.shared_folder, spec)
        run(self._settings.step_command(name, spec))

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """List this user's jobs with ``squeue``, including recently ended ones."""
        rows = (line.split("|") for line in run(OWN_JOBS).splitlines())
        jobs = {row[0]: _job(row[1], row[2]) for row in rows if len(row) == 4}
        return {name: _with_lack(job, steps.get(name)) for name, job in jobs.items()}

    def cancel(self, name: str) -> None:
        """Cancel with ``scancel`` by name, limited to this user."""
        run(("scancel", "--me", f"--name={name}"))

    def check(self, folder: str) -> Iterator[Finding]:
        """Check the partitions, then run two test nodes if there are as many."""
        from pipelines.targets.slurm.check import check_slurm

        yield from check_slurm(self._settings, Path(folder))


def slurm_target(
    name: str,
    settings: TargetSettings,
    workspace: Workspace,
    fork_servers: ForkServerPool | None = None,  # noqa: ARG001 - of this machine's targets
) -> RemoteTarget:
    """Return the target of that name with these settings."""
    assert isinstance(settings, SlurmSettings)
    return RemoteTarget(settings.offer(name), Slurm(settings), workspace)


def _job(state: str, reason: str) -> Job:
    if state in WAITING:
        is_hopeless = reason in NEVER or "PerJob" in reason
        waits_for = "its turn" if reason in ("None", "") else reason
        return Job("waiting", waits_for, _hopeless(reason) if is_hopeless else None)
    if state in RUNNING:
        return Job("running", reason, is_suspended=state in SUSPENDED)
    return Job("ended", reason, _problem_of_end(state))


def _with_lack(job: Job, spec: StepSpec | None) -> Job:
    """Return an ended job with the problem that one of its agents has printed."""
    if spec is None or job.state != "ended" or job.problem is not None:
        return job
    folder = AgentFiles(spec.attempt_dir).folder
    with suppress(OSError):
        printed = (folder / LOG).read_text(encoding="utf-8", errors="replace")[-LOG_LENGTH:]
        error = refusal_of(answer_of(printed) or {}, folder, getpass.getuser())
        if error is not None:
            return replace(job, problem=Problem.relayed(TARGET_REFUSED, error).to_json())
    return job


def _hopeless(reason: str) -> ProblemData:
    return Problem.of(TARGET_REFUSED, say.NEVER_STARTS, reason=reason).to_json()


def _problem_of_end(state: str) -> ProblemData | None:
    """Return why a job ended, if its agents could not report it."""
    if state in NODE_ENDS:
        return Problem.of(NODE_LOST, say.NODE_TAKEN, state=state).to_json()
    if state in ("TIMEOUT", "DEADLINE"):
        return Problem.of(TIME_LIMIT_REACHED, say.SLURM_TIME_LIMIT).to_json()
    if state == "OUT_OF_MEMORY":
        return Problem.of(ModuleOutOfMemoryError, steps.MEMORY_OUT).to_json()
    if state == "CANCELLED":
        return Problem.of(TARGET_REFUSED, say.CANCELLED_THERE).to_json()
    return None
