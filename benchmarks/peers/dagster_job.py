"""The Dagster job of ``graph_dagster``, in a module that worker processes can import by name."""

from __future__ import annotations

import os
from pathlib import Path

from dagster import (
    JobDefinition,
    graph,
    in_process_executor,
    multiprocess_executor,
    op,
)

from benchmarks.peers.counting import Work

FORKED = {
    "max_concurrent": 2,
    "start_method": {"forkserver": {"preload_modules": ["benchmarks.peers.dagster_job"]}},
}
"""Its faster way to start processes."""


@op
def start() -> int:
    return 1


@op
def increment(value: int) -> int:
    return value + 1


def make_job() -> JobDefinition:
    """The job that the environment describes: worker processes build it again."""
    work = Work(os.environ["SHAPE"], int(os.environ["NODES"]), Path())
    executor = in_process_executor
    if os.environ["EXECUTOR"] == "multiprocess":
        executor = multiprocess_executor.configured(FORKED)

    @graph
    def counting() -> None:
        values = []
        for index, parent in enumerate(work.parents):
            if parent is None:
                values.append(start())
            else:
                values.append(increment.alias(f"increment_{index}")(values[parent]))

    return counting.to_job(executor_def=executor)
