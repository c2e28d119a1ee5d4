"""Sources of a dataset's pixels: decoded once if they fit, else decoded on demand.

Shapes: N images, H height, W width, C = 3 channels; values are uint8.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from modules.artifacts import ImageDirectory
from modules.compute.background_threads import background_pool
from modules.context import Context
from modules.image_loading.cache_limits import CacheLimits
from modules.image_loading.decoded_cache import CHANNELS, open_decoded
from modules.image_loading.reader import Reader
from modules.image_loading.shared_file import Peers, cache_folder
from modules.image_loading.sizes import Size
from modules.transforms.crop_boxes import CropBox, random_boxes, random_numbers
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from modules.transforms.operations import Operation

MOST_AT_ONCE = 8
"""Number of files that a thread decodes at once, without Python's lock in between."""
MOST_PIXELS_AT_ONCE = 2_000_000
"""Maximum pixels of those files together: waiting for one thread with many large files would leave
others idle.
"""
PIXELS_PER_CROPPED = 4
"""Pixel ratio above which random crops are decoded again each epoch: reading all decoded pixels
takes as long, and they would fill the disk.
"""


class ImageSource(Protocol):
    """Images by index, after the deterministic part of their transformation.

    Features computed from images are read the same way, as (N, D) floats.
    """

    @property
    def size(self) -> Size | None:
        """Height and width; None if the images differ."""

    @property
    def is_decoded(self) -> bool:
        """True if reading only copies."""

    @property
    def num_random(self) -> int:
        """Number of random operations after the prefix that are already applied."""

    def __len__(self) -> int: ...

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]:
        """Return some images: (N, H, W, C), or a list of (H, W, C) if their sizes differ."""

    def drawn(self, seed: int) -> ImageSource:
        """Return the images with random operations of this seed, or unchanged without any."""

    def close(self) -> None: ...


class DecodingImages:
    """Images decoded whenever they are read, in threads."""

    def __init__(self, reader: Reader, num_threads: int) -> None:
        self.size = reader.common_size
        self.is_decoded = False
        self.num_random = 0
        self._reader = reader
        self._pool = background_pool(num_threads, "decode")

    def __len__(self) -> int:
        return len(self._reader)

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]:
        """Return a new batch; images of one size are written to it as they are decoded."""
        import numpy as np

        chosen = [int(index) for index in indices]
        if self.size is None:
            # Pillow's pixels are read-only, but batches may be written to.
            return [image.copy() for image in self._pool.map(self._reader.pixels, chosen)]
        batch_NHWC = np.empty((len(chosen), *self.size, CHANNELS), np.uint8)

        def write(position: int) -> None:
            batch_NHWC[position] = self._reader.pixels(chosen[position])

        deque(self._pool.map(write, range(len(chosen))), maxlen=0)
        return batch_NHWC

    def drawn(self, seed: int) -> ImageSource:  # noqa: ARG002
        return self

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class CroppedImages:
    """Random boxes of images, resized to squares; only the box of a file is decoded.

    An image's box depends only on the seed and the image, not on the process or batch.
    """

    def __init__(
        self,
        reader: Reader,
        crop: Operation,
        pool: ThreadPoolExecutor,
        num_threads: int,
        seed: int = 0,
    ) -> None:
        """Create the source; ``crop`` is a ``random_resized_crop`` operation."""
        self.size: Size | None = (crop["size"], crop["size"])
        self.is_decoded = False
        self.num_random = 1
        self._crop, self._pool, self._seed = crop, pool, seed
        self._num_threads = num_threads
        self.reader = reader

    def __len__(self) -> int:
        return len(self.reader)

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8]:
        """Return a new batch, shape (N, size, size, 3)."""
        return self.begin(indices)()

    def begin(self, indices: Sequence[int]) -> Callable[[], npt.NDArray[np.uint8]]:
        """Start to read a batch; the returned function waits until it is complete."""
        import numpy as np

        size = self._crop["size"]
        boxes = [CropBox(*row) for row in self.boxes(indices).tolist()]
        batch_NHWC = np.empty((len(indices), size, size, CHANNELS), np.uint8)
        chosen = [int(index) for index in indices]
        num_at_once = self._num_at_once(chosen)
        starts = iter(range(0, len(chosen), num_at_once))

        def work() -> None:
            for start in starts:  # each thread takes the next ones that are left
                some = slice(start, start + num_at_once)
                squares = self.reader.cropped(chosen[some], boxes[some], size)
                for position, square_SSC in enumerate(squares, start):
                    batch_NHWC[position] = square_SSC

        num_threads = min(self._num_threads, len(chosen))
        begun = [self._pool.submit(work) for _ in range(num_threads)]

        def finish() -> npt.NDArray[np.uint8]:
            for future in begun:
                future.result()
            return batch_NHWC

        return finish

    def _num_at_once(self, chosen: Sequence[int]) -> int:
        """Return how many files a thread reads at once: few if they are large."""
        pixels = int(self.reader.sizes.some(chosen).prod(axis=1).mean()) if chosen else 1
        at_once = min(MOST_AT_ONCE, MOST_PIXELS_AT_ONCE // pixels)
        return max(1, min(at_once, len(chosen) // (2 * self._num_threads)))

    def drawn(self, seed: int) -> CroppedImages:
        return CroppedImages(self.reader, self._crop, self._pool, self._num_threads, seed)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def boxes(self, indices: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return the boxes of images that are read, as (top, left, height, width), shape (N, 4)."""
        sizes_N2 = self.reader.output_sizes.some(indices)
        numbers_NT4 = random_numbers(self._seed, indices)
        return random_boxes(sizes_N2, numbers_NT4, self._crop["scale"], self._crop["ratio"])


def open_images(
    dataset: ImageDirectory,
    prefix: Operations,
    context: Context,
    peers: Peers,
    limits: CacheLimits | None = None,
    *,
    random_operations: Operations = (),
    in_full: bool = False,
) -> ImageSource:
    """Open the images of ``dataset`` with ``prefix`` applied; close them when done.

    If ``random_operations`` after it start with a random resized crop of much larger images, it is
    applied during decoding (``Images.num_random``). ``in_full`` decodes every JPEG file at its full
    size.
    """
    limits = limits or CacheLimits.from_environment()
    reader = Reader.of(dataset, prefix, in_full=in_full)
    size = reader.common_size
    num_threads = context.threads or os.cpu_count() or 1
    crop = random_operations[0] if random_operations else None
    if crop and crop["operation"] == "random_resized_crop":
        pool = background_pool(num_threads, "decode")
        fresh: ImageSource = CroppedImages(reader, crop, pool, num_threads)
        if size is not None and size[0] * size[1] > PIXELS_PER_CROPPED * crop["size"] ** 2:
            size = None
    else:
        fresh = DecodingImages(reader, num_threads)
    if size is None:
        return fresh
    with cache_folder(context, peers) as folder:
        decoded = open_decoded(reader, size, folder, context, peers, limits)
    if decoded is None:
        return fresh
    fresh.close()
    return decoded
