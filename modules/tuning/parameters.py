"""The parameters of Tune Model Hyperparameters: those of the search, then those of a training."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field, StringConstraints

from modules.parameters import AddedLater, Parameters, ShownWhen, Tries, Unit
from modules.search.strategies import SearchStrategy
from modules.training.parameters import TrainParameters

MOST_TRIALS = 1000
MOST_LINES = 50
Line = Annotated[str, StringConstraints(max_length=20_000)]


class SearchParameters(Parameters):
    values_to_try: Annotated[list[Line], Tries()] = Field(
        ["learning_rate = 1e-4..1e-1:log"],
        max_length=MOST_LINES,
        description="One parameter of the training per line, NAME = SPACE: values (4,8,16), or a "
        "range of numbers (0.1..0.9), even in the logarithm (1e-3..1e-1:log) or whole (1..9:int). "
        "All other parameters keep the values below.",
    )
    strategy: SearchStrategy = Field(
        "random",
        title="Parameter sweeping mode",
        description="grid trains every combination once. random draws values. tpe draws near the "
        "values that did well so far, and needs the package Optuna.",
    )
    trials: Annotated[int, ShownWhen("strategy", ("random", "tpe"))] = Field(
        10,
        ge=1,
        le=MOST_TRIALS,
        title="Maximum number of trials",
        description="Number of trainings with different values.",
    )
    search_seed: Annotated[int, ShownWhen("strategy", ("random", "tpe"))] = Field(
        0,
        ge=0,
        le=2**32 - 1,
        title="Random seed of the search",
        description="Seed of the values that are drawn. Random seed is that of each training.",
    )
    metric: Literal["accuracy", "loss"] = Field(
        "accuracy",
        description="What trials are compared by, on the validation images and of the epoch whose "
        "weights are kept: top-1 accuracy or loss.",
    )
    stop_early: Literal["off", "median", "bandit", "halving"] = Field(
        "off",
        title="Stop poor trials",
        description="median ends a trial whose best value is below the median of at least three "
        "others at the same epoch. bandit ends one that is behind the best one by the slack. "
        "halving pauses all trials at an epoch, and continues only the best ones from their "
        "checkpoints: to the next pause, and so on.",
    )
    first_compared_epoch: Annotated[
        int, ShownWhen("stop_early", ("median", "bandit", "halving"))
    ] = Field(
        1,
        ge=1,
        title="Compare from epoch",
        description="No trial is stopped before this epoch. While the learning rate is warmed up, "
        "all trials are about equal.",
    )
    halving_factor: Annotated[float, ShownWhen("stop_early", ("halving",)), AddedLater()] = Field(
        3.0,
        ge=2,
        le=100,
        description="One of this many trials continues at each pause: 2 keeps the best half, 3 the "
        "best third. The next pause is at that many times the epochs. With 3 and 9 epochs, trials "
        "pause at 1 and 3.",
    )
    slack: Annotated[float, ShownWhen("stop_early", ("bandit",))] = Field(
        0.1,
        gt=0,
        le=1,
        description="Share of the best value by which a trial may be behind it.",
    )
    search_time_limit: Annotated[float, Unit("minutes"), AddedLater()] = Field(
        0.0,
        ge=0,
        title="Time limit of the search",
        description="The search ends after this number of minutes with the best model so far. "
        "0 means no limit. Time limit is that of each training.",
    )


class EarlyStopping(NamedTuple):
    """Early stopping of poor trials."""

    kind: Literal["median", "bandit", "halving"]
    first_epoch: int
    slack: float
    factor: float


class TuneParameters(TrainParameters, SearchParameters):
    """Parameters of the search first, then those of every training."""

    @property
    def training(self) -> TrainParameters:
        """Return the settings of trainings, before values to try are set."""
        values = {name: getattr(self, name) for name in TrainParameters.model_fields}
        return TrainParameters(**values)

    @property
    def early_stopping(self) -> EarlyStopping | None:
        """Return how poor trials are stopped; None if they run to their end."""
        if self.stop_early == "off":
            return None
        return EarlyStopping(
            self.stop_early, self.first_compared_epoch, self.slack, self.halving_factor
        )

    @property
    def halving(self) -> EarlyStopping | None:
        """Return the settings of successive halving; None if trials do not pause."""
        return self.early_stopping if self.stop_early == "halving" else None
