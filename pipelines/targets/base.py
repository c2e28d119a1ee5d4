"""How a step is handed to a compute target, and followed there."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from modules.sentences.sentence import Statement
    from modules.spec import Preload
    from pipelines.targets.finding import Finding
    from pipelines.targets.offer import TargetOffer
    from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class TargetPhase:
    """How far a target is with a step: it waits there for nodes, they get ready, or they run."""

    name: Literal["scaling", "preparing", "running"]
    waits_for: str = ""
    """What keeps it, in the engine's own words; empty where nothing does."""
    hosts: tuple[str, ...] = ()
    """The nodes that it was given."""

    def to_json(self) -> dict[str, Any]:
        """The data of a ``StepPhase``."""
        return {"phase": self.name, "waits_for": self.waits_for, "hosts": ", ".join(self.hosts)}


PREPARING = TargetPhase("preparing")


def machines_lacking(count: int, of_all: int) -> str:
    """What a step waits for that lacks so many of its machines."""
    return f"{count} of {of_all} machines"


class StepHandle(Protocol):
    """A step that a target has taken on: N agents with P ranks each."""

    @property
    def spec(self) -> StepSpec: ...

    @property
    def phase(self) -> TargetPhase | None:
        """How far the target is with it, as it was seen last; None where that is not known yet."""

    def new_warnings(self) -> list[Statement]:
        """What its user should know of the target, though the step goes on; each once."""

    def poll(self) -> StepEnd | None:
        """How it ended; None while it runs. Tells what was seen last and never waits."""

    def cancel(self) -> None:
        """Ask its processes to end; those that do not within ten seconds are killed."""


@dataclass(frozen=True)
class StepEnd:
    """All agents of a step have ended: their exit codes, None for one that was lost."""

    codes: tuple[int | None, ...]
    problem: Mapping[str, Any] | None = None
    """Why, where the target knows what no rank could tell: a node that is gone, say."""
    was_lost: bool = False
    """True where an adopted step is nowhere to be found: it may be begun again."""

    @property
    def ok(self) -> bool:
        return all(code == 0 for code in self.codes)

    @property
    def worst(self) -> int | None:
        """The code of an agent that failed: one that was lost or killed leads, and one that was
        asked to end only followed it."""
        failed = [code for code in self.codes if code != 0]
        return min(failed, key=_order) if failed else 0


def _order(code: int | None) -> tuple[bool, bool, int]:
    return code is not None, code == -signal.SIGTERM, code or 0


class Target(Protocol):
    """Starts steps somewhere."""

    offer: TargetOffer
    shares_folder: bool
    """False where nodes do not see the workspace: all that they read comes by its object store."""

    def prepare(self, preload: Preload) -> None:
        """Get ready for a step that will come soon."""

    def submit(
        self, spec: StepSpec, preload: Preload, secrets: Mapping[str, str] | None = None
    ) -> StepHandle:
        """Start N agents with P ranks each for one step; ``secrets`` are written down nowhere.

        Returns at once: an engine is asked beside the loop, and the handle tells what it says.
        """

    def adopt(self, spec: StepSpec) -> StepHandle | None:
        """A step that an earlier runner has submitted; None where none outlives its runner."""

    def poll(self) -> None:
        """Take in what has been reported of its steps since the last call; does not wait.

        What it learns is seen in the ``poll`` of each step's handle.
        """

    def check(self) -> Iterator[Finding]:
        """Try it: one finding after the other, each with its cure. This takes its time."""

    def close(self) -> None:
        """Let go of it; what runs there goes on, unless it ends with this process."""
