"""The two datasets of a training, ready to be read in batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.compute.device_transfer import to_device
from modules.compute.distributed import ProcessGroup
from modules.compute.precision import Precision
from modules.image_loading.datasets import ImageSource, open_images
from modules.image_loading.decoders import choose_decoder
from modules.image_loading.gpu_prefetch import Transfer
from modules.image_loading.lazy_images import LazyImages
from modules.image_loading.normalisation import Normalisation, from_sums, measure
from modules.image_loading.prefetch import MOST_AHEAD, BatchPlan
from modules.image_loading.preprocessing import Preprocessing
from modules.image_loading.samplers import Indices
from modules.models.build import normalisation as given_normalisation
from modules.models.recipe import Recipe
from modules.training.input_spec import InputSpec
from modules.training.parameters import TrainParameters
from modules.transforms.mixup import MixtureOfImages

if TYPE_CHECKING:
    import torch


_HASH_LETTERS = 64


@dataclass(frozen=True)
class LabeledImages:
    """A dataset ready to be read in batches."""

    images: ImageSource
    labels: torch.Tensor
    """Index of each image's class, shape (N,), on the device."""
    preparation: Callable[[Any, torch.Generator], torch.Tensor]
    """Conversion of the images read, on or off the device, to the input of the network."""
    hashes: tuple[bytes, ...] | None = None
    """SHA-256 of each image; None if one is not known."""
    num_views: int = 1
    """Number of rows of each image: the views of all images are one behind the other."""

    @classmethod
    def of(
        cls,
        dataset: ImageDirectory,
        images: ImageSource,
        classes: Sequence[str],
        preparation: Preprocessing,
    ) -> LabeledImages:
        """Open the images of ``dataset`` with their labels as indices into ``classes``."""
        import torch

        index_of = {name: index for index, name in enumerate(classes)}
        labels = [index_of[label] for label in dataset.images["label"]]
        targets = torch.tensor(labels, device=preparation.device)
        return cls(images, targets, preparation, image_hashes(dataset))

    def __len__(self) -> int:
        return len(self.images)

    def labels_of(self, indices: Indices) -> torch.Tensor:
        """Return the labels of some images, on the device, without waiting for a GPU."""
        import torch

        return self.labels[to_device(torch.tensor(indices), self.labels.device)]

    def plan(self, batches: list[Indices], seed: int = 0) -> BatchPlan:
        """Return the reading plan of these batches; ``seed`` seeds random operations."""
        device = self.labels.device
        if device.type == "cuda":
            return BatchPlan(self.images.drawn(seed), batches, MOST_AHEAD, Transfer(device))
        return BatchPlan(self.images.drawn(seed), batches, int(not self.images.is_decoded))


def image_hashes(dataset: ImageDirectory) -> tuple[bytes, ...] | None:
    """Return the SHA-256 of each image; None if one is not known."""
    texts = [text if isinstance(text, str) else "" for text in dataset.images["sha256"]]
    if any(len(text) != _HASH_LETTERS for text in texts):
        return None
    return tuple(map(bytes.fromhex, texts))


@dataclass(frozen=True)
class ImageData:
    """The training and validation data, and the operations that both go through."""

    spec: InputSpec
    training: LabeledImages
    validation: LabeledImages
    classes: tuple[str, ...]
    normalisation: Normalisation
    mixture: MixtureOfImages
    opening_seconds: float
    """Seconds until the images were open, including decoding if no cache had them."""


@contextmanager
def open_image_data(
    spec: InputSpec,
    training: ImageDirectory,
    validation: ImageDirectory,
    recipe: Recipe,
    precision: Precision,
    settings: TrainParameters,
    group: ProcessGroup,
) -> Iterator[ImageData]:
    """Open both datasets for the duration of the block; all processes of a training call it."""
    rest = spec.random_operations
    open_them: Callable[..., ImageSource] = partial(open_images, context=group.context, peers=group)
    if recipe.freeze == "all but the head" and recipe.starts_from_weights and not rest:
        # All of their features may be stored: then no image is decoded.
        open_them = partial(LazyImages.of, open_them)
    began = time.perf_counter()
    with (
        closing(open_them(training, spec.prefix, random_operations=rest)) as images,
        closing(open_them(validation, spec.inference_operations)) as validation_images,
    ):
        opening_seconds = time.perf_counter() - began
        # Measured on what was opened, before a GPU decoder may replace it: they differ in
        # bits, and a model keeps its normalisation permanently.
        normalisation = _normalisation(recipe, images, group)
        prepare = partial(
            Preprocessing,
            normalisation=normalisation,
            device=group.device,
            channels_last=precision.channels_last,
        )
        labeled = partial(LabeledImages.of, classes=training.classes)
        # The faster way depends on the situation, and results differ in bits.
        read = images if settings.is_reproducible else choose_decoder(images, group.device)
        yield ImageData(
            spec,
            labeled(training, read, preparation=prepare(rest[images.num_random :])),
            labeled(validation, validation_images, preparation=prepare(())),
            training.classes,
            normalisation,
            MixtureOfImages(rest, len(training.classes)),
            opening_seconds,
        )


def _normalisation(recipe: Recipe, images: ImageSource, group: ProcessGroup) -> Normalisation:
    """Return ImageNet's normalisation if the weights need it, else that of the training images."""
    import torch

    stored = given_normalisation(recipe)
    if stored is not None:
        return Normalisation(tuple(stored[0]), tuple(stored[1]))
    sums = torch.tensor(measure(images, group.rank, group.world_size), dtype=torch.float64)
    return from_sums(group.sum(sums).tolist())
