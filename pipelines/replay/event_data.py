"""Schemas of the data of each kind of event, so that untrusted events can be folded and drawn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from modules.context import Phase

Line = Annotated[str, Field(max_length=20_000)]
Number = Annotated[float, Field(allow_inf_nan=False)]


class _Data(BaseModel):
    """Base that ignores unknown fields, which are for other programs."""

    model_config = ConfigDict(strict=True, extra="allow")


class RecordedProblem(_Data):
    code: Line
    name: Line
    severity: Literal["error", "warning"]
    node: Line | None = None
    port: Line | None = None
    parameter: Line | None = None
    message: Line
    cure: Line
    remedy: dict[str, JsonValue] | None = None
    reason: Line = ""
    facts: dict[str, JsonValue] = Field(default_factory=dict)


class _Queued(_Data):
    nodes: list[Line]


class _Ended(_Data):
    status: Line
    problem: RecordedProblem | None = None


class _Waiting(_Data):
    key: Line | None = None


class _Attempt(_Data):
    attempt: Annotated[int, Field(ge=0)]
    price_per_hour: Number | None = None


class _Progress(_Data):
    done: Number
    total: Number
    unit: Line | None = None
    rank: Annotated[int, Field(ge=0)] | None = None
    epoch: Number | None = None
    epochs: Number | None = None
    per_second: Number | None = None
    images_per_second: Number | None = None
    own_images_per_second: Number | None = None
    loss: Number | None = None
    seconds_left: Number | None = None


class _Phase(_Data):
    phase: Phase
    environment: Line | None = None
    is_cached: bool | None = None
    num_bytes: Number | None = None
    own_bytes: Number | None = None
    build_seconds: Number | None = None
    waits_for: Line | None = None
    ahead: Number | None = None
    computed_by: Line | None = None
    run_id: Line | None = None
    hosts: Line | None = None


class _Stalled(_Data):
    since: Number
    ranks: dict[str, Line]


class _Statement(_Data):
    reason: Line = ""
    facts: dict[str, JsonValue] = Field(default_factory=dict)


class _Warning(_Statement):
    message: Line


class _Summary(_Statement):
    text: Line


class _Made(_Data):
    artifact_id: Line
    run_id: Line | None = None
    key: Line | None = None
    summary: Line | None = None


class _Broken(_Data):
    problem: RecordedProblem | None = None


class _Paused(_Data):
    epoch: int


class _Metric(_Data):
    name: Line
    step: int
    value: Number | None


RUN_KINDS: dict[str, type[BaseModel]] = {"RunQueued": _Queued, "RunFinished": _Ended}
STEP_KINDS: dict[str, type[BaseModel]] = {
    "StepQueued": _Waiting,
    "StepStarted": _Attempt,
    "StepLooking": _Progress,
    "StepProgress": _Progress,
    "StepPhase": _Phase,
    "StepStalled": _Stalled,
    "StepWarning": _Warning,
    "StepSummary": _Summary,
    "StepFinished": _Made,
    "StepReused": _Made,
    "StepFailed": _Broken,
    "StepCancelled": _Broken,
    "StepSkipped": _Broken,
    "StepPaused": _Paused,
    "MetricLogged": _Metric,
}


def check_data(kind: str, node: str | None, data: dict[str, JsonValue]) -> None:
    """Raise ``pydantic.ValidationError`` if an event's data does not match its kind."""
    model = (RUN_KINDS if node is None else STEP_KINDS).get(kind)
    if model is not None:
        model.model_validate(data)
