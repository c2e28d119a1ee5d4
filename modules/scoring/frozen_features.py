"""Scoring of a model with a frozen backbone by its head, on the features of its training."""

from __future__ import annotations

from modules.artifacts import ImageDirectory, TrainedModel
from modules.compute.distributed import ProcessGroup
from modules.compute.timing import WAITING
from modules.image_loading.datasets import ImageSource, open_images
from modules.image_loading.lazy_images import LazyImages
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.reader import Reader
from modules.models.recipe import recipe_of
from modules.models.structure import backbone_and_head
from modules.scoring.backends import TorchRuntime
from modules.scoring.inference import Scorer
from modules.training.data import LabeledImages, image_hashes
from modules.training.feature_key import FeatureView
from modules.training.frozen_features import FeaturePreparation, with_features
from modules.transforms.operations import Operations

MAX_IMAGES = 20_000
"""Maximum number of images; more are scored as a whole, by the fastest runtime."""
BATCH_SIZE = 32
"""Number of images whose features are computed at once."""


def on_features(
    scorer: Scorer, model: TrainedModel, dataset: ImageDirectory, operations: Operations
) -> tuple[Scorer, ImageSource] | None:
    """Return a scorer of the head, and the features of the images; its clock has started.

    All processes of the scoring call this.

    Args:
        scorer: Scorer of the whole model.
        model: The model, whose backbone may be frozen.
        dataset: The images.
        operations: The operations on the images.

    Returns:
        None if the backbone was trained, too, if results must be bit-identical, or if there is no
        space for the features.
    """
    recipe = recipe_of(model)
    chosen = model.description.get("training_parameters") or {}
    if recipe.freeze != "all but the head" or chosen.get("reproducible") == "on":
        return None
    if len(dataset.images) > MAX_IMAGES or image_hashes(dataset) is None:
        return None
    parts = backbone_and_head(scorer.torch_runtime.model)
    if parts is None:
        return None
    backbone, head = parts
    precision, group = scorer.torch_runtime.precision, scorer.group
    normalisation = Normalisation.from_json(model.description["normalisation"])
    in_full = Reader.of(dataset, operations, in_full=True).in_full
    view = FeatureView(operations, normalisation, precision, in_full=in_full)
    head_scorer = Scorer(TorchRuntime(head, precision), FeaturePreparation(group.device), group)
    head_scorer.watch.start()
    with head_scorer.watch.during(WAITING):
        images = unlabeled_images(scorer, dataset, operations, group, in_full=in_full)
        featured = with_features(images, backbone, recipe, view, BATCH_SIZE, group)
        images.images.close()
    return None if featured is None else (head_scorer, featured.images)


def unlabeled_images(
    scorer: Scorer,
    dataset: ImageDirectory,
    operations: Operations,
    group: ProcessGroup,
    *,
    in_full: bool = False,
) -> LabeledImages:
    """Return the images, which are opened only if features are missing, without labels."""
    import torch

    images = LazyImages.of(open_images, dataset, operations, group.context, group, in_full=in_full)
    unlabeled = torch.full((len(images),), -1)
    return LabeledImages(images, unlabeled, scorer.preparation, image_hashes(dataset))
