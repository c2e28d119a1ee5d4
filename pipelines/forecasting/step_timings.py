"""Durations of earlier steps, for estimates."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modules.forecast import StepForecast
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.forecasting.other_work import on_idle_machine
from pipelines.problems import PipelineError
from pipelines.store.database.step_timings import PastStep

NUM_SAMPLES = 5
"""Number of newest steps of a kind that count, because machines change."""


@dataclass(frozen=True)
class StepTimings:
    """Steps completed in this workspace, newest first."""

    steps: Sequence[PastStep] = ()

    def seconds(self, module: str, estimate: StepForecast) -> float | None:
        """Return the duration of a similar step; None if none was ever completed.

        Work measured by its module grows with its images, preparation with the images to open; the
        rest is constant. All other steps take as long as their module took before.
        """
        newest = self._alike(module, estimate)
        if not newest:
            return None
        if estimate.work is None or estimate.images_processed is None:
            return statistics.median(step.seconds for step in newest)
        per_image = statistics.median(step.work_seconds / step.num_images for step in newest)
        besides = statistics.median(
            step.seconds - step.work_seconds - step.opening_seconds for step in newest
        )
        return besides + _opening(newest, estimate) + per_image * estimate.images_processed

    def besides(self, module: str) -> float | None:
        """Return the overhead of a module's steps besides their measured work; None if unknown."""
        alike = [step for step in self.steps if step.module == module and step.work]
        newest = [on_idle_machine(step) for step in alike[:NUM_SAMPLES]]
        others = [max(0.0, step.seconds - step.work_seconds) for step in newest]
        return statistics.median(others) if others else None

    def samples(self, module: str, estimate: StepForecast) -> list[float]:
        """Return the duration of each of the newest similar steps, scaled to the current images."""
        single = (StepTimings([step]) for step in self._alike(module, estimate))
        durations = (timing.seconds(module, estimate) for timing in single)
        return [seconds for seconds in durations if seconds is not None]

    def _alike(self, module: str, estimate: StepForecast) -> list[PastStep]:
        if estimate.work is not None and estimate.images_processed is None:
            return []
        return self._newest.get((module, estimate.work), [])

    @cached_property
    def _newest(self) -> dict[tuple[str, str | None], list[PastStep]]:
        """Index by module and work: an estimate requests it for each of a thousand nodes."""
        newest: dict[tuple[str, str | None], list[PastStep]] = {}
        for step in self.steps:
            alike = newest.setdefault((step.module, step.work), [])
            if len(alike) < NUM_SAMPLES and (step.work is None or step.num_images):
                alike.append(on_idle_machine(step))
        return newest


def _opening(alike: Sequence[PastStep], estimate: StepForecast) -> float:
    """Return the seconds until the images are available: almost none for cached images."""
    if estimate.images_opened is None:
        return statistics.median(step.opening_seconds for step in alike)
    rates = [step.opening_seconds / step.num_opened for step in alike if step.num_opened]
    return statistics.median(rates) * estimate.images_opened if rates else 0.0


def modules_of(stored: dict[str, Any]) -> dict[str, str]:
    """Return the modules of a stored document's nodes, including those inside sub-pipelines."""
    with suppress(PipelineError):  # from a newer version of the program
        if stored.get("definitions"):
            return {node.id: node.module for node in expanded(parse_document(stored)).nodes}
    return {str(node["id"]): str(node["module"]) for node in stored.get("nodes", [])}
