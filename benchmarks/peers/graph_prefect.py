"""Prefect with its own temporary server: tasks called in turn, or submitted to two threads."""

from __future__ import annotations

import os

from benchmarks.peers.counting import Work, measure, read_work

WORK = read_work()
HOME = WORK.folder / "home"
HOME.mkdir(parents=True)
os.environ.update(
    PREFECT_HOME=str(HOME),
    PREFECT_SERVER_ANALYTICS_ENABLED="false",
    PREFECT_LOGGING_LEVEL="ERROR",
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="120",  # 20 are not enough everywhere
    DO_NOT_TRACK="1",
)

from prefect import flow, task  # noqa: E402  (its settings are read on import)
from prefect.task_runners import ThreadPoolTaskRunner  # noqa: E402


@task
def increment(value: int) -> int:
    return value + 1


@flow
def chain(num_nodes: int) -> int:
    value, total = 0, 0
    for _ in range(num_nodes):
        value = increment(value)
        total += value
    return total


@flow(task_runner=ThreadPoolTaskRunner(max_workers=2))
def fan(num_nodes: int) -> int:
    first = increment(0)
    futures = [increment.submit(first) for _ in range(num_nodes - 1)]
    return first + sum(future.result() for future in futures)


def run(work: Work) -> int:
    return {"chain": chain, "fan": fan}[work.shape](work.num_nodes)


if __name__ == "__main__":
    measure(run, WORK, "prefect")
