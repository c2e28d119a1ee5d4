"""Machines by SSH as compute target, with a queue of the designer instead of a scheduler's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modules.files.json_files import JsonObject
from pipelines.errors import RefusedError
from pipelines.events import ProblemData
from pipelines.problems import TARGET_REFUSED, Problem
from pipelines.sentences import ssh as say
from pipelines.targets.base import machines_lacking
from pipelines.targets.engine import Job, require_shared
from pipelines.targets.finding import Finding
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.settings import TargetSettings
from pipelines.targets.ssh.commands import SshHosts, of_each
from pipelines.targets.ssh.settings import SshSettings
from pipelines.workers.agent_files import REPORT_TIMEOUT_SECONDS, AgentFiles
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

LEASE_SECONDS = 600.0
"""Time that agents continue while the designer restarts or a cable is cut."""
UNUSABLE_SECONDS = 60.0
"""An unusable machine is skipped for this long, unless a step needs it."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 2.0, 30.0
"""Polling interval for machines held by others' steps."""
MACHINES = "machines.json"
"""File in an attempt's folder from when it is queued: its machines by rank, none while it waits."""


@dataclass
class _Queued:
    """Step with its machines, or waiting for them."""

    spec: StepSpec
    hosts: Sequence[str] = ()
    reason: str = ""
    problem: ProblemData | None = None
    to_start: set[int] = field(default_factory=set)
    _asked: set[str] = field(default_factory=set)
    _pause: float = 0.0
    _ask_at: float = 0.0

    def __post_init__(self) -> None:
        self.files = AgentFiles(self.spec.attempt_dir)

    @property
    def is_given_up(self) -> bool:
        return "over" in self.files.names()

    def held(self) -> set[str]:
        """Return its machines except those where it has ended."""
        ended = self.files.ends(self.files.names()) if self.hosts else ()
        return {host for rank, host in enumerate(self.hosts) if rank not in ended}

    def asks_now(self, hosts: Sequence[str]) -> bool:
        """Return whether to poll for free machines: one became free, or a pause is over."""
        now = time.monotonic()
        is_new = not self._asked.issuperset(hosts)
        if now < self._ask_at and not is_new:
            return False
        longer = FIRST_PAUSE_SECONDS if is_new else 2 * self._pause
        self._asked, self._pause = set(hosts), min(longer, LONGEST_PAUSE_SECONDS)
        self._ask_at = now + self._pause
        return True

    def job(self) -> Job:
        if self.hosts and self.problem is None:
            return Job("running")
        if self.is_given_up:
            return Job("ended")
        return Job("waiting", self.reason, self.problem)


