"""What a compute target offers to a node, and how a step is handed to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from modules.spec import Preload
    from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class TargetOffer:
    """The size of a compute target: what run settings may ask of it."""

    name: str
    kind: Literal["local", "ray", "slurm"] = "local"
    max_nodes: int = 1
    processes_per_node: int = 1
    """Processing units of one node: its GPUs, or its CPU cores where it has none."""
    gpus: int = 0
    """On one node."""
    memory_bytes: int | None = None
    """Of one node; None where it is not known."""
    simulated: bool = False
    """True where the nodes are processes of this machine, to learn and to test."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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

    def submit(self, spec: StepSpec, preload: Preload) -> StepHandle:
        """Start N agents with P ranks each for one step."""
