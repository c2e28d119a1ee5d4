"""TensorFlow: workers, and a chief with parameter servers, which connect by ``TF_CONFIG``."""

from __future__ import annotations

import json

from modules.scripts.launchers.process_description import Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """Return one process for each task: the chief, then workers, then servers.

    Servers, and the workers of a chief, never end on their own.
    """
    ports = iter(launch.ports)
    cluster = {
        kind: [f"{launch.host_of(node)}:{next(ports)}" for node in nodes]
        for kind, nodes in _tasks(launch).items()
    }
    tasks = [(kind, index) for kind in cluster for index in range(len(cluster[kind]))]
    return [
        _task(launch, cluster, kind, index, number) for number, (kind, index) in enumerate(tasks)
    ]


def port_nodes(launch: Launch) -> list[int]:
    return [node for nodes in _tasks(launch).values() for node in nodes]


def _tasks(launch: Launch) -> dict[str, list[int]]:
    """Return the nodes of each kind without empty kinds, which TensorFlow 2.13 rejects."""
    servers = [index % launch.node_count for index in range(launch.parameter_server_count)]
    workers = [index // launch.processes_per_node for index in range(launch.world_size)]
    return {"chief": [0], "worker": workers, "ps": servers} if servers else {"worker": workers}


def _task(
    launch: Launch, cluster: dict[str, list[str]], kind: str, index: int, number: int
) -> ProcessDescription:
    config = {
        "cluster": cluster,
        "task": {"type": kind, "index": index},
        "environment": "cloud",
    }
    return ProcessDescription(
        "chief" if kind == "chief" else f"{kind} {index}",
        _tasks(launch)[kind][index],
        launch.program.argv,
        {"TF_CONFIG": json.dumps(config)},
        rank=number,
        log_number=number,
        serves="chief" in cluster and kind != "chief",
    )
