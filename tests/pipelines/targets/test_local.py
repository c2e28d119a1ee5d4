"""What this machine offers, as one node or as several that share it."""

from __future__ import annotations

import pytest

from modules.operating_system.machine import num_cores
from pipelines.targets.local import settings as local


@pytest.mark.parametrize(
    ("gpus", "simulated_nodes", "processes"),
    [(1, 0, 1), (4, 0, 4), (8, 2, 4), (1, 2, None), (0, 0, None), (0, 2, None)],
)
def test_nodes_share_gpus_and_else_cores(
    monkeypatch: pytest.MonkeyPatch, gpus: int, simulated_nodes: int, processes: int | None
) -> None:
    monkeypatch.setattr(local, "gpu_names", lambda: tuple(map(str, range(gpus))))
    offer = local.local_offer("local", simulated_nodes=simulated_nodes)
    assert offer.max_nodes == max(1, simulated_nodes)
    assert offer.processes_per_node == (processes or num_cores())
    assert offer.gpus == gpus
