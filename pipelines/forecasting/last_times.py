"""Last durations of a pipeline's nodes, scaled to the current settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field

from modules.forecast import StepForecast
from modules.json_model import JsonModel
from modules.operating_system.machine import gpu_names
from pipelines.document.document import Node
from pipelines.forecasting.other_work import on_idle_machine
from pipelines.store.database.step_timings import PastStep


class LastTime(JsonModel):
    """Duration of a node's last run in this pipeline, scaled to the changes since then."""

    seconds: float
    scaled_seconds: float = Field(
        description="Scaled by images, epochs, their cost, machines, GPUs and other processes."
    )
    run_id: str


@dataclass(frozen=True)
class PastWork:
    """Completed step of the pipeline, with the estimate of its work at that time."""

    step: PastStep
    estimate: StepForecast
    workers: int = 1

    def now(self, estimate: StepForecast, workers: int) -> LastTime:
        """Return its duration, scaled to the current work and workers."""
        growth = _work(estimate, workers) / _work(self.estimate, self.workers)
        step = self.step
        return LastTime(
            seconds=step.seconds, scaled_seconds=self._scaled(growth), run_id=step.run_id
        )

    def _scaled(self, growth: float) -> float:
        step = on_idle_machine(self.step)
        if step.work is None or not step.work_seconds:
            return step.seconds * growth
        return step.seconds + step.work_seconds * (growth - 1)


def last_time(node: Node, estimate: StepForecast, last: Mapping[str, PastWork]) -> LastTime | None:
    """Return the last duration of a node if its module and the kind of its work are the same.

    A training of a head on stored features says nothing about one of the whole network.
    """
    past = last.get(node.id)
    if past is None or past.step.module != node.module:
        return None
    if (past.estimate.work is None) != (estimate.work is None):
        return None
    return past.now(estimate, num_workers(node))


def last_steps(steps: Iterable[PastStep], pipeline: str) -> Mapping[str, PastStep]:
    """Return the newest completed step by node; ``steps`` are newest first."""
    newest: dict[str, PastStep] = {}
    for step in steps:
        if step.pipeline == pipeline:
            newest.setdefault(step.node, step)
    return newest


def num_workers(node: Node) -> int:
    """Return the divisor of a node's work: machines, and processes with a GPU each.

    Processes without a GPU share the cores.
    """
    settings = node.run_settings
    num_workers_per_machine = min(settings.process_count_per_node, len(gpu_names())) or 1
    return settings.node_count * num_workers_per_machine


def _work(estimate: StepForecast, workers: int) -> float:
    """Return the images processed, weighted by their cost; 1 if no images are counted."""
    images = estimate.images_processed or 1
    return images * (estimate.flops_per_image or 1.0) / workers
