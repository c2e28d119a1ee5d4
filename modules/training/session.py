"""What a training works with, in parts that do not change while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.compute.distributed import ProcessGroup
from modules.compute.precision import Precision
from modules.compute.timing import Stopwatch
from modules.training.data import ImageData
from modules.training.lr_schedule import Schedule
from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters

if TYPE_CHECKING:
    from torch import nn

    from modules.models.recipe import Recipe


@dataclass(frozen=True)
class Networks:
    """One model in the three forms that a training needs it in; they share their weights."""

    recipe: Recipe
    model: nn.Module
    """The whole model: what is saved."""
    learner: nn.Module
    """What is trained and validated: the model, or its head alone on features."""
    network: nn.Module
    """The learner, perhaps compiled and distributed."""
    precision: Precision


@dataclass(frozen=True)
class Optimisation:
    """How the weights change, and how often."""

    optimizers: Optimizers
    schedule: Schedule
    iterations_per_epoch: int
    smallest_batch: int
    """Images that a batch must have at least: batch normalisation needs more than one."""


@dataclass(frozen=True)
class Session:
    """One training, on one of its processes."""

    settings: TrainParameters
    group: ProcessGroup
    data: ImageData
    networks: Networks
    optimisation: Optimisation
    watch: Stopwatch

    @property
    def description(self) -> dict[str, Any]:
        """What any model of this training says of itself."""
        return {
            "recipe": self.networks.recipe.to_json(),
            "classes": list(self.data.classes),
            "normalisation": self.data.normalisation.to_json(),
        }
