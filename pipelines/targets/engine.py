"""What a target asks of an engine that has a queue of its own: a scheduler of a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say

if TYPE_CHECKING:
    from pipelines.targets.finding import Finding
    from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class Job:
    """A job as its engine tells of it."""

    state: Literal["waiting", "running", "ended"]
    reason: str = ""
    """Why it waits, or that it failed, in the engine's words."""
    problem: Mapping[str, Any] | None = None
    """Why it ended or can never begin, where the engine says that."""
    is_suspended: bool = False
    """Its processes are stopped, and go on once the engine lets them."""


class EngineSilentError(Exception):
    """The engine does not answer: that says nothing of its jobs."""


class AccessRefusedError(RefusedError):
    """The engine answers, and does not let in who asks: wrong or expired credentials, no rights.

    A verdict for what waits there; what runs goes on, and may be asked about again later.
    """


class Engine(Protocol):
    """Takes jobs by names of ours; every call may take long."""

    title: str
    """Its name, for sentences."""
    gpus: int
    """That it gives to each node."""
    interface: str | None
    lease_seconds: float
    """For how long its agents go on without a sign of the runner; 0: the engine sees to them."""
    report_seconds: float
    """For how long the first of its agents waits for the others."""

    def submit(self, name: str, spec: StepSpec) -> None:
        """Hand over a job of one agent a node.

        Raises ``EngineSilentError``, and ``RefusedError`` where it does not take the job; as all of
        these calls may raise ``AccessRefusedError``.
        """

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        """Those that it knows, by their names, where ``steps`` are asked about: also those that an
        earlier runner handed over. Raises ``EngineSilentError``."""

    def cancel(self, name: str) -> None:
        """End a job, or do nothing where there is none. Raises ``EngineSilentError``."""

    def check(self, folder: str) -> Iterator[Finding]:
        """Try the engine and its nodes, which are to see a folder of the workspace."""


def require_shared(folder: str | None, spec: StepSpec) -> None:
    """Raise ``RefusedError`` for a step whose workspace does not lie in a folder; None: in any."""
    if folder is not None and not spec.attempt_dir.is_relative_to(Path(folder).resolve()):
        raise RefusedError(say.NOT_SHARED, folder=folder, workspace=spec.node_dir)
