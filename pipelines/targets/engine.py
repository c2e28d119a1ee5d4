"""Interface of an engine with a queue: a cluster's scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say

if TYPE_CHECKING:
    from pipelines.events import ProblemData
    from pipelines.targets.finding import Finding
    from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class Job:
    """Job in the state that its engine reports."""

    state: Literal["waiting", "running", "ended"]
    reason: str = ""
    """Reason for waiting or failure, in the engine's words."""
    problem: ProblemData | None = None
    """Reason why it ended or can never start, if the engine reports one."""
    is_suspended: bool = False
    """True if its processes are stopped until the engine resumes them."""


class EngineSilentError(Exception):
    """The engine does not respond, which says nothing about its jobs."""


class AccessRefusedError(RefusedError):
    """The engine rejects the caller: wrong or expired credentials, no permission.

    A verdict for waiting steps; running ones continue and may be queried again later.
    """


class Engine(Protocol):
    """Scheduler that accepts jobs by the designer's names; every call may take long."""

    title: str
    """Name for messages."""
    gpus: int
    """GPUs of each machine."""
    interface: str | None
    lease_seconds: float
    """Time that agents continue without a runner; 0: the engine supervises them."""
    report_seconds: float
    """Timeout of the first agent for the reports of the others."""

    def submit(self, name: str, spec: StepSpec) -> None:
        """Submit a job with one agent per machine.

        Raises ``EngineSilentError``, and ``RefusedError`` if it rejects the job; like all of these
        calls it may raise ``AccessRefusedError``.
        """

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Return the known jobs of ``steps`` by name, including those of an earlier runner.

        Raises ``EngineSilentError``.
        """

    def cancel(self, name: str) -> None:
        """Cancel a job; no effect if there is none. Raises ``EngineSilentError``."""

    def check(self, folder: str) -> Iterator[Finding]:
        """Check the engine and its machines, which must access that folder of the workspace."""


def require_shared(folder: str | None, spec: StepSpec) -> None:
    """Raise ``RefusedError`` for a workspace outside a folder; None allows any."""
    if folder is not None and not spec.attempt_dir.is_relative_to(Path(folder).resolve()):
        raise RefusedError(say.NOT_SHARED, folder=folder, workspace=spec.node_dir)
