"""Features of a frozen backbone: computed once per image, and stored for all runs.

Shape letters: N images, D features, C channels, H height, W width.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from modules.compute.device_transfer import received
from modules.compute.distributed import ProcessGroup
from modules.compute.precision import Precision
from modules.image_loading.cache_limits import GIB
from modules.image_loading.feature_store import StoredFeatures
from modules.image_loading.prefetch import read_batches
from modules.image_loading.samplers import ordered_batches
from modules.image_loading.sizes import Size
from modules.models.recipe import Recipe
from modules.training.data import ImageData, LabeledImages
from modules.training.feature_key import FeatureView, feature_key
from modules.training.feature_views import ViewPreparation, extra_views
from modules.training.features_note import features_note, views_note
from modules.training.parameters import TrainParameters
from modules.training.stored_features import open_stored
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn


BYTES_OF_FLOAT = 4
PROGRESS_SECONDS = 0.5
FEW_BYTES = 64 * 2**20
"""Maximum size of stored features that are read into memory at once, so that each batch is a single
copy: 13,000 images of EfficientNet-Lite0.
"""
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


class JoinedRows:
    """Equally many rows of several sources, one source behind the other."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def read(self, indices: Sequence[int]) -> npt.NDArray[Any]:
        import numpy as np

        places = [divmod(int(index), len(self._parts[0])) for index in indices]
        return np.concatenate([self._parts[part].read([row]) for part, row in places])

    def close(self) -> None:
        for part in self._parts:
            part.close()


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
    recipe: Recipe,
    view: FeatureView,
    batch_size: int,
    group: ProcessGroup,
) -> LabeledImages | None:
    """Return the same labels on features instead of images; None if there is no space for them.

    Args:
        data: Images, of which only those without stored features are read.
        backbone: The frozen part of the network.
        recipe: The recipe of the network.
        view: The preparation of the images.
        batch_size: Number of images that a process computes at once.
        group: The processes, all of which call this.
    """
    import numpy as np

    backbone.eval()
    source = FeatureSource(data, backbone, view.precision, batch_size, group)
    rows: Rows | None = None
    if data.hashes is not None:
        key = feature_key(backbone, recipe, view, str(group.device.type))
        stored = open_stored(data.hashes, key, source, is_exact=bool(view.exact))
        if stored is not None:
            rows = _in_memory(stored) if stored.num_bytes <= FEW_BYTES else stored
    if rows is None:
        num_bytes = len(data) * int(np.prod(source.shape)) * BYTES_OF_FLOAT
        if num_bytes > MAX_RESIDENT_BYTES:
            _tell_of_no_room(num_bytes, group)
            return None
        rows = ResidentRows(np.concatenate([*source.blocks(range(len(data)))]))
    preparation = FeaturePreparation(group.device)
    return LabeledImages(Features(rows), data.labels, preparation, data.hashes)


def _in_memory(stored: StoredFeatures) -> ResidentRows:
    with closing(stored):
        return ResidentRows(stored.read(range(len(stored))))


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
    if recipe.freeze == "all but the head" and group.is_first:
        print(features_note(data.spec.operations), flush=True)
    learner, taken = model, data
    if parts is not None:
        backbone, head = parts
        featured = _data_of_features(data, backbone, recipe, precision, settings, group)
        # Both or neither: a head cannot accept features in training and images in validation.
        if featured is not None:
            learner, taken = head, featured
            _tell_of_views(featured.training, group)
    with closing(taken.training.images), closing(taken.validation.images):
        yield learner, taken


def _data_of_features(
    data: ImageData,
    backbone: nn.Module,
    recipe: Recipe,
    precision: Precision,
    settings: TrainParameters,
    group: ProcessGroup,
) -> ImageData | None:
    """Return both datasets as features; None if there is no space for one of them."""
    import torch

    machine = (torch.get_num_threads(), group.world_size, settings.batch_size)

    def compute(
        images: LabeledImages, operations: Operations, seen: str = ""
    ) -> LabeledImages | None:
        exact = (*machine, _hash_of(images)) if settings.is_reproducible else ()
        view = FeatureView(operations, data.normalisation, precision, exact, view=seen)
        if seen:
            images = replace(images, preparation=ViewPreparation(images.preparation, seen))
        return with_features(images, backbone, recipe, view, settings.batch_size, group)

    training = compute(data.training, data.spec.operations)
    validation = compute(data.validation, data.spec.inference_operations) if training else None
    if training is None or validation is None:
        return None
    views = []
    for seen in extra_views(len(data.training), settings):
        view = compute(data.training, data.spec.operations, seen)
        if view is not None:  # the same on all processes
            views.append(view)
    if views:
        training = _joined([training, *views])
    return replace(data, training=training, validation=validation)


