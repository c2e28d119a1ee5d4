"""Settings of a schedule."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from modules.json_model import JsonModel

Missed = Literal["skip", "once", "all"]
Overlap = Literal["skip", "queue", "cancel"]


class ScheduleSettings(JsonModel):
    """When a published pipeline runs, with which values, and what happens in odd cases."""

    published: str = Field(max_length=100)
    version: int | None = Field(None, ge=1, description="Null: the newest when it fires.")
    parameters: dict[str, JsonValue] = Field(default_factory=dict, max_length=1000)
    cron: str | None = Field(None, max_length=200, description="Five fields, in the time zone.")
    every_minutes: float | None = Field(None, ge=1, le=525_600)
    watched: str | None = Field(
        None,
        max_length=4096,
        description="dataset:NAME or a folder: fires when it has changed and is then stable.",
    )
    zone: str = Field("UTC", max_length=100, description="IANA name of the time zone.")
    missed: Missed = Field(
        "once", description="For times in which nothing ran: run none, the last one, or up to 10."
    )
    overlap: Overlap = Field(
        "skip", description="If the previous run is still running: skip, queue, or cancel that run."
    )
    jitter_seconds: int = Field(0, ge=0, le=3600, description="Largest delay of a firing.")
    until: float | None = Field(None, description="Last time, in seconds since the epoch.")
    most_failures: int = Field(5, ge=1, le=1000, description="Failures in a row that pause it.")

    @model_validator(mode="after")
    def _one_trigger(self) -> Self:
        if (self.cron is not None) == (self.every_minutes is not None):
            raise ValueError("Give either cron or every_minutes.")
        if self.watched is not None and self.every_minutes is None:
            raise ValueError("A watched source needs every_minutes.")
        return self


class ScheduleState(JsonModel):
    """Progress of a schedule; it changes with each firing."""

    handled: float
    """Planned times up to this one are handled."""
    failures: int = 0
    """Failures in a row."""
    fired_snapshot: str | None = None
    """State of the watched source at the last firing, at first that of the creation."""
    seen_snapshot: str | None = None
    """State of the watched source at the last look."""
    looked: float = 0.0
