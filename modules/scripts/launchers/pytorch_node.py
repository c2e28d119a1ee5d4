"""PyTorch, per node: one process a node, which starts the ranks.

The process is torchrun for a script, else the command itself (``torch.distributed.launch``,
Lightning and others). It must not see ``RANK``, ``LOCAL_RANK`` or ``WORLD_SIZE``: Lightning would
wait forever for ranks that it assumes to be started already.
"""

from __future__ import annotations

from modules.scripts.launchers.process_description import Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """Return one process for each node."""
    return [_node(launch, node) for node in range(launch.node_count)]


def port_nodes(_launch: Launch) -> list[int]:
    return [0]


def _node(launch: Launch, node: int) -> ProcessDescription:
    name, variables = f"node {node}", _variables(launch, node)
    if not launch.has_own_command:
        return ProcessDescription(name, node, _torchrun(launch, node), variables)
    first = node * launch.processes_per_node  # the log of the node's first rank
    return ProcessDescription(name, node, launch.program.argv, variables, log_number=first)


def _variables(launch: Launch, node: int) -> dict[str, str]:
    return {
        **launch.master,
        "NODE_RANK": str(node),
        "DESIGNER_NODE_COUNT": str(launch.node_count),
        "DESIGNER_PROCESSES_PER_NODE": str(launch.processes_per_node),
    }


def _torchrun(launch: Launch, node: int) -> tuple[str, ...]:
    master = launch.master
    return (
        launch.program.python,
        "-m",
        "torch.distributed.run",
        f"--nnodes={launch.node_count}",
        f"--nproc-per-node={launch.processes_per_node}",
        f"--node-rank={node}",
        f"--master-addr={master['MASTER_ADDR']}",
        f"--master-port={master['MASTER_PORT']}",
        "--max-restarts=0",
        *launch.program.through_bootstrap,
    )
