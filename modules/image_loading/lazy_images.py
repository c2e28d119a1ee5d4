"""Images that are opened only when the first of them is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.image_loading.datasets import ImageSource
from modules.image_loading.sizes import Size

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class LazyImages:
    """Images without random operations. All processes that share them must read at the same time.

    Opening may involve all of them (``shared_file``).
    """

    num_random = 0

    def __init__(self, num_images: int, opening: Callable[[], ImageSource]) -> None:
        self._num_images = num_images
        self._opening = opening

    @classmethod
    def of(
        cls,
        open_them: Callable[..., ImageSource],
        dataset: ImageDirectory,
        *arguments: Any,
        **more: Any,
    ) -> LazyImages:
        """Return the images of a dataset that a function opens with these arguments."""
        return cls(len(dataset.images), lambda: open_them(dataset, *arguments, **more))

    @cached_property
    def _opened(self) -> ImageSource:
        return self._opening()

    @property
    def size(self) -> Size | None:
        """Height and width; None if the images differ."""
        return self._opened.size

    @property
    def is_decoded(self) -> bool:
        """True if reading only copies."""
        return self._opened.is_decoded

    def __len__(self) -> int:
        return self._num_images

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]:
        """Return some images, opening them if this is the first call."""
        return self._opened.read(indices)

    def drawn(self, seed: int) -> ImageSource:
        """Return the opened images."""
        return self._opened.drawn(seed)

    def close(self) -> None:
        """Close the images if they were opened."""
        if "_opened" in vars(self):
            self._opened.close()
