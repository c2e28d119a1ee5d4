"""Dagster with its SQLite instance: the executor of one process, or that of many."""

from __future__ import annotations

import logging
import os
import sys

from benchmarks.peers.counting import Work, measure, read_work

QUIET = {"loggers": {"console": {"config": {"log_level": "ERROR"}}}}


def run(work: Work) -> int:
    from dagster import DagsterInstance, execute_job, reconstructable

    from benchmarks.peers.dagster_job import make_job

    os.environ["DAGSTER_HOME"] = str(work.folder)
    (work.folder / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    with DagsterInstance.get() as instance:
        job = reconstructable(make_job)
        with execute_job(job, instance, run_config=QUIET, raise_on_error=True) as result:
            names = [event.node_name for event in result.get_step_success_events()]
            return sum(result.output_for_node(name) for name in names)


if __name__ == "__main__":
    logging.getLogger("dagster").setLevel(logging.ERROR)
    os.environ["EXECUTOR"] = sys.argv.pop(1)
    asked = read_work()
    os.environ.update(SHAPE=asked.shape, NODES=str(asked.num_nodes), DAGSTER_DISABLE_TELEMETRY="1")
    measure(run, asked, "dagster")
