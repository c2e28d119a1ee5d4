"""Steps that agents run on other machines, followed through shared files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from modules.sentences.sentence import Statement
from pipelines.errors import RefusedError
from pipelines.events import ProblemData
from pipelines.problems import NODE_LOST, TARGET_REFUSED, Problem
from pipelines.sentences import targets as say
from pipelines.targets.base import StepEnd, TargetPhase, machines_lacking
from pipelines.targets.engine import Job
from pipelines.workers.agent_files import (
    HEARTBEAT_INTERVAL_SECONDS,
    HEARTBEAT_TIMEOUT_SECONDS,
    AgentFiles,
    Heartbeats,
    end_agents,
)
from pipelines.workers.step_spec import StepSpec

LISTEN_INTERVAL_SECONDS = 1.0
FILES_DELAY_SECONDS = 5.0
"""Delay after the end of a job until its agents' last files are visible here."""
REFUSAL_GRACE_SECONDS = 10.0
"""Time that an engine may reject requests before that is its verdict: a restarted server knows no
users for a moment."""
UNKNOWN_TIMEOUT_SECONDS = 10.0
"""Time that a submitted job may be unknown to its engine."""
CANCEL_TIMEOUT_SECONDS = 30.0
"""A cancelled step counts as ended after this time: its remains end automatically."""


