"""Estimates for a run before it starts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape


class ForecastFinding(Shape):
    """Finding of a module about parameters that are each in range; "" if about no single one."""

    parameter: str
    message: str
    cure: str
    severity: Literal["error", "warning"]


class LastTime(Shape):
    """Duration of a node's last run in this pipeline, scaled to the changes since then."""

    seconds: float
    scaled_seconds: float = Field(description="Scaled by images, epochs, their cost and machines.")
    run_id: str


class NodeForecast(Shape):
    """Estimate for a node; null if unknown. Sizes are in pixels."""

    node: str
    module: str
    reused: bool
    images: int | None = Field(description="Number of images of the first output.")
    classes: int | None
    image_size: tuple[int, int] | None = Field(description="Height and width.")
    outputs: dict[str, dict[str, JsonValue]] = Field(
        description="By port, as estimated by the modules."
    )
    images_processed: float | None
    memory_bytes: int | None
    seconds: float | None
    minutes: float | None
    basis: Literal["estimated", "scaled", "measured", "reused"] | None
    range_seconds: tuple[float, float] | None = Field(
        description="Likely minimum and maximum on an otherwise idle machine."
    )
    cost: float | None = Field(description="Null if its target has no price.")
    last: LastTime | None
    findings: list[ForecastFinding]
    choices: dict[str, dict[str, str]] = Field(description="As in ``Choices``.")


class ForecastTotals(Shape):
    """Seconds of all steps and of the critical path; peak memory in bytes."""

    seconds: float
    critical_path_seconds: float
    memory_bytes: int | None
    cost: float | None = Field(description="Null if no target has a price.")
    nodes_unknown: int
    nodes_reused: int
    range_seconds: tuple[float, float] = Field(description="Range of the critical path.")


class OtherWork(Shape):
    """Load of other processes on this machine."""

    share: float = Field(description="Share of the cores, 0 to 1.")
    words: str = Field(description='"other processes use half the cores"; empty if almost none.')
    seconds: float = Field(description="Duration of the critical path under this load.")


class Forecast(Shape):
    """Estimate for a run: one object per node in execution order, and totals."""

    nodes: list[NodeForecast]
    totals: ForecastTotals
    other_work: OtherWork


class Choices(Shape):
    """Values that are meaningful for the data, with descriptions, by node and parameter."""

    nodes: dict[str, dict[str, dict[str, str]]]
