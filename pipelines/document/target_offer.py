"""Offer of a compute target to a node."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TargetOffer:
    """Size of a compute target: limits of run settings."""

    name: str
    kind: str = "local"
    max_nodes: int = 1
    processes_per_node: int = 1
    """Processing units of one machine: its GPUs, or its CPU cores if it has none."""
    gpus: int = 0
    """GPUs of one machine."""
    memory_bytes: int | None = None
    """Memory of one machine; None if unknown."""
    simulated: bool = False
    """True if the machines are processes of this one, for learning and testing."""
    price_per_hour: float | None = None
    """Price of one machine in an unspecified currency; None if it is free."""
    is_preemptible: bool = False
    """True if machines may be taken away from a step."""

    @property
    def is_remote(self) -> bool:
        """Return True if the nodes are other machines, which do not use this one's cores."""
        return self.kind != "local"

    @property
    def reports_gpus(self) -> bool:
        """Return False if only the machines know their number of GPUs."""
        return self.kind != "ssh"

    def price_of(self, node_count: int) -> float | None:
        """Return the price per hour of this many machines; None if it is not set."""
        return None if self.price_per_hour is None else self.price_per_hour * node_count