@dataclass
class AgentStep:
    """Step at a target with an engine.

    The agents' files are authoritative; the engine's state counts while they are silent. Threads of
    the target call ``look`` and ``note``, the executor the rest.
    """

    spec: StepSpec
    name: str
    engine: str
    on_cancel: Callable[[str], None]
    was_adopted: bool = False
    is_submitted: bool = False
    _phase: TargetPhase | None = None
    _end: StepEnd | None = None
    _job: Job | None = None
    _missing_since: float | None = None
    _cancelled_at: float | None = None
    _next_listen: float = 0.0
    _next_renewal: float = 0.0
    _is_engine_silent: bool = False
    _is_refused: bool = False
    _was_unreachable: bool = False
    _refused_since: float | None = None
    _warnings: list[Statement] = field(default_factory=list)
    _hosts: dict[int, str] = field(default_factory=dict)
    _ends: dict[int, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.files = AgentFiles(self.spec.attempt_dir)
        self._heartbeats = Heartbeats(self.files, range(self.spec.host_count))

    # for the executor

    @property
    def phase(self) -> TargetPhase | None:
        """Return the state of the step and what it waits for."""
        phase = self._phase
        if phase is not None and self._is_engine_silent and phase.name == "scaling":
            return replace(phase, waits_for=f"a response from {self.engine}")
        return phase

    def poll(self) -> StepEnd | None:
        """Return how the step ended, as last seen."""
        return self._end

    def new_warnings(self) -> list[Statement]:
        """Return warnings for the user about a step that continues; each once."""
        warnings, self._warnings = self._warnings, []
        return warnings

    def cancel(self) -> None:
        """Ask the agents to end and the engine to cancel the job."""
        if self._cancelled_at is None:
            self._cancelled_at = time.monotonic()
            end_agents(self.spec.attempt_dir)
            self.on_cancel(self.name)

    # for the target's threads

    @property
    def is_over(self) -> bool:
        return self._end is not None

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled_at is not None

    def look(self) -> None:
        """Read the agents' files."""
        names = self.files.names()
        self._read_hosts(names)
        self._ends |= self.files.ends(names - {f"end-{rank}.json" for rank in self._ends})
        if len(self._ends) == self.spec.host_count:
            self._finish()
            return
        self._take_in_phase()
        silent = self._silent()
        if silent is not None:
            self._lose(silent)
        elif (
            self.is_cancelled
            and time.monotonic() > (self._cancelled_at or 0) + CANCEL_TIMEOUT_SECONDS
        ):
            self._finish()

    def renew_lease(self) -> None:
        """Renew the agents' lease."""
        now = time.monotonic()
        if now > self._next_renewal and not self.is_over and not self.is_cancelled:
            self._next_renewal = now + HEARTBEAT_INTERVAL_SECONDS
            self.files.renew_lease()

    def note(self, job: Job | None) -> None:
        """Process the engine's state of the job; None: the engine does not know the job."""
        self._is_engine_silent = self._is_refused = False
        self._refused_since = None
        if job is not None and job.state != "ended":
            self._job, self._missing_since = job, None
            if job.problem is not None:  # it can never start
                self.refuse(job.problem)
            self._take_in_phase()
            return
        now = time.monotonic()
        if self.files.is_unreachable():  # the agents' last files may not be visible yet
            self._missing_since = None
            return
        self._missing_since = self._missing_since or now
        patience = (
            UNKNOWN_TIMEOUT_SECONDS if job is None and not self.was_adopted else FILES_DELAY_SECONDS
        )
        if now - self._missing_since >= patience:
            self._finish(job)

    def note_store(self, address: str) -> None:
        """Record that the inputs of the machines are still being uploaded to an object store."""
        self._phase = TargetPhase("scaling", f"a response from {address}")

    def note_unreachable(self, address: str) -> None:
        """Record that nothing arrives through the object store: one warning, no verdict."""
        if not self._was_unreachable and self._hosts:
            self._was_unreachable = True
            self._warnings.append(say.STEP_UNHEARD.about({"place": address}))

    def note_silence(self) -> None:
        """Record that the engine does not respond: no verdict."""
        self._is_engine_silent = True
        self._phase = self._phase or (None if self.was_adopted else TargetPhase("scaling"))

    def note_refusal(self, error: RefusedError, problem: ProblemData) -> None:
        """Record that the engine rejects requests: if that lasts, a step that waits there ends.

        A running step continues with a warning, since its agents report.
        """
        if self._is_refused:
            return
        self.note_silence()
        now = time.monotonic()
        self._refused_since = self._refused_since or now
        if now - self._refused_since < REFUSAL_GRACE_SECONDS:
            return
        self._is_refused = True
        if self._hosts:
            facts = {"engine": self.engine, "why": error.statement}
            self._warnings.append(say.NOT_LET_IN.about(facts))
        else:
            self.refuse(problem)

    def refuse(self, problem: ProblemData) -> None:
        """Record that the step will never run there."""
        if self._end is not None:
            return
        self.cancel()
        self._end = StepEnd((None,) * self.spec.host_count, problem)

    def _read_hosts(self, names: set[str]) -> None:
        for rank in range(self.spec.host_count):
            name = f"node-{rank}.json"
            if rank not in self._hosts and name in names:
                facts = self.files.read(name)
                if facts is not None:
                    self._hosts[rank] = str(facts["host"])

    def _take_in_phase(self) -> None:
        count, all_nodes = len(self._hosts), self.spec.host_count
        hosts = tuple(self._hosts[rank] for rank in sorted(self._hosts))
        if count == all_nodes:
            is_running = self.spec.events_path(0).exists()
            waits_for = f"{self.engine} to resume it" if self._is_suspended else ""
            self._phase = TargetPhase("running" if is_running else "preparing", waits_for, hosts)
        elif count:
            self._phase = TargetPhase(
                "scaling", machines_lacking(all_nodes - count, all_nodes), hosts
            )
        elif self._job is not None:
            waits_for = (
                "its machines to start" if self._job.state == "running" else self._job.reason
            )
            self._phase = TargetPhase("scaling", waits_for)
        elif not self.was_adopted:
            self._phase = TargetPhase("scaling", f"{self.engine} to accept it")

    @property
    def _is_suspended(self) -> bool:
        return self._job is not None and self._job.is_suspended

    def _silent(self) -> int | None:
        """Return a lost machine; checked once a second, as there may be a thousand."""
        now = time.monotonic()
        if now < self._next_listen:
            return None
        self._next_listen = now + LISTEN_INTERVAL_SECONDS
        if self._is_suspended:
            self._heartbeats = Heartbeats(self.files, range(self.spec.host_count))
            return None  # heartbeats count again when they are possible
        return self._heartbeats.silent(self._ends)

    def _lose(self, node_rank: int) -> None:
        host = self._hosts.get(node_rank, "A machine")
        facts = {"host": host, "number": node_rank, "seconds": HEARTBEAT_TIMEOUT_SECONDS}
        self.refuse(Problem.of(NODE_LOST, say.NODE_SILENT.about(facts)).to_json())

    def _finish(self, job: Job | None = None) -> None:
        """Record the step's end as far as it is known."""
        if self._end is not None:
            return
        end_agents(self.spec.attempt_dir)  # a job in an unknown state must not report later
        codes = tuple(self._ends.get(rank) for rank in range(self.spec.host_count))
        is_known = None not in codes
        problem = job.problem if job is not None and not is_known else None
        if problem is None and not self.is_cancelled and not self.was_adopted:
            problem = self._problem_of_absence()
        was_lost = self.was_adopted and not is_known and not self.is_cancelled
        self._end = StepEnd(codes, problem, was_lost)

    def _problem_of_absence(self) -> ProblemData | None:
        """Return the problem of machines that never reported, if no other is more specific."""
        if not self._hosts:
            facts = {"engine": self.engine, "folder": self.spec.node_dir}
            return Problem.of(TARGET_REFUSED, say.NO_NODE_REPORTED.about(facts)).to_json()
        if len(self._hosts) == self.spec.host_count or self.spec.error_path(0).exists():
            return None
        hosts = [self._hosts[rank] for rank in sorted(self._hosts)]
        num_present, count = len(hosts), self.spec.host_count
        details = {"engine": self.engine, "hosts": hosts, "there": num_present, "count": count}
        return Problem.of(NODE_LOST, say.NODE_NEVER_REPORTED.about(details)).to_json()
