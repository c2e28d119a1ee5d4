"""Preparation of one image for a model: decoded, transformed, augmented, normalised.

Shape letters: N images, C = 3 channels, H height, W width.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, TypedDict

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


class TensorChannel(TypedDict):
    """One channel of a model's input tensor."""

    channel: str
    minimum: float
    maximum: float
    mean: float
    standard_deviation: float


def drawn(
    dataset: ImageDirectory, index: int, operations: Operations, seed: int, count: int
) -> list[Pixels]:
    """Return ``count`` versions of one image after random operations, drawn from ``seed``.

    Mixtures of several images (MixUp, CutMix) are skipped. Without random operations all would be
    the same, so one is returned.
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
    # one at a time: operations may output images of different sizes
    return [transformation([image], generator)[0].numpy() for image in batch]


def for_inference(dataset: ImageDirectory, index: int, operations: Operations) -> Pixels:
    """Return one image (H, W, C) as the model sees it in inference, without random operations."""
    prefix, rest = split_prefix(select(operations, FOR_INFERENCE))
    pixels = Reader.of(dataset, prefix, in_full=True).pixels(index)
    if not rest:
        return pixels
    import torch

    from modules.transforms.batch_transform import BatchTransformation

    made = BatchTransformation(rest)([torch.from_numpy(pixels.copy())], torch.Generator())
    result: Pixels = made[0].numpy()
    return result


def normalised(pixels: Pixels, normalisation: Normalisation) -> torch.Tensor:
    """Return the input tensor (1, C, H, W) of a model."""
    import torch

    return normalisation(torch.from_numpy(pixels.copy())[None], channels_last=False)


def statistics(tensor_NCHW: torch.Tensor) -> list[TensorChannel]:
    """Return the statistics of each channel of the first image."""
    return [
        TensorChannel(
            channel=name,
            minimum=float(channel.min()),
            maximum=float(channel.max()),
            mean=float(channel.mean()),
            standard_deviation=float(channel.std(correction=0)),
        )
        for name, channel in zip(("red", "green", "blue"), tensor_NCHW[0], strict=True)
    ]


def as_png(pixels: Pixels) -> bytes:
    """Encode the image (H, W, C) as PNG."""
    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def as_jpeg(pixels: Pixels, edge: int) -> bytes:
    """Encode the image (H, W, C), at most ``edge`` pixels long and wide, as JPEG."""
    from PIL import Image

    picture, buffer = Image.fromarray(pixels), BytesIO()
    picture.thumbnail((edge, edge))
    picture.save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()