class SshMachines:
    """List of machines that each run one step at a time.

    The state is in the folders of attempts, where the next runner reads it. Agents lock their
    machine, which other workspaces respect.
    """

    title = "SSH"
    gpus = 0
    lease_seconds = LEASE_SECONDS
    report_seconds = REPORT_TIMEOUT_SECONDS

    def __init__(self, settings: SshSettings) -> None:
        self._settings = settings
        self._ssh = SshHosts(settings)
        self._queue: dict[str, _Queued] = {}
        self._away: dict[str, tuple[float, RefusedError]] = {}
        self.interface = settings.interface

    def submit(self, name: str, spec: StepSpec) -> None:
        """Queue the step; it starts at once if machines are free."""
        require_shared(self._settings.shared_folder, spec)
        step = _Queued(spec)
        step.files.write(MACHINES, {"hosts": []})
        self._queue[name] = step
        self._give_machines()

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Return the jobs of ``steps`` that were queued by this runner or an earlier one."""
        queued = {name: self._queue.get(name) or _found(spec) for name, spec in steps.items()}
        self._queue = {name: step for name, step in queued.items() if step is not None}
        self._give_machines()
        return {name: step.job() for name, step in self._queue.items()}

    def cancel(self, name: str) -> None:
        """End its agents; unreachable ones see the request in the folder, or their lease ends."""
        step = self._queue.get(name)
        if step is not None:
            path = str(step.spec.spec_path)
            of_each(sorted(step.held()), lambda host: self._ssh.ask(host, "end", path))

    def check(self, folder: str) -> Iterator[Finding]:
        """Check each machine, then two of them together."""
        from pipelines.targets.ssh.check import check_ssh

        yield from check_ssh(self._settings, Path(folder))

    # the queue

    def _give_machines(self) -> None:
        busy = {host for step in self._queue.values() for host in step.held()}
        for step in self._queue.values():
            if step.is_given_up or step.problem is not None:
                continue
            if not step.hosts:
                busy |= self._place(step, busy)
            if step.to_start:
                self._start(step)

    def _place(self, step: _Queued, busy: set[str]) -> set[str]:
        """Assign free machines to a step; too few of them wait with it for more."""
        required = step.spec.host_count
        if len(self._usable()) < required:
            self._look(step, list(self._away))  # the problem may have been solved
        candidates = [host for host in self._usable() if host not in busy]
        free = candidates
        if len(candidates) >= required:
            if not step.asks_now(candidates):
                return set(candidates)
            free = self._free(step, candidates)
        if len(free) >= required:
            step.hosts, step.to_start = free[:required], set(range(required))
            step.files.write(MACHINES, {"hosts": step.hosts})
        elif len(self._usable()) < required:
            step.problem = _refused(self._lack_of(required))
        step.reason = machines_lacking(required - len(free), required)
        return set(step.hosts or candidates)

    def _lack_of(self, required: int) -> RefusedError:
        """Return why there are not enough machines."""
        count = len(self._settings.names)
        if count < required:
            return RefusedError(say.TOO_FEW_HOSTS, count=count, wanted=required)
        return next(error for _, error in self._away.values())

    def _usable(self) -> list[str]:
        now = time.monotonic()
        self._away = {
            host: entry for host, entry in self._away.items() if now - entry[0] < UNUSABLE_SECONDS
        }
        return [host for host in self._settings.names if host not in self._away]

    def _free(self, step: _Queued, hosts: Sequence[str]) -> list[str]:
        """Return as many free machines as it needs, or all: each check is a login."""
        required = num_asked = step.spec.host_count
        free: list[str] = []
        while hosts and len(free) < required:
            free += self._look(step, hosts[:num_asked])
            hosts, num_asked = hosts[num_asked:], 2 * num_asked
        return free

    def _look(self, step: _Queued, hosts: Sequence[str]) -> list[str]:
        """Return which of them are free; remember the unusable ones."""
        answers = self._ask(step, hosts, "look")
        for host, answer in answers.items():
            self._away.pop(host, None)
            if isinstance(answer, RefusedError):
                self._away[host] = (time.monotonic(), answer)
        return [host for host, answer in answers.items() if _is_free(answer)]

    def _start(self, step: _Queued) -> None:
        ranks = {step.hosts[rank]: str(rank) for rank in step.to_start}
        answers = self._ask(step, list(ranks), "start", ranks)
        step.to_start = set()
        failed = [answer for answer in answers.values() if isinstance(answer, RefusedError)]
        if failed:
            step.problem = _refused(failed[0])

    def _ask(
        self,
        step: _Queued,
        hosts: Sequence[str],
        word: str,
        ranks: Mapping[str, str] | None = None,
    ) -> dict[str, JsonObject | RefusedError]:
        def ask(host: str) -> JsonObject:
            rank = [ranks[host]] if ranks else []
            answer = self._ssh.ask(host, word, str(step.spec.spec_path), *rank)
            lack = self._ssh.lack(host, answer, step.files.folder)
            if lack is not None:
                raise lack
            return answer

        return of_each(hosts, ask)


def ssh_target(
    name: str,
    settings: TargetSettings,
    workspace: Workspace,
    fork_servers: ForkServerPool | None = None,  # noqa: ARG001 - of this machine's targets
) -> RemoteTarget:
    """Return the target of that name with these settings."""
    assert isinstance(settings, SshSettings)
    return RemoteTarget(settings.offer(name), SshMachines(settings), workspace)


def _found(spec: StepSpec) -> _Queued | None:
    """Return a step that an earlier runner queued, and finish its submission."""
    files = AgentFiles(spec.attempt_dir)
    facts = files.read(MACHINES)
    if facts is None:
        return None
    hosts, names = facts["hosts"], files.names()
    to_start = {rank for rank in range(len(hosts)) if f"alive-{rank}" not in names}
    return _Queued(spec, hosts, to_start=to_start)


def _is_free(answer: JsonObject | RefusedError) -> bool:
    return isinstance(answer, dict) and bool(answer.get("is_free"))


def _refused(error: RefusedError) -> ProblemData:
    return Problem.relayed(TARGET_REFUSED, error).to_json()
