"""What a compute target offers to a node."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class TargetOffer:
    """The size of a compute target: what run settings may ask of it."""

    name: str
    kind: str = "local"
    max_nodes: int = 1
    processes_per_node: int = 1
    """Processing units of one node: its GPUs, or its CPU cores where it has none."""
    gpus: int = 0
    """On one node."""
    memory_bytes: int | None = None
    """Of one node; None where it is not known."""
    simulated: bool = False
    """True where the nodes are processes of this machine, to learn and to test."""
    price_per_hour: float | None = None
    """Of one node, in a currency that nobody asks for; None where it costs nothing."""
    is_preemptible: bool = False
    """True where nodes may be taken away from a step."""

    @property
    def is_remote(self) -> bool:
        """True where the nodes are other machines: their cores are none of this one's."""
        return self.kind != "local"

    @property
    def tells_gpus(self) -> bool:
        """False where only the nodes know how many GPUs they have."""
        return self.kind != "ssh"

    def price_of(self, node_count: int) -> float | None:
        """What so many nodes cost an hour; None where nothing is said of it."""
        return None if self.price_per_hour is None else self.price_per_hour * node_count

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
