"""Estimates for runs, before and after they ran, as commands and the HTTP API return them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, SkipValidation, WithJsonSchema

from modules.forecast import ArtifactForecast, StepForecast
from modules.json_model import JsonModel
from modules.operating_system.machine import num_cores
from modules.spec import ParameterFinding
from pipelines.forecasting.last_times import LastTime
from pipelines.forecasting.other_work import share_in_words, slowdown

Basis = Literal["estimated", "scaled", "measured", "reused"]
"""Source of a node's seconds; scaled: from its last duration."""
Range = tuple[float, float]
Output = Annotated[
    SkipValidation[ArtifactForecast],
    WithJsonSchema({"type": "object", "additionalProperties": True}),
]


class NodeForecast(JsonModel):
    """Estimate for a node; null if unknown. Sizes are in pixels."""

    node: str
    module: str
    reused: bool = Field(description="Its output already exists.")
    images: int | None = Field(description="Number of images of the first output.")
    classes: int | None
    image_size: tuple[int, int] | None = Field(description="Height and width.")
    outputs: dict[str, Output] = Field(description="By port, as estimated by the modules.")
    images_processed: int | float | None
    memory_bytes: int | None
    seconds: float | None
    minutes: float | None
    basis: Basis | None
    cost: float | None = Field(description="Null if its target has no price.")
    range_seconds: Range | None = Field(
        description="Likely minimum and maximum on an otherwise idle machine."
    )
    last: LastTime | None
    findings: tuple[ParameterFinding, ...]
    choices: dict[str, dict[str, str]] = Field(
        description="Values that are meaningful for the data, with descriptions, by parameter."
    )
    notes: list[str] = Field(description="Facts such as the source of pretrained weights.")
    takes_turns: bool = Field(
        description="True if this machine runs such nodes one after the other: each uses all cores."
    )

    @classmethod
    def of(
        cls,
        node: str,
        module: str,
        step: StepForecast,
        *,
        seconds: float | None = None,
        basis: Basis | None = None,
        range_seconds: Range | None = None,
        last: LastTime | None = None,
        price_per_hour: float | None = None,
        takes_turns: bool = False,
    ) -> Self:
        """Combine the module's estimate with the time that its step takes.

        Args:
            node: Id of the node.
            module: Id of its module.
            step: Estimate by the module.
            seconds: Duration.
            basis: Source of the duration.
            range_seconds: Likely minimum and maximum of the duration.
            last: Last duration of this node in this pipeline.
            price_per_hour: Price of all its machines; None if their target has no price.
            takes_turns: True if such nodes run one after the other.
        """
        output = next(iter(step.outputs.values()), ArtifactForecast())
        return cls(
            node=node,
            module=module,
            reused=basis == "reused",
            images=output.num_images,
            classes=output.num_classes,
            image_size=step.image_size or _image_size(output),
            outputs=dict(step.outputs),
            images_processed=step.images_processed,
            memory_bytes=step.memory_bytes,
            seconds=seconds,
            minutes=None if seconds is None else seconds / 60,
            basis=basis,
            cost=_cost(price_per_hour, seconds),
            range_seconds=range_seconds,
            last=last,
            findings=step.findings,
            choices={name: dict(values) for name, values in step.choices.items()},
            notes=[note.message for note in step.notes],
            takes_turns=takes_turns,
        )


class ForecastTotals(JsonModel):
    """Seconds of all steps and of the critical path; peak memory in bytes."""

    seconds: float
    critical_path_seconds: float
    memory_bytes: int | None
    nodes_unknown: int
    nodes_reused: int
    range_seconds: Range = Field(description="Likely minimum and maximum of the critical path.")
    cost: float | None = Field(
        description="Cost of the known steps; null if no target has a price."
    )


class OtherWork(JsonModel):
    """Load of other processes on this machine."""

    share: float = Field(description="Share of the cores, 0 to 1.")
    words: str = Field(description='"other processes use half the cores"; empty if almost none.')
    seconds: float = Field(description="Duration of the critical path under this load.")


class RunForecast(JsonModel):
    """Estimate for a run: one per node, in execution order, and totals."""

    nodes: tuple[NodeForecast, ...]
    totals: ForecastTotals
    other_work: OtherWork

    @classmethod
    def of(
        cls, nodes: tuple[NodeForecast, ...], totals: ForecastTotals, busy_share: float = 0.0
    ) -> Self:
        """Return the estimate while other processes use this share of the cores, 0 to 1."""
        seconds = totals.critical_path_seconds * slowdown(busy_share, num_cores())
        words = share_in_words(busy_share)
        other_work = OtherWork(share=busy_share, words=words, seconds=seconds)
        return cls(nodes=nodes, totals=totals, other_work=other_work)

    def under_load(self, busy_share: float) -> Self:
        """Return the same estimate under another load by other processes."""
        return self.of(self.nodes, self.totals, busy_share)


def _cost(price_per_hour: float | None, seconds: float | None) -> float | None:
    return None if price_per_hour is None or seconds is None else price_per_hour * seconds / 3600


def _image_size(output: ArtifactForecast) -> tuple[int, int] | None:
    height, width = output.image_height, output.image_width
    return (height, width) if height and width else None
