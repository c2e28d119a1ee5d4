"""Interface of compute targets: steps are submitted to them and followed."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from modules.sentences.sentence import Statement
    from modules.spec import Preload
    from pipelines.document.target_offer import TargetOffer
    from pipelines.events import ProblemData
    from pipelines.targets.finding import Finding
    from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class TargetPhase:
    """State of a step at its target: waiting for machines, preparing or running."""

    name: Literal["scaling", "preparing", "running"]
    waits_for: str = ""
    """Reason for waiting, in the engine's words; empty if there is none."""
    hosts: tuple[str, ...] = ()
    """Machines of the step."""


PREPARING = TargetPhase("preparing")


def machines_lacking(count: int, of_all: int) -> str:
    """Return what a step waits for that lacks this many of its machines."""
    return f"{count} of {of_all} machines"


class StepHandle(Protocol):
    """Step submitted to a target: N agents with P ranks each."""

    @property
    def spec(self) -> StepSpec: ...

    @property
    def phase(self) -> TargetPhase | None:
        """Return the state last seen; None if it is not known yet."""

    def new_warnings(self) -> list[Statement]:
        """Return warnings about the target for a step that continues; each once."""

    def poll(self) -> StepEnd | None:
        """Return how the step ended, as last seen; None while it runs. Never waits."""

    def cancel(self) -> None:
        """Ask the step's processes to end; those that do not within ten seconds are killed."""


@dataclass(frozen=True)
class StepEnd:
    """End of all agents of a step with their exit codes, None for a lost one."""

    codes: tuple[int | None, ...]
    problem: ProblemData | None = None
    """Reason that only the target can know, such as a lost machine."""
    was_lost: bool = False
    """True if an adopted step was not found: it may be started again."""

    @property
    def ok(self) -> bool:
        return all(code == 0 for code in self.codes)

    @property
    def worst(self) -> int | None:
        """Return the exit code of an agent that failed.

        A lost or killed agent takes precedence; one that was asked to end is a consequence.
        """
        failed = [code for code in self.codes if code != 0]
        return min(failed, key=_order) if failed else 0


def _order(code: int | None) -> tuple[bool, bool, int]:
    return code is not None, code == -signal.SIGTERM, code or 0


class Target(Protocol):
    """Place where steps are started."""

    offer: TargetOffer
    shares_folder: bool
    """False if machines cannot access the workspace: their files go through its object store."""

    def prepare(self, preload: Preload) -> None:
        """Prepare for a step that will start soon."""

    def submit(
        self, spec: StepSpec, preload: Preload, secrets: Mapping[str, str] | None = None
    ) -> StepHandle:
        """Start N agents with P ranks each for one step; ``secrets`` are never stored.

        Returns at once: the engine is called in another thread, and the handle reports its answer.
        """

    def adopt(self, spec: StepSpec) -> StepHandle | None:
        """Return a step of an earlier runner; None if steps here end with their runner."""

    def poll(self) -> None:
        """Process the reports about its steps since the last call, without waiting.

        The ``poll`` of each step's handle returns the result.
        """

    def check(self) -> Iterator[Finding]:
        """Check the target: yield findings, each with its fix. Slow."""

    def close(self) -> None:
        """Release the target; steps there continue unless they end with this process."""
