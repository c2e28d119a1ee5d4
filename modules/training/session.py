"""The parts of a training that do not change while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from modules.compute.distributed import ProcessGroup
from modules.compute.precision import Precision
from modules.compute.timing import Stopwatch
from modules.models.implausible_weights import learned_tensors
from modules.models.structure import learned_part, load_learned, set_training_mode
from modules.training.data import ImageData
from modules.training.lr_schedule import LearningRateSchedule
from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters

if TYPE_CHECKING:
    import torch
    from torch import nn

    from modules.models.recipe import Recipe


@dataclass(frozen=True)
class Networks:
    """One model in the three forms that a training needs; they share their weights."""

    recipe: Recipe
    model: nn.Module
    """The whole model, which is saved."""
    learner: nn.Module
    """The part that is trained and validated: the model, or only its head on features."""
    network: nn.Module
    """The learner, compiled and distributed if needed."""
    precision: Precision
    has_frozen_batch_norm: bool = False

    def set_training_mode(self) -> None:
        """Set training mode where the network is trained; the rest is in inference mode."""
        if self.learner is self.model:
            set_training_mode(self.model, self.recipe, frozen_batch_norm=self.has_frozen_batch_norm)
        else:
            self.learner.train()

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context manager for forward passes of the learner."""
        return self.precision.autocast() if self.is_rounded else nullcontext()

    @property
    def is_rounded(self) -> bool:
        """True if the learner does not compute in fp32.

        A head on features is so small that a processor takes longer to round its inputs and weights
        than to multiply them in fp32.
        """
        is_head_on_cpu = self.learner is not self.model and self.precision.device_type == "cpu"
        return self.precision.name != "fp32" and not is_head_on_cpu

    def learned_state(self) -> dict[str, torch.Tensor]:
        """Return the tensors of the model that training may change."""
        part, prefix = self._learned_part
        state: dict[str, torch.Tensor] = part.state_dict(prefix=prefix)
        return state

    @cached_property
    def learned_names(self) -> frozenset[str]:
        """Names of the model's parameters and running statistics."""
        return frozenset(learned_tensors(self.model))

    @cached_property
    def _learned_part(self) -> tuple[nn.Module, str]:
        return learned_part(self.model, self.recipe)

    def load_learned(self, state: Mapping[str, torch.Tensor]) -> None:
        """Load what ``learned_state`` returned into the model."""
        load_learned(self.model, self.recipe, state)


@dataclass(frozen=True)
class Optimisation:
    """The optimizer, its schedule and the batches."""

    optimizers: Optimizers
    schedule: LearningRateSchedule
    iterations_per_epoch: int
    smallest_batch: int
    """Minimum number of images of a batch: batch normalisation needs more than one."""


@dataclass(frozen=True)
class Session:
    """One training in one of its processes."""

    settings: TrainParameters
    group: ProcessGroup
    data: ImageData
    networks: Networks
    optimisation: Optimisation
    watch: Stopwatch

    @property
    def description(self) -> dict[str, Any]:
        """Return the description stored with any model of this training."""
        return {
            "recipe": self.networks.recipe.to_json(),
            "classes": list(self.data.classes),
            "normalisation": asdict(self.data.normalisation),
        }
