"""Simulated machines with Slurm or Ray on them, as ``tests/cluster`` has them, to measure on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from benchmarks.harness import BenchmarkError
from pipelines.document.document import PipelineDocument
from pipelines.events import Event
from tests.cluster.conftest import Lab, RayLab, SlurmLab, made
from tests.cluster.machines import lacks, wait_for
from tests.cluster.ray_cluster import BIN
from tests.cluster.slurm import COMMANDS

L = TypeVar("L", bound=Lab)


@contextmanager
def slurm_lab(workers: int) -> Iterator[SlurmLab]:
    """Machines with Slurm; a designer's workspace is on their head."""
    with _lab(SlurmLab, workers, *COMMANDS) as lab:
        yield lab


@contextmanager
def ray_lab(workers: int) -> Iterator[RayLab]:
    """Machines with Ray, from an environment of its own."""
    if not (BIN / "ray").exists():
        raise BenchmarkError("Ray is not installed. Run: make .venv-ray/.installed")
    with _lab(RayLab, workers) as lab:
        yield lab


@contextmanager
def _lab(kind: type[L], workers: int, *commands: str) -> Iterator[L]:
    missing = lacks(*commands, "ps")
    if missing:
        raise BenchmarkError(f"Simulating a cluster {missing}. Run it as root where that is.")
    with made(kind, *commands, workers=workers) as lab:
        yield lab


def events_of(lab: Lab, document: PipelineDocument) -> list[Event]:
    """All that a run of the document tells; its processes are gone afterwards."""
    run_id = lab.submit(document)
    state = lab.finish(run_id)
    if state.status != "completed":
        raise BenchmarkError(f"The run failed: {state.problem}. See the logs of its steps.")
    for name in lab.machines.workers:
        wait_for(lambda: not _agents(lab, name), f"{name} to be at rest")  # noqa: B023 - at once
    return lab.session.runs.store.events_after(run_id)


def _agents(lab: Lab, name: str) -> list[str]:
    """What a step runs on a machine; what a target keeps warm stays."""
    return [line for line in lab.left(name) if "workers.agent " in line]


def time_of(events: list[Event], kind: str, node: str | None = None) -> float:
    """When the first event of that kind was told."""
    times = [each.time for each in events if each.kind == kind and node in (None, each.node)]
    if not times:
        raise BenchmarkError(f"Nothing told {kind}: see the logs of the step.")
    return times[0]
