"""Features of a frozen backbone, computed once instead of every epoch.

Shape letters: N images, D features, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.images.batches import ordered_batches, read_batches
from modules.images.reading import Operations, Size
from modules.images.transfer import received
from modules.models.recipe import Recipe
from modules.training.distributed import Group
from modules.training.kept_features import KeptFeatures
from modules.training.precision import Precision

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn

    from modules.training.session import LabeledImages

MAX_BYTES = 2 * 2**30
"""Features of more than that are computed anew each epoch, so that memory stays bounded."""


class Features:
    """Features by index, read as images are."""

    size: Size | None = None
    is_decoded = True
    num_random = 0

    def __init__(self, features_ND: npt.NDArray[np.float32]) -> None:
        self._features_ND = features_ND

    def __len__(self) -> int:
        return len(self._features_ND)

    def read(self, indices: Sequence[int]) -> npt.NDArray[Any]:
        """A copy of some images' features."""
        return self._features_ND[indices]

    def drawn(self, seed: int) -> Features:  # noqa: ARG002 - nothing here is random
        """The same features."""
        return self

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True)
class FeaturePreparation:
    """Features are what the head takes; they only move to the device."""

    device: torch.device

    def __call__(self, features_ND: Any, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG002
        features = received(features_ND, self.device)
        assert not isinstance(features, list)
        return features


def frozen_backbone(
    model: nn.Module, recipe: Recipe, random_operations: Operations
) -> tuple[nn.Module, nn.Module] | None:
    """Backbone and head, where the backbone gives the same features in every epoch; else None."""
    from modules.models.structure import backbone_and_head

    if recipe.freeze != "all but the head" or random_operations:
        return None
    return backbone_and_head(model)


def with_features(
    data: LabeledImages,
    backbone: nn.Module,
    batch_size: int,
    precision: Precision,
    kept: KeptFeatures,
) -> LabeledImages | None:
    """The same labels on features instead of images; None where they take too much memory."""
    from modules.training.session import LabeledImages

    if _num_features(data, backbone) * 4 * len(data) > MAX_BYTES:
        return None
    features = kept.get()
    if features is None:
        features = _computed(data, backbone, batch_size, precision, kept.group)
        kept.put(features)
    device = kept.group.device
    return LabeledImages(Features(features), data.labels, FeaturePreparation(device))


def _computed(
    data: LabeledImages, backbone: nn.Module, batch_size: int, precision: Precision, group: Group
) -> npt.NDArray[np.float32]:
    """The features of all images; each process computes its share and all get the whole."""
    import numpy as np
    import torch

    batches = ordered_batches(len(data), batch_size, group.rank, group.world_size)
    parts, no_chance = [], torch.Generator()
    with torch.inference_mode():
        for _, pixels in read_batches(data.images, batches, ahead=not data.images.is_decoded):
            with precision.autocast():
                outputs = backbone(data.preparation(pixels, no_chance))
            parts.append(outputs.float().cpu().numpy())
    # The last processes may have no image of a very small data set.
    shares = [
        each for each in group.gather(np.concatenate(parts) if parts else None) if each is not None
    ]
    features = np.empty((len(data), *shares[0].shape[1:]), np.float32)
    for rank, share in enumerate(shares):
        features[rank :: group.world_size] = share
    return features


def _num_features(data: LabeledImages, backbone: nn.Module) -> int:
    """D, found by the first image: the same on every process."""
    import torch

    backbone.eval()
    with torch.inference_mode():
        features_ND = backbone(data.preparation(data.images.read([0]), torch.Generator()))
    return int(features_ND[0].numel())
