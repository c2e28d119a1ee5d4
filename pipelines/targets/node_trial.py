"""Shared parts of checks of a target's machines: a folder that all must access, and reports."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from modules.formatting import format_bytes
from pipelines.sentences import targets as say
from pipelines.targets.finding import Finding
from pipelines.workers.agent_files import AgentFiles, NodeFacts, Order
from pipelines.workers.node_check import SumOfNodes
from pipelines.workers.node_facts import NAMES, clocks_apart, software


@contextmanager
def trial_folder(workspace: Path) -> Iterator[Path]:
    """Yield a temporary folder in the workspace with an unguessable name."""
    folder = workspace / "cache" / f"check-{secrets.token_hex(4)}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def try_nodes(
    run: Callable[[], Finding | None],
    folder: Path,
    count: int,
    interface: str | None,
    store: str | None = None,
) -> Iterator[Finding]:
    """Return the reports of ``count`` nodes in a folder after ``run``, which returns what failed.

    ``store`` is the object store through which they access the folder, if they share none.
    """
    files = AgentFiles(folder)
    files.create(Order(software(), interface=interface))
    failure = run()
    reports = [files.node(rank) for rank in range(count)]
    nodes = [report for report in reports if report is not None]
    if nodes:
        hosts = [node["host"] for node in nodes]
        yield Finding.of("machines", say.NODES_REPORT, hosts=hosts)
    if store is not None:
        if len(nodes) == count:
            yield Finding.of("object store", say.STORE_REACHED, store=store)
        elif failure is None or nodes:
            facts = {"count": len(nodes), "all": count, "store": store}
            yield Finding.failed("object store", say.STORE_NOT_REACHED, **facts)
    elif len(nodes) == count:
        yield Finding.of("shared folder", say.FOLDER_SHARED, folder=folder.parents[1])
    elif failure is None or nodes:
        facts = {"count": len(nodes), "all": count, "folder": folder.parents[1]}
        yield Finding.failed("shared folder", say.FOLDER_NOT_SHARED, **facts)
    yield from (versions(node) for node in nodes)
    yield from clocks(nodes)
    if failure is not None:
        yield failure
    elif len(nodes) == count > 1:
        yield sum_of_nodes(cast("SumOfNodes | None", files.read("sum-0.json")))


def versions(node: NodeFacts) -> Finding:
    """Compare the software of a node, by its facts, with this process's."""
    own, host = node["software"], node["host"]
    for name, required in software().items():
        if own.get(name) != required:
            facts = {"host": host, "what": NAMES[name], "theirs": own.get(name), "ours": required}
            return Finding.failed("versions", say.VERSIONS_DIFFER, **facts)
    facts = {"host": host, "python": own["python"], "torch": own["torch"]}
    return Finding.of(
        "versions", say.VERSIONS_EQUAL, **facts, cores=node["cores"], gpus=node["gpus"]
    )


def clocks(nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """Return what is wrong with the clocks of nodes, by their facts."""
    statement = clocks_apart(nodes) if nodes else None
    if statement is not None:
        yield Finding("clocks", False, statement.message, statement.cure)


def sum_of_nodes(result: SumOfNodes | None) -> Finding:
    """Return how fast nodes summed numbers; None: they did not finish."""
    if result is None:
        return Finding.failed("sum", say.NO_SUM)
    speed = format_bytes(round(result["num_bytes"] / max(result["seconds"], 1e-6)))
    size = format_bytes(result["num_bytes"])
    return Finding.of("sum", say.SUM_OF_NODES, size=size, speed=speed, address=result["address"])
