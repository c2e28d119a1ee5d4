"""Settings of a pipeline document: defaults for all nodes, and a sweep over parameters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from modules.search.trials import Goal as Goal
from pipelines.document.parts import Bind, Id, NodePath, Number, Part, omissible

MOST_TRIALS = 1000
MOST_PARALLEL = 100
Strategy = Literal["auto", "grid", "random", "tpe"]
Pruning = Literal["halving", "median", "bandit"]


class SweepSpace(Part):
    """Values to try for a parameter: ``choices``, or a range with its ends included."""

    kind: Literal["choices", "linear", "log", "integer"] = "choices"
    choices: Annotated[tuple[JsonValue, ...], Field(strict=False, max_length=MOST_TRIALS)] = (
        omissible((), description="Values of the kind `choices`.")
    )
    low: Number | None = Field(None, description="Lower end of a range.")
    high: Number | None = Field(None, description="Upper end of a range.")


class SweepObjective(Part):
    """Metric that trials are compared by."""

    node: NodePath
    metric: Annotated[str, Field(min_length=1, max_length=120)]
    goal: Goal = "maximize"


class SweepPruning(Part):
    """Early stopping of poor trials."""

    kind: Pruning = "halving"
    first_epoch: int = Field(1, ge=1, le=1_000_000, description="First epoch that is compared.")
    factor: Number = Field(
        3, ge=2, le=100, description="Halving: one of this many trials continues at each rung."
    )
    slack: Number = Field(
        0.1, gt=0, le=1, description="Bandit: share by which a trial may be behind the best one."
    )


class SweepSettings(Part):
    """Search for parameter values in several runs, called trials, of the same pipeline."""

    parameters: dict[Bind, SweepSpace] = Field(
        default_factory=dict, max_length=50, description="Spaces by NODE.PARAMETER."
    )
    objective: SweepObjective | None = omissible(
        None, description="Null: the primary metric of the first trial that ends."
    )
    strategy: Strategy = Field(
        "auto", description="`auto`: `grid` for few choices, otherwise `tpe`, or `random`."
    )
    max_trials: int | None = Field(
        None, ge=1, le=MOST_TRIALS, description="Null: the whole grid, otherwise 20."
    )
    max_minutes: Number = Field(
        0, ge=0, le=1e6, description="Time after which no trial is started. 0: no limit."
    )
    parallel: int = Field(1, ge=1, le=MOST_PARALLEL, description="Trials at the same time.")
    seed: int = Field(0, ge=0, le=2**32 - 1, description="Random seed of the strategy.")
    pruning: SweepPruning | None = omissible(None, description="Null: trials run to their end.")


class Settings(Part):
    """Defaults for all nodes."""

    target: Id = "local"
    random_seed: int | None = Field(None, ge=0, le=2**32 - 1)
    sweep: SweepSettings | None = omissible(
        None, description="Search over parameters; ordinary runs ignore it."
    )
