"""Estimates for runs, before and after they ran.

Typed for callers that compute with them; ``to_json`` returns the object of the API and of
``--json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from modules.forecast import ArtifactForecast, StepForecast
from modules.operating_system.machine import num_cores
from pipelines.forecasting.last_times import LastTime
from pipelines.forecasting.other_work import share_in_words, slowdown

Basis = Literal["estimated", "scaled", "measured", "reused"]
Range = tuple[float, float]


@dataclass(frozen=True)
class StepEstimate:
    """Estimate for one node; None if unknown."""

    node: str
    module: str
    forecast: StepForecast
    seconds: float | None
    basis: Basis | None
    """Source of the seconds; scaled: from the node's last duration."""
    range_seconds: Range | None = None
    """Likely minimum and maximum on an otherwise idle machine."""
    last: LastTime | None = None
    """Last duration of this node in this pipeline."""
    price_per_hour: float | None = None
    """Price of all its machines; None if their target has no price."""

    @property
    def cost(self) -> float | None:
        """Return the cost; None if it is unknown or nothing has a price."""
        if self.price_per_hour is None or self.seconds is None:
            return None
        return self.price_per_hour * self.seconds / 3600

    @property
    def is_reused(self) -> bool:
        """Return True if its output already exists."""
        return self.basis == "reused"

    @property
    def output(self) -> ArtifactForecast:
        """Return its first output."""
        return next(iter(self.forecast.outputs.values()), ArtifactForecast())

    @property
    def image_size(self) -> list[int] | None:
        """Return height and width in pixels: of its module, otherwise of the first output."""
        if self.forecast.image_size is not None:
            return [*self.forecast.image_size]
        height, width = self.output.image_height, self.output.image_width
        return [height, width] if height and width else None

    def to_json(self) -> dict[str, Any]:
        forecast, seconds = self.forecast, self.seconds
        return {
            "node": self.node,
            "module": self.module,
            "reused": self.is_reused,
            "images": self.output.num_images,
            "classes": self.output.num_classes,
            "image_size": self.image_size,
            "outputs": {port: _output_to_json(each) for port, each in forecast.outputs.items()},
            "images_processed": forecast.images_processed,
            "memory_bytes": forecast.memory_bytes,
            "seconds": seconds,
            "minutes": None if seconds is None else seconds / 60,
            "basis": self.basis,
            "cost": self.cost,
            "range_seconds": self.range_seconds and [*self.range_seconds],
            "last": self.last and asdict(self.last),
            "findings": [asdict(finding) for finding in forecast.findings],
            "choices": {name: dict(each) for name, each in forecast.choices.items()},
        }


@dataclass(frozen=True)
class ForecastTotals:
    """Seconds of all steps and of the critical path; peak memory in bytes."""

    seconds: float
    critical_path_seconds: float
    memory_bytes: int | None
    nodes_unknown: int
    nodes_reused: int
    range_seconds: Range = (0.0, 0.0)
    """Likely minimum and maximum of the critical path."""
    cost: float | None = None
    """Cost of the known steps; None if none of their targets has a price."""


@dataclass(frozen=True)
class RunForecast:
    """Estimate for a run: one per node, in execution order, and totals."""

    steps: tuple[StepEstimate, ...]
    totals: ForecastTotals
    other_work: float = 0.0
    """Share of the cores used by other processes, 0 to 1."""

    @property
    def seconds_now(self) -> float:
        """Return the duration of the critical path under the current load."""
        return self.totals.critical_path_seconds * slowdown(self.other_work, num_cores())

    def to_json(self) -> dict[str, Any]:
        totals = asdict(self.totals) | {"range_seconds": [*self.totals.range_seconds]}
        return {
            "nodes": [step.to_json() for step in self.steps],
            "totals": totals,
            "other_work": {
                "share": self.other_work,
                "words": share_in_words(self.other_work),
                "seconds": self.seconds_now,
            },
        }


@dataclass(frozen=True)
class PastRunForecast:
    """Estimate for a completed run, made before its start."""

    seconds: float
    error: float
    """Error relative to the duration: negative if the run took longer, -0.1 for 10 %."""
    nodes: Mapping[str, float | None]
    """Seconds of each node; None if nothing was known."""

    def to_json(self) -> dict[str, Any]:
        return {"seconds": self.seconds, "error": self.error, "nodes": dict(self.nodes)}


def _output_to_json(output: ArtifactForecast) -> dict[str, Any]:
    operations = output.transformation
    return {
        **{name: getattr(output, name) for name in ArtifactForecast.__dataclass_fields__},
        "transformation": None
        if operations is None
        else [dict(operation) for operation in operations],
        "recipe": None if output.recipe is None else dict(output.recipe),
    }
