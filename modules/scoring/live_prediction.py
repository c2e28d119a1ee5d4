"""Prediction of single images, one after the other, by a trained model that stays in memory.

Images are prepared and scored as Score Image Model does it, without its files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel
from modules.compute.distributed import ProcessGroup
from modules.errors import ImageExceedsLimitError, InvalidDatasetError
from modules.explain.grad_cam import normalisation_of, overlay_of
from modules.image_loading.decoding import UnreadableImageError, open_scaled
from modules.models.serialization import load_trained
from modules.scoring.score_image_model import opened_scorer
from modules.sentences import image_loading
from modules.sentences import scoring as say
from modules.transforms.operations import (
    FOR_INFERENCE,
    apply_prefix_to_scaled,
    is_unbounded,
    select,
    split_prefix,
)

if TYPE_CHECKING:
    from torch import nn

    from modules.explain.samples import Pixels

MAX_PIXELS = 4_000_000
"""Frames of a camera are far smaller."""


class LivePrediction:
    """A trained model, loaded once, and the preparation of its images."""

    def __init__(self, model: TrainedModel, group: ProcessGroup) -> None:
        model.check()
        size = model.description.get("input_size") or {}
        self._model = model
        self._scorer = opened_scorer(
            model, (size.get("height", 224), size.get("width", 224)), group
        )
        stored: Any = model.description.get("inference_transformation", [])
        self._prefix, self._rest = split_prefix(select(stored, FOR_INFERENCE))
        self._explained: nn.Module | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self._model.classes)

    def pixels(self, content: bytes) -> Pixels:
        """Return an encoded image as the model sees it, (H, W, 3), values 0-255.

        Raises ``InvalidDatasetError`` if it is not an image, ``ImageExceedsLimitError`` if it is
        too large.
        """
        import numpy as np

        try:
            picture = open_scaled(content, None, max_pixels=MAX_PIXELS)
        except UnreadableImageError as error:
            raise InvalidDatasetError(say.FRAME_UNREADABLE, why=error.statement) from error
        width, height = picture.size
        if is_unbounded(self._prefix, height, width):
            raise ImageExceedsLimitError(
                image_loading.STRIP_TOO_LONG, image="frame", width=width, height=height
            )
        made: Pixels = np.asarray(apply_prefix_to_scaled(picture, self._prefix), dtype=np.uint8)
        return made

    def probabilities(self, pixels: Pixels) -> dict[str, float]:
        """Return the probability of each class, in the order of the model."""
        import torch

        with torch.inference_mode():
            images_NHWC = torch.from_numpy(pixels.copy())[None]
            images_NCHW = self._scorer.preparation(images_NHWC, torch.Generator())
            logits_NK = self._scorer.torch_runtime(images_NCHW).double()
            shares = logits_NK.softmax(dim=1)[0].tolist()
        return dict(zip(self.classes, shares, strict=True))

    def heat_map(self, pixels: Pixels, class_name: str) -> Pixels | None:
        """Return the image under the heat map of a class; None without a feature map."""
        if self._explained is None:  # a second copy: gradients need a network in fp32
            self._explained = load_trained(self._model).requires_grad_(True)
        index = self._model.classes.index(class_name)
        return overlay_of(self._explained, pixels, normalisation_of(self._model), index)
