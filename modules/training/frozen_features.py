"""Features of a frozen backbone, computed once instead of every epoch.

Shape letters: N images, D features, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from modules.compute.device_transfer import received
from modules.compute.distributed import ProcessGroup
from modules.compute.precision import Precision
from modules.image_loading.cache_limits import GIB
from modules.image_loading.prefetch import read_batches
from modules.image_loading.samplers import ordered_batches
from modules.image_loading.sizes import Size
from modules.models.recipe import Recipe
from modules.training.data import ImageData, LabeledImages
from modules.training.feature_cache import BYTES_OF_FLOAT, FeatureCache
from modules.training.parameters import TrainParameters
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn


MAX_BYTES = 2 * 2**30
"""Maximum size of features on disk. Larger ones are recomputed in each epoch."""
MAX_RESIDENT_BYTES = 256 * 2**20
"""Maximum size of features in memory if the disk has no space for them."""


class Rows(Protocol):
    """Features on disk or in memory."""

    def __len__(self) -> int: ...

    def read(self, indices: Sequence[int]) -> npt.NDArray[Any]:
        """Return a copy of some rows."""

    def close(self) -> None: ...


class ResidentRows:
    """Features in memory."""

    def __init__(self, features_ND: npt.NDArray[np.float32]) -> None:
        self._features_ND = features_ND

    def __len__(self) -> int:
        return len(self._features_ND)

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.float32]:
        return self._features_ND[indices]

    def close(self) -> None:
        """Do nothing: no file is open."""


class Features:
    """Features by index, read like images."""

    size: Size | None = None
    is_decoded = True
    num_random = 0

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, indices: Sequence[int]) -> npt.NDArray[Any]:
        """Return a copy of some images' features."""
        return self._rows.read(indices)

    def drawn(self, seed: int) -> Features:  # noqa: ARG002 - nothing here is random
        """The same features."""
        return self

    def close(self) -> None:
        self._rows.close()


@dataclass(frozen=True)
class FeaturePreparation:
    """Preparation of features: they are the input of the head and only move to the device."""

    device: torch.device

    def __call__(self, features_ND: Any, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG002
        features = received(features_ND, self.device)
        assert not isinstance(features, list)
        return features


def frozen_backbone(
    model: nn.Module, recipe: Recipe, random_operations: Operations
) -> tuple[nn.Module, nn.Module] | None:
    """Split into backbone and head if the features are the same in every epoch; else None."""
    from modules.models.structure import backbone_and_head

    if recipe.freeze != "all but the head" or random_operations:
        return None
    return backbone_and_head(model)


def with_features(
    data: LabeledImages,
    backbone: nn.Module,
    batch_size: int,
    precision: Precision,
    kept: FeatureCache,
) -> LabeledImages | None:
    """Return the same labels on features instead of images; None if there is no space for them."""
    import numpy as np

    shape = (len(data), *_feature_shape(data, backbone))
    num_bytes = int(np.prod(shape)) * BYTES_OF_FLOAT
    if num_bytes > MAX_BYTES:
        return None
    compute = partial(_blocks, data, backbone, shape, batch_size, precision, kept.group)
    rows: Rows | None = kept.open(shape, compute)
    if rows is None and num_bytes <= MAX_RESIDENT_BYTES:
        rows = ResidentRows(np.concatenate([*compute()]))
    if rows is None:
        _tell_of_no_room(num_bytes, kept.group)
        return None
    return LabeledImages(Features(rows), data.labels, FeaturePreparation(kept.group.device))


@contextmanager
def perhaps_features(
    data: ImageData,
    model: nn.Module,
    recipe: Recipe,
    precision: Precision,
    settings: TrainParameters,
    group: ProcessGroup,
) -> Iterator[tuple[nn.Module, ImageData]]:
    """Return the head on features if nothing before it changes; else the model on its images.

    The result is open for the duration of the block.
    """
    parts = frozen_backbone(model, recipe, data.spec.random_operations)
    learner, taken = model, data
    if parts is not None:
        backbone, head = parts
        featured = _data_of_features(data, backbone, precision, settings, group)
        # Both or neither: a head cannot accept features in training and images in validation.
        if featured is not None:
            learner, taken = head, featured
    with closing(taken.training.images), closing(taken.validation.images):
        yield learner, taken


def _data_of_features(
    data: ImageData,
    backbone: nn.Module,
    precision: Precision,
    settings: TrainParameters,
    group: ProcessGroup,
) -> ImageData | None:
    """Return both datasets as features; None if there is no space for one of them."""
    import torch

    machine = [torch.get_num_threads(), precision.name, precision.channels_last]

    def compute(images: LabeledImages, facts: list[Any]) -> LabeledImages | None:
        kept = FeatureCache.of(group, backbone, [*facts, *machine, settings.batch_size])
        return with_features(images, backbone, settings.batch_size, precision, kept)

    training = compute(data.training, data.pixel_facts[0])
    validation = compute(data.validation, data.pixel_facts[1]) if training else None
    if training is None or validation is None:
        return None
    return replace(data, training=training, validation=validation)


def _tell_of_no_room(num_bytes: int, group: ProcessGroup) -> None:
    if group.is_first:
        print(
            f"The features of the frozen layers need {num_bytes / GIB:.2f} GiB, more than the free "
            "space of the cache. They are recomputed in each epoch. To avoid this, free disk "
            "space, wait for other runs to end, or increase DESIGNER_DECODED_GIB and start again.",
            flush=True,
        )


def _blocks(
    data: LabeledImages,
    backbone: nn.Module,
    shape: Sequence[int],
    batch_size: int,
    precision: Precision,
    group: ProcessGroup,
) -> Iterator[npt.NDArray[np.float32]]:
    """Yield the features of all images in order; every process computes its share of each block."""
    import numpy as np

    num_images, rows_per_block = shape[0], batch_size * group.world_size
    with closing(_share(data, backbone, batch_size, precision, group)) as share:
        for first in range(0, num_images, rows_per_block):
            block_ND = np.empty((min(rows_per_block, num_images - first), *shape[1:]), np.float32)
            for rank, part in enumerate(group.gather(next(share, None))):
                # The last processes may have no image of the last block.
                if part is not None:
                    block_ND[rank :: group.world_size] = part
            yield block_ND


def _share(
    data: LabeledImages,
    backbone: nn.Module,
    batch_size: int,
    precision: Precision,
    group: ProcessGroup,
) -> Generator[npt.NDArray[np.float32], None, None]:
    """Return the features of this process's batches."""
    import torch

    batches = ordered_batches(len(data), batch_size, group.rank, group.world_size)
    no_chance = torch.Generator()
    for _, pixels in read_batches(data.images, batches, ahead=not data.images.is_decoded):
        group.context.alive()
        with torch.inference_mode(), precision.autocast():
            outputs = backbone(data.preparation(pixels, no_chance))
        yield outputs.float().cpu().numpy()


def _feature_shape(data: LabeledImages, backbone: nn.Module) -> tuple[int, ...]:
    """Return the shape of one image's features, found with the first image on every process."""
    import torch

    backbone.eval()
    with torch.inference_mode():
        features_ND = backbone(data.preparation(data.images.read([0]), torch.Generator()))
    return tuple(features_ND.shape[1:])