def _joined(parts: Sequence[LabeledImages]) -> LabeledImages:
    """Return the features of several views of the same images as one dataset."""
    first, rows = parts[0], []
    for part in parts:
        assert isinstance(part.images, Features)
        rows.append(part.images)
    hashes = first.hashes and first.hashes * len(parts)
    labels = first.labels.repeat(len(parts))
    joined = Features(JoinedRows(rows))
    return LabeledImages(joined, labels, first.preparation, hashes, num_views=len(parts))


def _hash_of(images: LabeledImages) -> str:
    """Return a hash of the images in their order."""
    return hashlib.sha256(b"".join(images.hashes or ())).hexdigest()


def _tell_of_views(training: LabeledImages, group: ProcessGroup) -> None:
    if group.is_first and training.num_views > 1:
        num_images = len(training) // training.num_views
        print(views_note(num_images, training.num_views - 1), flush=True)


def _tell_of_no_room(num_bytes: int, group: ProcessGroup) -> None:
    if group.is_first:
        print(
            f"The features of the frozen layers need {num_bytes / GIB:.2f} GiB, more than the free "
            "space of the cache. They are recomputed in each epoch. To avoid this, free disk "
            "space, or increase DESIGNER_FEATURES_GIB, and start again.",
            flush=True,
        )


@dataclass(frozen=True)
class FeatureSource:
    """Computation of features; every process of the group must call the same methods."""

    data: LabeledImages
    backbone: nn.Module
    """The network without its head, in inference mode."""
    precision: Precision
    batch_size: int
    group: ProcessGroup

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one image's features, found with the first image."""
        import torch

        with torch.inference_mode():
            features_ND = self._features(self.data.images.read([0]))
        return tuple(features_ND.shape[1:])

    def blocks(self, indices: Sequence[int]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the features of some images in order, in blocks of shape (N, ...).

        Each process computes its share of each block.
        """
        import numpy as np

        rows_per_block, world_size = self.batch_size * self.group.world_size, self.group.world_size
        with closing(self._share(indices)) as share:
            for first in range(0, len(indices), rows_per_block):
                num_rows = min(rows_per_block, len(indices) - first)
                block_ND = np.empty((num_rows, *self.shape), np.float32)
                for rank, part in enumerate(self.group.gather(next(share, None))):
                    # The last processes may have no image of the last block.
                    if part is not None:
                        block_ND[rank::world_size] = part
                yield block_ND

    def _share(self, indices: Sequence[int]) -> Generator[npt.NDArray[np.float32], None, None]:
        """Yield the features of this process's batches."""
        import torch

        group, images = self.group, self.data.images
        positions = ordered_batches(len(indices), self.batch_size, group.rank, group.world_size)
        batches = [[indices[position] for position in batch] for batch in positions]
        num_done, reported = 0, time.monotonic()
        for batch, pixels in read_batches(images, batches, ahead=not images.is_decoded):
            group.context.alive()
            with torch.inference_mode():
                outputs = self._features(pixels)
            yield outputs.float().cpu().numpy()
            num_done += len(batch) * group.world_size
            if group.is_first and time.monotonic() - reported > PROGRESS_SECONDS:
                reported = time.monotonic()
                done = min(num_done, len(indices))
                group.context.progress(done, len(indices), "images through frozen layers")

    def _features(self, pixels: Any) -> torch.Tensor:
        import torch

        with self.precision.autocast():
            features_ND: torch.Tensor = self.backbone(
                self.data.preparation(pixels, torch.Generator())
            )
        return features_ND
