"""The objects that say what a run would do, before there is one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape


class ForecastFinding(Shape):
    """What a module says about parameters that are each in range; "" for none of them."""

    parameter: str
    message: str
    cure: str
    severity: Literal["error", "warning"]


class LastTime(Shape):
    """What a node of this pipeline took when it last ran, and with what has changed since."""

    seconds: float
    scaled_seconds: float = Field(description="Scaled by images, epochs, their cost and machines.")
    run_id: str


class NodeForecast(Shape):
    """What a run will make of a node; null where it cannot be known. Sizes are in pixels."""

    node: str
    module: str
    reused: bool
    images: int | None = Field(description="Of the first output.")
    classes: int | None
    image_size: tuple[int, int] | None = Field(description="Height and width.")
    outputs: dict[str, dict[str, JsonValue]] = Field(description="By port, as modules foresee it.")
    images_processed: float | None
    memory_bytes: int | None
    seconds: float | None
    minutes: float | None
    basis: Literal["estimated", "scaled", "measured", "reused"] | None
    range_seconds: tuple[float, float] | None = Field(
        description="From the least to the most that is likely, where nothing else runs."
    )
    cost: float | None = Field(description="Null where its target has no price.")
    last: LastTime | None
    findings: list[ForecastFinding]
    choices: dict[str, dict[str, str]] = Field(description="As in ``Choices``.")


class ForecastTotals(Shape):
    """Seconds of all steps and of the longest chain that waits; the most memory in bytes."""

    seconds: float
    critical_path_seconds: float
    memory_bytes: int | None
    cost: float | None = Field(description="Null where no target has a price.")
    nodes_unknown: int
    nodes_reused: int
    range_seconds: tuple[float, float] = Field(description="Of the longest chain that waits.")


class OtherWork(Shape):
    """What else this machine did at the moment."""

    share: float = Field(description="Of the cores, 0 to 1.")
    words: str = Field(description='"other processes use half the cores"; empty if almost none.')
    seconds: float = Field(description="Of the longest chain beside it.")


class Forecast(Shape):
    """What a run will do, foreseen: an object a node in running order, and totals."""

    nodes: list[NodeForecast]
    totals: ForecastTotals
    other_work: OtherWork


class Choices(Shape):
    """By node and parameter: the values that mean something for the data, and what each is."""

    nodes: dict[str, dict[str, dict[str, str]]]
