"""Results of sweeps as commands and the HTTP API return them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, JsonValue

from modules.json_model import JsonModel
from pipelines.store.database.sweeps import SweepState, TrialRow, TrialState
from pipelines.sweeps.repeats import Configuration
from pipelines.sweeps.sweeps import Sweep


class TrialReport(JsonModel):
    """Trial: one run with its own values."""

    number: int
    run: str | None
    state: TrialState
    values: dict[str, JsonValue] = Field(description="By NODE.PARAMETER.")
    objective: float | None
    reason: str | None = Field(description="Why it has no result, or was stopped early.")

    @classmethod
    def of(cls, trial: TrialRow) -> Self:
        """Return the report of a stored trial."""
        return cls.copied(trial, run=trial.run_id, reason=reason_text(trial.reason))


class RepeatedValues(JsonModel):
    """Values that were tried with several seeds."""

    trial: int = Field(description="Number of the trial that was repeated.")
    values: dict[str, JsonValue] = Field(description="By NODE.PARAMETER.")
    objectives: list[float] = Field(description="Of completed trials, the first seed first.")
    mean: float | None
    spread: float | None = Field(description="Standard deviation; null for fewer than two.")


class CommandReport(JsonModel):
    """Sweep as commands return it; the settings are those that were stored."""

    sweep: str
    name: str
    state: SweepState
    reason: str | None
    settings: dict[str, JsonValue]
    trials: list[TrialReport]
    best: int | None
    repeated: list[RepeatedValues]


def command_report(sweep: Sweep) -> CommandReport:
    """Return a sweep as commands return it."""
    best = sweep.best
    return CommandReport(
        sweep=sweep.id,
        name=sweep.row.name,
        state=sweep.row.state,
        reason=reason_text(sweep.row.reason),
        settings=sweep.row.settings,
        trials=[TrialReport.of(trial) for trial in sweep.trials],
        best=None if best is None else best.number,
        repeated=[repeated_values(configuration) for configuration in sweep.configurations],
    )


def repeated_values(configuration: Configuration) -> RepeatedValues:
    """Return values that were repeated with other seeds, with their results."""
    trial = configuration.trial
    return RepeatedValues.copied(configuration, trial=trial.number, values=trial.values)


def reason_text(reason: Mapping[str, Any] | None) -> str | None:
    """Return a stored reason as text."""
    if reason is None:
        return None
    return f"{reason.get('message', '')} {reason.get('cure', '')}".strip()
