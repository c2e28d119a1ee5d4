"""Images on which an exported file is compared with Score Image Model.

Shape letters: H height, W width, C = 3 channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory
from modules.export.preparation import Preparation
from modules.image_loading.decoding import open_rgb
from modules.image_loading.reader import Reader
from modules.transforms.operations import Operations, apply_prefix, output_size

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Pixels = npt.NDArray[np.uint8]

MAX_IMAGES = 1000
GENERATED_IMAGES = 24
_STEP = 0.6180339887498949
"""Golden section: the first images of the order are spread evenly over the dataset."""


@dataclass(frozen=True)
class CheckImage:
    """One image, decoded."""

    pixels: Pixels
    """The whole image (H, W, C), as other programs decode it."""
    seen: Pixels
    """The input of the network (H, W, C), made of these pixels by the code of scoring."""
    category: str | None = None
    """Its label, if it has one."""


def check_images(dataset: ImageDirectory, preparation: Preparation) -> Iterator[CheckImage]:
    """Yield images of a dataset, spread over it; images of other sizes than trained are skipped."""
    import numpy as np

    reader = Reader.of(dataset, own_operations(preparation), in_full=True)
    labels = dataset.labels
    for index in _spread(len(reader)):
        if reader.output_sizes[index] == preparation.size:
            image = open_rgb(reader.files[index])
            seen = np.asarray(apply_prefix(image, reader.prefix))
            yield CheckImage(np.asarray(image), seen, labels[index])


def generated_images(preparation: Preparation) -> Iterator[CheckImage]:
    """Yield soft random shapes in sizes that the model accepts, the same ones every time."""
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(0)
    height, width = preparation.size
    operations = own_operations(preparation)
    for number in range(GENERATED_IMAGES):
        coarse = random.integers(0, 256, (5, 7, 3), dtype=np.uint8)
        edges = (width + 13 * (number % 5), height + 7 * (number % 7))
        if output_size(operations, edges[1], edges[0]) != preparation.size:
            edges = _fitting(operations, preparation)
        image = Image.fromarray(coarse).resize(edges, Image.Resampling.BICUBIC)
        seen = apply_prefix(image, operations)
        if (seen.height, seen.width) == preparation.size:
            yield CheckImage(np.asarray(image), np.asarray(seen))


def own_operations(preparation: Preparation) -> Operations:
    """Return the operations without those added for images of other sizes."""
    return tuple(
        operation
        for operation in preparation.operations
        if not any(operation is added for added in preparation.added)
    )


def _fitting(operations: Operations, preparation: Preparation) -> tuple[int, int]:
    """Return width and height of images that have the trained size after the operations."""
    padded = sum(2 * item["padding"] for item in operations if item["operation"] == "pad")
    height, width = preparation.size
    return width - padded, height - padded


def _spread(count: int) -> list[int]:
    """Return up to ``MAX_IMAGES`` indices; the first ones are spread over the range, too."""
    order = sorted(range(count), key=lambda index: (index * _STEP) % 1.0)
    return order[:MAX_IMAGES]
