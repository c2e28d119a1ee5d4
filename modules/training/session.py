"""Everything one training works with.

Shapes: N images of a data set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.compute.device_transfer import to_device
from modules.compute.distributed import Group
from modules.compute.precision import Precision
from modules.compute.thread_tuning import ThreadTuner
from modules.compute.timing import Stopwatch
from modules.image_loading.datasets import ImageSource
from modules.image_loading.gpu_prefetch import Transfer
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.prefetch import MOST_AHEAD, BatchPlan
from modules.image_loading.preprocessing import Preprocessing
from modules.image_loading.samplers import Indices
from modules.image_loading.sizes import Size
from modules.training.lr_schedule import Schedule
from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters
from modules.transforms.mixup import MixtureOfImages
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import torch
    from torch import nn

    from modules.models.recipe import Recipe


@dataclass(frozen=True)
class LabeledImages:
    """A data set ready to be read in batches."""

    images: ImageSource
    labels: torch.Tensor
    """Index of each image's class, shape (N,), on the device."""
    preparation: Callable[[Any, torch.Generator], torch.Tensor]
    """From what ``images`` reads, sent to the device or not, to what the network takes."""

    @classmethod
    def of(
        cls,
        dataset: ImageDirectory,
        images: ImageSource,
        classes: Sequence[str],
        preparation: Preprocessing,
    ) -> LabeledImages:
        """The images of ``dataset`` with their labels as places in ``classes``."""
        import torch

        index_of = {name: index for index, name in enumerate(classes)}
        labels = [index_of[label] for label in dataset.images["label"]]
        return cls(images, torch.tensor(labels, device=preparation.device), preparation)

    def __len__(self) -> int:
        return len(self.images)

    def labels_of(self, indices: Indices) -> torch.Tensor:
        """The labels of some images, on the device; a GPU is not waited for."""
        import torch

        return self.labels[to_device(torch.tensor(indices), self.labels.device)]

    def plan(self, batches: list[Indices], seed: int = 0) -> BatchPlan:
        """How to read these batches; ``seed`` is for images that are drawn anew each time."""
        device = self.labels.device
        if device.type == "cuda":
            return BatchPlan(self.images.drawn(seed), batches, MOST_AHEAD, Transfer(device))
        return BatchPlan(self.images.drawn(seed), batches, int(not self.images.is_decoded))


@dataclass(frozen=True)
class Session:
    """One training, on one of its processes."""

    settings: TrainParameters
    group: Group
    recipe: Recipe
    model: nn.Module
    """The whole model: what is saved."""
    learner: nn.Module
    """What is trained and validated: the model, or its head alone on features."""
    network: nn.Module
    """The learner, perhaps compiled and distributed."""
    training: LabeledImages
    validation: LabeledImages
    mixture: MixtureOfImages
    classes: tuple[str, ...]
    optimizers: Optimizers
    schedule: Schedule
    precision: Precision
    iterations_per_epoch: int
    smallest_batch: int
    normalisation: Normalisation
    training_size: Size
    """Of training images as the network gets them."""
    input_size: Size
    """Of validation images and of any image later."""
    inference_operations: Operations
    threads: ThreadTuner
    watch: Stopwatch
    opening_seconds: float = 0.0
    """Until its images were there, decoding included where no cache of decoded images held them."""

    @property
    def description(self) -> dict[str, Any]:
        """What any model of this training says of itself."""
        return {
            "recipe": self.recipe.to_json(),
            "classes": list(self.classes),
            "normalisation": self.normalisation.to_json(),
        }
