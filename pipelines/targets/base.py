"""How a step is handed to a compute target, and followed there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from modules.spec import Preload
    from pipelines.targets.offer import TargetOffer
    from pipelines.workers.step_spec import StepSpec


class StepHandle(Protocol):
    """A step that a target has taken on: N agents with P ranks each."""

    spec: StepSpec

    def poll(self) -> StepEnd | None:
        """How it ended; None while it runs."""

    def cancel(self) -> None:
        """Ask its processes to end; those that do not within ten seconds are killed."""


@dataclass(frozen=True)
class StepEnd:
    """All agents of a step have ended: their exit codes, None for one that was lost."""

    codes: tuple[int | None, ...]

    @property
    def ok(self) -> bool:
        return all(code == 0 for code in self.codes)

    @property
    def worst(self) -> int | None:
        """The code of an agent that failed, one that was lost or killed first."""
        failed = [code for code in self.codes if code != 0]
        return min(failed, key=lambda code: -1000 if code is None else code) if failed else 0


class Target(Protocol):
    """Starts steps somewhere."""

    offer: TargetOffer

    def prepare(self, preload: Preload) -> None:
        """Get ready for a step that will come soon."""

    def submit(
        self, spec: StepSpec, preload: Preload, secrets: Mapping[str, str] | None = None
    ) -> StepHandle:
        """Start N agents with P ranks each for one step; ``secrets`` are written down nowhere."""

    def poll(self) -> None:
        """Take in what has been reported of its steps since the last call; does not wait.

        What it learns is seen in the ``poll`` of each step's handle.
        """
