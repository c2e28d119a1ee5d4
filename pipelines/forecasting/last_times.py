"""What the nodes of a pipeline took when they last ran, and what follows for how they are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from modules.forecast import StepForecast
from modules.operating_system.machine import gpu_names
from pipelines.documents.document import Node
from pipelines.store.step_timings import PastStep


@dataclass(frozen=True)
class LastTime:
    """A node's last time: what it took, and what it would take with what has changed since."""

    seconds: float
    scaled_seconds: float
    """Scaled by the images that pass, what each costs, and the machines and GPUs at work."""
    run_id: str


@dataclass(frozen=True)
class PastWork:
    """A completed step of the pipeline, with what was foreseen of its work as it was then."""

    step: PastStep
    foreseen: StepForecast
    workers: int = 1

    def now(self, foreseen: StepForecast, workers: int) -> LastTime:
        """What it took, scaled to the work and the workers of now."""
        growth = _work(foreseen, workers) / _work(self.foreseen, self.workers)
        return LastTime(self.step.seconds, self._scaled(growth), self.step.run_id)

    def _scaled(self, growth: float) -> float:
        step = self.step
        if step.work is None or not step.work_seconds:
            return step.seconds * growth
        return step.seconds + step.work_seconds * (growth - 1)


def last_time(node: Node, foreseen: StepForecast, last: Mapping[str, PastWork]) -> LastTime | None:
    """What the node took when it last ran, where it is of the same module still."""
    past = last.get(node.id)
    if past is None or past.step.module != node.module:
        return None
    return past.now(foreseen, num_workers(node))


def last_steps(steps: Iterable[PastStep], pipeline: str) -> Mapping[str, PastStep]:
    """By node, the newest completed step of a pipeline; ``steps`` are the newest first."""
    newest: dict[str, PastStep] = {}
    for step in steps:
        if step.pipeline == pipeline:
            newest.setdefault(step.node, step)
    return newest


def num_workers(node: Node) -> int:
    """What divides a node's work: machines, and processes with a GPU each (others share cores)."""
    settings = node.run_settings
    each = min(settings.process_count_per_node, len(gpu_names())) or 1
    return settings.node_count * each


def _work(foreseen: StepForecast, workers: int) -> float:
    """Images that pass, weighted by what each costs; 1 where no images are counted."""
    images = foreseen.images_processed or 1
    return images * (foreseen.flops_per_image or 1.0) / workers
