"""Check of a node: ``python -m pipelines.workers.node_check FOLDER COUNT RANK_VARIABLE``.

It writes its facts to the folder, which all nodes must see, and sums numbers with the others.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TypedDict

from modules.operating_system.forking import leave
from pipelines.workers.agent_files import AgentFiles, NodeFacts
from pipelines.workers.meeting import meet
from pipelines.workers.networks import meeting_address
from pipelines.workers.node_facts import folder_lack, node_facts

WAIT_TIMEOUT_SECONDS = 60.0
CHECK_TIMEOUT_SECONDS = 180
NUM_FLOATS = 4 * 2**20
"""Number of floats summed by all nodes: 16 MiB, like the gradients of a small network."""


class SumOfNodes(TypedDict):
    """Sum of numbers over all nodes: its duration and size, and the address of the rendezvous."""

    seconds: float
    num_bytes: int
    address: str


def check(files: AgentFiles, count: int, rank: int, interface: str | None) -> SumOfNodes:
    """Return ``seconds`` and ``num_bytes`` of a sum over all nodes, and its ``address``."""
    nodes = _all_facts(files, count)
    address = meeting_address(nodes, interface)
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(count))
    os.environ.update(meet(count, files, rank, address))
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo")
    values = torch.ones(NUM_FLOATS)
    dist.all_reduce(torch.ones(1))  # the first use opens connections
    started = time.perf_counter()
    dist.all_reduce(values)
    seconds = time.perf_counter() - started
    assert float(values[0]) == count
    return {"seconds": seconds, "num_bytes": 4 * NUM_FLOATS, "address": address}


def _all_facts(files: AgentFiles, count: int) -> list[NodeFacts]:
    deadline = time.monotonic() + WAIT_TIMEOUT_SECONDS
    while True:
        names = files.names()
        reports = [files.node(rank) for rank in range(count)] if names else []
        nodes = [report for report in reports if report is not None]
        if len(nodes) == count:
            return nodes
        if time.monotonic() > deadline:
            sys.exit(f"{len(nodes)} of {count} machines can access {files.folder}")
        time.sleep(0.05)


def main() -> None:
    """Check this node."""
    try_node(Path(sys.argv[1]), int(sys.argv[2]), int(os.environ[sys.argv[3]]))
    leave(0)


def try_node(folder: Path, count: int, rank: int) -> None:
    """Write the facts of this node, then the result of the sum."""
    signal.alarm(CHECK_TIMEOUT_SECONDS)  # the caller by ssh has given up, which ends nothing here
    files = AgentFiles(folder)
    lack = folder_lack(files.folder)
    if lack is not None:
        print(json.dumps(lack), flush=True)
        return
    facts = node_facts()
    print(facts["host"], flush=True)
    files.write(f"node-{rank}.json", facts)
    if count > 1:
        interface = files.order().interface
        files.write(f"sum-{rank}.json", check(files, count, rank, interface))


if __name__ == "__main__":
    main()
