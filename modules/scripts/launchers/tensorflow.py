"""TensorFlow: workers, and a chief where there are parameter servers, who meet by ``TF_CONFIG``."""

from __future__ import annotations

import json

from modules.scripts.launchers.process_description import HOST, Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """One process for each task: the chief, then workers, then servers.

    Servers, and the workers that serve a chief, never end by themselves.
    """
    addresses = iter(launch.ports)
    cluster = {
        kind: [f"{HOST}:{next(addresses)}" for _ in range(count)]
        for kind, count in _tasks(launch).items()
    }
    tasks = [(kind, index) for kind in cluster for index in range(len(cluster[kind]))]
    return [
        _task(launch, cluster, kind, index, number) for number, (kind, index) in enumerate(tasks)
    ]


def num_ports(launch: Launch) -> int:
    return sum(_tasks(launch).values())


def _tasks(launch: Launch) -> dict[str, int]:
    """How many of each kind; an empty kind may not be named: TensorFlow 2.13 refuses it."""
    servers = launch.parameter_server_count
    workers = {"worker": launch.world_size}
    return {"chief": 1, **workers, "ps": servers} if servers else workers


def _task(
    launch: Launch, cluster: dict[str, list[str]], kind: str, index: int, number: int
) -> ProcessDescription:
    config = {
        "cluster": cluster,
        "task": {"type": kind, "index": index},
        "environment": "cloud",
    }
    node = {"worker": index // launch.processes_per_node, "ps": index % launch.node_count}
    return ProcessDescription(
        "chief" if kind == "chief" else f"{kind} {index}",
        node.get(kind, 0),
        launch.program.argv,
        {"TF_CONFIG": json.dumps(config)},
        rank=number,
        log_number=number,
        serves="chief" in cluster and kind != "chief",
    )
