"""Settings and offer of this machine as a compute target."""

from __future__ import annotations

from pydantic import Field

from modules.operating_system.machine import gpu_names, memory_bytes, num_cores
from pipelines.document.target_offer import TargetOffer
from pipelines.targets.settings import TargetSettings


def local_offer(name: str = "local", *, simulated_nodes: int = 0) -> TargetOffer:
    """Return the offer of this machine; with ``simulated_nodes``, as that many nodes that share it.

    Nodes share the cores if there are fewer GPUs than nodes.
    """
    gpus, nodes = len(gpu_names()), max(1, simulated_nodes)
    return TargetOffer(
        name=name,
        kind="local",
        max_nodes=nodes,
        processes_per_node=gpus // nodes or num_cores(),
        gpus=gpus,
        memory_bytes=memory_bytes(),
        simulated=simulated_nodes > 0,
    )


class LocalSettings(TargetSettings):
    """Settings of a target that is this machine."""

    simulated_nodes: int = Field(0, ge=0, le=64, description="Number of simulated machines.")

    def offer(self, name: str) -> TargetOffer:
        return local_offer(name, simulated_nodes=self.simulated_nodes)
