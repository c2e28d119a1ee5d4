"""One image on its way into a model: decoded, transformed, drawn anew, normalised.

Shape letters: N images, C = 3 channels, H height, W width.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.reader import Reader
from modules.transforms.operations import (
    FOR_INFERENCE,
    FOR_TRAINING,
    Operations,
    select,
    split_prefix,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

    Pixels = npt.NDArray[np.uint8]


JPEG_QUALITY = 80


@dataclass(frozen=True)
class TensorChannel:
    """One channel of a tensor as a model takes it."""

    channel: str
    minimum: float
    maximum: float
    mean: float
    standard_deviation: float


def drawn(
    dataset: ImageDirectory, index: int, operations: Operations, seed: int, count: int
) -> list[Pixels]:
    """``count`` pictures of one image behind the operations, each drawn anew from ``seed``.

    Mixtures of several images (MixUp, CutMix) are left out. Without random operations all are
    the same, so there is one.
    """
    import torch

    from modules.transforms.batch_transform import BatchTransformation

    prefix, rest = split_prefix(select(operations, FOR_TRAINING))
    pixels = Reader.of(dataset, prefix).pixels(index)
    transformation = BatchTransformation(rest)
    if not transformation.operations:
        return [pixels]
    generator = torch.Generator().manual_seed(seed)
    batch = [torch.from_numpy(pixels.copy()) for _ in range(count)]
    # one at a time: operations may leave pictures of unequal size
    return [transformation([each], generator)[0].numpy() for each in batch]


def for_inference(dataset: ImageDirectory, index: int, operations: Operations) -> Pixels:
    """One image (H, W, C) as the model sees it when it predicts: nothing is random."""
    prefix, rest = split_prefix(select(operations, FOR_INFERENCE))
    pixels = Reader.of(dataset, prefix).pixels(index)
    if not rest:
        return pixels
    import torch

    from modules.transforms.batch_transform import BatchTransformation

    made = BatchTransformation(rest)([torch.from_numpy(pixels.copy())], torch.Generator())
    result: Pixels = made[0].numpy()
    return result


def normalised(pixels: Pixels, normalisation: Normalisation) -> torch.Tensor:
    """The tensor (1, C, H, W) that a model is given."""
    import torch

    return normalisation(torch.from_numpy(pixels.copy())[None], channels_last=False)


def statistics(tensor_NCHW: torch.Tensor) -> list[TensorChannel]:
    """The statistics of each channel of the first image."""
    return [
        TensorChannel(
            name,
            float(channel.min()),
            float(channel.max()),
            float(channel.mean()),
            float(channel.std(correction=0)),
        )
        for name, channel in zip(("red", "green", "blue"), tensor_NCHW[0], strict=True)
    ]


def as_png(pixels: Pixels) -> bytes:
    """The picture (H, W, C) as a PNG file."""
    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def as_jpeg(pixels: Pixels, edge: int) -> bytes:
    """The picture (H, W, C), at most ``edge`` pixels long and wide, as a JPEG file."""
    from PIL import Image

    picture, buffer = Image.fromarray(pixels), BytesIO()
    picture.thumbnail((edge, edge))
    picture.save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()
