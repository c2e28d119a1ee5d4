"""Machines by SSH as a compute target: who has none to schedule them gets a queue of ours."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.problems import TARGET_REFUSED, Problem
from pipelines.targets.base import machines_lacking
from pipelines.targets.engine import Job, require_shared
from pipelines.targets.finding import Finding
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.settings import TargetSettings
from pipelines.targets.ssh_commands import SshHosts, of_each
from pipelines.targets.ssh_settings import SshSettings
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

LEASE_SECONDS = 600.0
"""The designer may be away for so long: begun again, or at the other end of a broken cable."""
AWAY_SECONDS = 60.0
"""A machine that could not be used is left alone for so long, unless another step is begun."""
MACHINES = "machines.json"
"""Lies with an attempt from when it is queued: its machines by rank, none while it waits."""


@dataclass
class _Queued:
    """A step on its machines, or before it has them."""

    spec: StepSpec
    hosts: Sequence[str] = ()
    reason: str = ""
    problem: Mapping[str, Any] | None = None
    to_start: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = AgentFiles(self.spec.attempt_dir)

    @property
    def is_given_up(self) -> bool:
        return "over" in self.files.names()

    def held(self) -> set[str]:
        """Its machines but those where it has ended."""
        ended = self.files.ends(self.files.names()) if self.hosts else ()
        return {host for rank, host in enumerate(self.hosts) if rank not in ended}

    def told(self) -> Job:
        if self.hosts and self.problem is None:
            return Job("running")
        if self.is_given_up:
            return Job("ended")
        return Job("waiting", self.reason, self.problem)


class SshMachines:
    """A list of machines, each for one step at a time.

    What is where lies in the folders of attempts: the next runner reads it there. Agents hold
    their machine by a lock, which other workspaces see too.
    """

    title = "SSH"
    gpus = 0
    lease_seconds = LEASE_SECONDS

    def __init__(self, settings: SshSettings) -> None:
        self._settings = settings
        self._ssh = SshHosts(settings)
        self._queue: dict[str, _Queued] = {}
        self._away: dict[str, tuple[float, RefusedError]] = {}
        self.interface = settings.interface

    def submit(self, name: str, spec: StepSpec) -> None:
        """Put it into the queue; it begins at once where machines are free."""
        require_shared(self._settings.shared_folder, spec)
        self._away.clear()  # whatever it was may have been mended
        step = _Queued(spec)
        step.files.write(MACHINES, {"hosts": []})
        self._queue[name] = step
        self._give_machines()

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Those of ``steps`` that were queued, by this runner or an earlier one."""
        known = {name: self._queue.get(name) or _found(spec) for name, spec in steps.items()}
        self._queue = {name: step for name, step in known.items() if step is not None}
        self._give_machines()
        return {name: step.told() for name, step in self._queue.items()}

    def cancel(self, name: str) -> None:
        """End its agents; those that cannot be reached now see it in the folder, or by their
        lease."""
        step = self._queue.get(name)
        if step is not None:
            path = str(step.spec.spec_path)
            of_each(sorted(step.held()), lambda host: self._ssh.ask(host, "end", path))

    def check(self, folder: str) -> Iterator[Finding]:
        """Try each machine, then two of them together."""
        from pipelines.targets.ssh_check import check_ssh

        yield from check_ssh(self._settings, Path(folder))

    # the queue

    def _give_machines(self) -> None:
        held = {host for step in self._queue.values() for host in step.held()}
        for step in self._queue.values():
            if step.is_given_up or step.problem is not None:
                continue
            if not step.hosts:
                held |= self._place(step, held)
            if step.to_start:
                self._start(step)

    def _place(self, step: _Queued, held: set[str]) -> set[str]:
        """Give a step machines that are free; else those that are wait for others with it."""
        wanted = step.spec.host_count
        candidates = [host for host in self._usable() if host not in held]
        free = self._free(step, candidates) if len(candidates) >= wanted else candidates
        if len(free) >= wanted:
            step.hosts, step.to_start = free[:wanted], set(range(wanted))
            step.files.write(MACHINES, {"hosts": step.hosts})
        elif len(self._usable()) < wanted:
            step.problem = _refused(next(error for _, error in self._away.values()))
        step.reason = machines_lacking(wanted - len(free), wanted)
        return set(step.hosts or candidates)

    def _usable(self) -> list[str]:
        now = time.monotonic()
        self._away = {
            host: each for host, each in self._away.items() if now - each[0] < AWAY_SECONDS
        }
        return [host for host in self._settings.names if host not in self._away]

    def _free(self, step: _Queued, hosts: Sequence[str]) -> list[str]:
        answers = self._ask(step, hosts, "look")
        for host, answer in answers.items():
            if isinstance(answer, RefusedError):
                self._away[host] = (time.monotonic(), answer)
        return [host for host, answer in answers.items() if _is_free(answer)]

    def _start(self, step: _Queued) -> None:
        ranks = {step.hosts[rank]: str(rank) for rank in step.to_start}
        answers = self._ask(step, list(ranks), "start", ranks)
        step.to_start = set()
        failed = [each for each in answers.values() if isinstance(each, RefusedError)]
        if failed:
            step.problem = _refused(failed[0])

    def _ask(
        self,
        step: _Queued,
        hosts: Sequence[str],
        word: str,
        ranks: Mapping[str, str] | None = None,
    ) -> dict[str, dict[str, Any] | RefusedError]:
        def ask(host: str) -> dict[str, Any]:
            rank = [ranks[host]] if ranks else []
            answer = self._ssh.ask(host, word, str(step.spec.spec_path), *rank)
            lack = self._ssh.lack(host, answer, step.files.folder)
            if lack is not None:
                raise lack
            return answer

        return of_each(hosts, ask)


def ssh_target(name: str, settings: TargetSettings, workspace: Workspace) -> RemoteTarget:
    """The target of that name with these settings."""
    assert isinstance(settings, SshSettings)
    return RemoteTarget(settings.offer(name), SshMachines(settings), workspace)


def _found(spec: StepSpec) -> _Queued | None:
    """A step that an earlier runner has queued; what it did not begin any more is to be."""
    files = AgentFiles(spec.attempt_dir)
    facts = files.read(MACHINES)
    if facts is None:
        return None
    hosts, there = facts["hosts"], files.names()
    to_start = {rank for rank in range(len(hosts)) if f"alive-{rank}" not in there}
    return _Queued(spec, hosts, to_start=to_start)


def _is_free(answer: dict[str, Any] | RefusedError) -> bool:
    return isinstance(answer, dict) and bool(answer.get("is_free"))


def _refused(error: RefusedError) -> dict[str, Any]:
    return Problem.relayed(TARGET_REFUSED, error).to_json()
