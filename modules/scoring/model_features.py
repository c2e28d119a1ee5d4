"""Features of a trained model: the input of its head for each image, from the feature store.

Those of a frozen backbone are stored by its training; those of a fine-tuned network are computed
and stored at the first request.

Shape letters: N images, D features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory, TrainedModel
from modules.compute.distributed import ProcessGroup, process_group
from modules.context import Context
from modules.errors import InvalidModelDirectoryError
from modules.explain.samples import for_inference
from modules.image_loading.datasets import ImageSource
from modules.image_loading.final_size import final_size
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.sizes import Size
from modules.models.recipe import Recipe, recipe_of
from modules.models.structure import backbone_and_head
from modules.scoring.frozen_features import BATCH_SIZE, unlabeled_images
from modules.scoring.inference import Scorer
from modules.scoring.score_image_model import opened_scorer
from modules.sentences import scoring as say
from modules.training.data import LabeledImages
from modules.training.feature_key import FeatureView
from modules.training.frozen_features import with_features
from modules.transforms.operations import FOR_INFERENCE, select

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import nn

    Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ModelFeatures:
    """The backbone of a model, ready to compute features."""

    scorer: Scorer
    backbone: nn.Module
    recipe: Recipe
    view: FeatureView

    @property
    def group(self) -> ProcessGroup:
        return self.scorer.group

    def of_images(self, dataset: ImageDirectory, rows: Sequence[int] | None = None) -> Floats:
        """Return the features of all or some images, shape (N, D), and store those computed.

        Raises ``InvalidDatasetError`` if images differ in size.
        """
        import numpy as np

        operations = self.view.operations
        final_size(dataset, operations, "dataset", ())
        images = unlabeled_images(self.scorer, dataset, operations, self.group)
        if rows is not None:
            images = _chosen(images, rows)
        with closing(images.images):
            featured = with_features(
                images, self.backbone, self.recipe, self.view, BATCH_SIZE, self.group
            )
        if featured is None:
            raise InvalidModelDirectoryError(say.NO_ROOM_FOR_FEATURES)
        with closing(featured.images) as features:
            read = features.read(range(len(featured)))
        return np.asarray(read, np.float32).reshape(len(featured), -1)

    def of_image(self, dataset: ImageDirectory, index: int) -> Floats:
        """Return the features of one image, shape (1, D), which are not stored."""
        import numpy as np
        import torch

        pixels = for_inference(dataset, index, self.view.operations).copy()
        with torch.inference_mode(), self.view.precision.autocast():
            images_NCHW = self.scorer.preparation(pixels[None], torch.Generator())
            features = self.backbone(images_NCHW)
        return np.asarray(features.float().cpu().numpy().reshape(1, -1), np.float32)


@contextmanager
def features_of(
    model: TrainedModel, dataset: ImageDirectory, context: Context
) -> Iterator[ModelFeatures]:
    """Open a model for the duration of the block, to compute features.

    Images go through the transformation stored in the model. Raises ``InvalidModelDirectoryError``
    if the network has no separate head, ``InvalidDatasetError`` if images differ in size.

    Args:
        model: A trained model.
        dataset: Some images, which have the size of all.
        context: Its cache holds the features.
    """
    model.check()
    attached: Any = model.description.get("inference_transformation", [])
    operations = select(attached, FOR_INFERENCE)
    recipe = recipe_of(model)
    with process_group(context) as group:
        size = final_size(dataset, operations, "dataset", ())
        scorer = opened_scorer(model, size, group)
        parts = backbone_and_head(scorer.torch_runtime.model)
        if parts is None:
            raise InvalidModelDirectoryError(say.NO_FEATURES, network=recipe.architecture)
        parts[0].eval()
        normalisation = Normalisation.from_json(model.description["normalisation"])
        view = FeatureView(operations, normalisation, scorer.torch_runtime.precision)
        yield ModelFeatures(scorer, parts[0], recipe, view)


def _chosen(images: LabeledImages, rows: Sequence[int]) -> LabeledImages:
    """Return some of the images."""
    hashes = None if images.hashes is None else tuple(images.hashes[row] for row in rows)
    source = _ChosenImages(images.images, rows)
    return LabeledImages(source, images.labels[: len(rows)], images.preparation, hashes)


class _ChosenImages:
    """Some rows of other images, which are opened as late."""

    num_random = 0

    def __init__(self, images: ImageSource, rows: Sequence[int]) -> None:
        self._images = images
        self._rows = rows

    @property
    def size(self) -> Size | None:
        return self._images.size

    @property
    def is_decoded(self) -> bool:
        return self._images.is_decoded

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, indices: Sequence[int]) -> Any:
        """Return some of the chosen images."""
        return self._images.read([self._rows[index] for index in indices])

    def drawn(self, seed: int) -> _ChosenImages:  # noqa: ARG002 - nothing here is random
        return self

    def close(self) -> None:
        self._images.close()
