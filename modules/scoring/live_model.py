"""Prediction of single images, one after the other, with a heat map on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.artifacts import TrainedModel
from modules.compute.distributed import ProcessGroup
from modules.explain.grad_cam import normalisation_of, overlay_of
from modules.models.serialization import load_trained
from modules.scoring.picture_scoring import PictureScorer

if TYPE_CHECKING:
    from torch import nn

    from modules.explain.samples import Pixels

MAX_PIXELS = 4_000_000
"""Frames of a camera are far smaller."""


class LiveModel:
    """A trained model, loaded once, that scores and explains single images."""

    def __init__(self, model: TrainedModel, group: ProcessGroup) -> None:
        self._model = model
        self._scorer = PictureScorer.open(model, group)
        self._explained: nn.Module | None = None

    def pixels(self, content: bytes) -> Pixels:
        """Return an encoded image as the model sees it, (H, W, 3), values 0-255.

        Raises the errors of ``PictureScorer.pixels``.
        """
        return self._scorer.pixels(content, max_pixels=MAX_PIXELS)

    def probabilities(self, pixels: Pixels) -> dict[str, float]:
        """Return the probability of each class, in the order of the model."""
        shares_K = self._scorer.probabilities([pixels])[0].tolist()
        return dict(zip(self._scorer.classes, shares_K, strict=True))

    def heat_map(self, pixels: Pixels, class_name: str) -> Pixels | None:
        """Return the image under the heat map of a class; None without a feature map."""
        if self._explained is None:  # a second copy: gradients need a network in fp32
            self._explained = load_trained(self._model).requires_grad_(True)
        index = self._model.classes.index(class_name)
        return overlay_of(self._explained, pixels, normalisation_of(self._model), index)
