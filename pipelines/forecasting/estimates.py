"""What is foreseen of a run, and what was foreseen of one that is over.

Typed for whoever reckons with it; ``to_json`` gives the object of the API and of ``--json``.
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
    """What is foreseen of one node; None where it cannot be known."""

    node: str
    module: str
    forecast: StepForecast
    seconds: float | None
    basis: Basis | None
    """Where the seconds come from; scaled: from what this node took last time."""
    range_seconds: Range | None = None
    """From the least to the most that is likely, on a machine that does nothing else."""
    last: LastTime | None = None
    """What this node of this pipeline took when it last ran."""
    price_per_hour: float | None = None
    """Of all machines that it runs on; None where their target has no price."""

    @property
    def cost(self) -> float | None:
        """What it will cost; None where that cannot be known, and where nothing has a price."""
        if self.price_per_hour is None or self.seconds is None:
            return None
        return self.price_per_hour * self.seconds / 3600

    @property
    def is_reused(self) -> bool:
        """True where its output is there already."""
        return self.basis == "reused"

    @property
    def output(self) -> ArtifactForecast:
        """Its first output."""
        return next(iter(self.forecast.outputs.values()), ArtifactForecast())

    @property
    def image_size(self) -> list[int] | None:
        """Height and width in pixels: as its module says, else of the first output."""
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
    """Seconds of all steps and of the longest chain that waits; the most memory in bytes."""

    seconds: float
    critical_path_seconds: float
    memory_bytes: int | None
    nodes_unknown: int
    nodes_reused: int
    range_seconds: Range = (0.0, 0.0)
    """Of the longest chain, from the least to the most that is likely."""
    cost: float | None = None
    """Of the steps that are known; None where no target of theirs has a price."""


@dataclass(frozen=True)
class RunForecast:
    """What a run will do: an estimate a node, in running order, and totals."""

    steps: tuple[StepEstimate, ...]
    totals: ForecastTotals
    other_work: float = 0.0
    """The share of the cores that was taken when it was asked for, 0 to 1."""

    @property
    def seconds_now(self) -> float:
        """Of the longest chain, beside the other work."""
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
    """What was to be expected of a completed run before it began."""

    seconds: float
    error: float
    """Of what the run took: below 0 where it took longer, -0.1 for 10 %."""
    nodes: Mapping[str, float | None]
    """Seconds of each node; None where nothing was known."""

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
