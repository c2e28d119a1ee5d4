"""What earlier runs say about how long a step will take."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modules.forecast import StepForecast
from pipelines.documents.document import parse_document
from pipelines.documents.expansion import expanded
from pipelines.problems import PipelineError
from pipelines.store.step_timings import PastStep

NUM_SAMPLES = 5
"""So many of the newest steps of a kind count: a machine changes."""


@dataclass(frozen=True)
class StepTimings:
    """Steps that were completed here, the newest first."""

    steps: Sequence[PastStep] = ()

    def seconds(self, module: str, foreseen: StepForecast) -> float | None:
        """How long a step like that takes; None where no such step was ever completed.

        Work that its module has measured grows with its images, and what went before it to
        opening images with those, over what the step took besides; any other step takes what its
        module took before.
        """
        newest = self._alike(module, foreseen)
        if not newest:
            return None
        if foreseen.work is None or foreseen.images_processed is None:
            return statistics.median(each.seconds for each in newest)
        per_image = statistics.median(each.work_seconds / each.num_images for each in newest)
        besides = statistics.median(
            each.seconds - each.work_seconds - each.opening_seconds for each in newest
        )
        return besides + _opening(newest, foreseen) + per_image * foreseen.images_processed

    def besides(self, module: str) -> float | None:
        """Return what steps of a module took besides the work that they measured, whatever it was;
        None where none was completed."""
        alike = [step for step in self.steps if step.module == module and step.work]
        newest = alike[:NUM_SAMPLES]
        others = [max(0.0, each.seconds - each.work_seconds) for each in newest]
        return statistics.median(others) if others else None

    def samples(self, module: str, foreseen: StepForecast) -> list[float]:
        """What each of the newest steps like that would take with the images of now."""
        alone = (StepTimings([each]) for each in self._alike(module, foreseen))
        told = (each.seconds(module, foreseen) for each in alone)
        return [seconds for seconds in told if seconds is not None]

    def _alike(self, module: str, foreseen: StepForecast) -> list[PastStep]:
        if foreseen.work is not None and foreseen.images_processed is None:
            return []
        return self._newest.get((module, foreseen.work), [])

    @cached_property
    def _newest(self) -> dict[tuple[str, str | None], list[PastStep]]:
        """By module and work: a forecast asks once for each of a thousand nodes."""
        newest: dict[tuple[str, str | None], list[PastStep]] = {}
        for step in self.steps:
            alike = newest.setdefault((step.module, step.work), [])
            if len(alike) < NUM_SAMPLES and (step.work is None or step.num_images):
                alike.append(step)
        return newest


def _opening(alike: Sequence[PastStep], foreseen: StepForecast) -> float:
    """Seconds until the images are there: of images that a cache held already, next to none."""
    if foreseen.images_opened is None:
        return statistics.median(each.opening_seconds for each in alike)
    rates = [each.opening_seconds / each.num_opened for each in alike if each.num_opened]
    return statistics.median(rates) * foreseen.images_opened if rates else 0.0


def modules_of(stored: dict[str, Any]) -> dict[str, str]:
    """The modules of a stored document's nodes, also of those inside sub-pipelines."""
    with suppress(PipelineError):  # of a newer version of the program
        if stored.get("definitions"):
            return {node.id: node.module for node in expanded(parse_document(stored)).nodes}
    return {str(node["id"]): str(node["module"]) for node in stored.get("nodes", [])}
