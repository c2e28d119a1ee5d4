"""Reader of single images of a directory, with the deterministic part of their transformation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.errors import ImageExceedsLimitError, InvalidDatasetError, ModuleError
from modules.image_loading.decoding import open_scaled
from modules.image_loading.image_files import ImageFiles
from modules.image_loading.jpeg import decode_plain, resized
from modules.image_loading.sizes import Size, Sizes
from modules.sentences import image_loading as say
from modules.sentences.sentence import Statement, said_by
from modules.transforms.operations import (
    Operations,
    apply_prefix_to_scaled,
    draft_size,
    draft_size_of_box,
    is_unbounded,
    output_size,
)
from modules.transforms.scaled_image import ScaledImage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from modules.transforms.crop_boxes import CropBox


@dataclass(frozen=True)
class Reader:
    """The images of a directory by index, each with ``prefix`` applied."""

    dataset: ImageDirectory
    sizes: Sizes
    """Sizes of the files."""
    prefix: tuple[Mapping[str, Any], ...]
    output_sizes: Sizes
    """Sizes after the prefix."""
    in_full: bool = False
    """True to decode every file at its full size, as other programs do (``reduces``)."""

    @classmethod
    def of(cls, dataset: ImageDirectory, prefix: Operations, *, in_full: bool = False) -> Reader:
        """Create the reader of ``dataset``."""
        import numpy as np

        sizes = Sizes(dataset.images[["height", "width"]].to_numpy(dtype=np.int32))
        _check_strips(dataset, sizes, prefix)
        behind = sizes.mapped(lambda size: output_size(prefix, *size))
        return cls(dataset, sizes, tuple(prefix), behind, in_full and reduces(sizes, prefix))

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def files(self) -> ImageFiles:
        """Return the files of the images."""
        return ImageFiles(self.dataset)

    @property
    def hashes(self) -> Iterable[str]:
        """Return the hashes of the files' bytes, in order."""
        return iter(self.dataset.images["sha256"])

    @property
    def common_size(self) -> Size | None:
        """Return the size after the prefix; None if the images differ."""
        distinct = self.output_sizes.distinct()
        return distinct.pop() if len(distinct) == 1 else None

    def pixels(self, index: int) -> npt.NDArray[np.uint8]:
        """Return one image, shape (H, W, 3), RGB; raise ``InvalidDatasetError``."""
        import numpy as np

        height, width = self.sizes[index]
        draft = None if self.in_full else draft_size(self.prefix, width, height)
        picture = self._opened(index, draft)
        return np.asarray(picture.image, dtype=np.uint8)

    def cropped(
        self, indices: Sequence[int], boxes: Sequence[CropBox], size: int
    ) -> list[npt.NDArray[np.uint8]]:
        """Return a box of each image (pixels after the prefix) as a square, shape (size, size, 3).

        A JPEG is decoded no larger and no further than its box needs; raises
        ``InvalidDatasetError`` like ``pixels``.
        """
        drafts = [self._draft(*pair, size) for pair in zip(indices, boxes, strict=True)]
        in_full = [place for place, draft in enumerate(drafts) if not (self.prefix or draft)]
        files = [
            (self.files[indices[place]], self.output_sizes[indices[place]], boxes[place])
            for place in in_full
        ]
        decoded = dict(zip(in_full, decode_plain(files), strict=True))
        return [
            self._square(indices[place], boxes[place], draft, size)
            if (pixels_HWC := decoded.get(place)) is None
            else resized(pixels_HWC, size).numpy()
            for place, draft in enumerate(drafts)
        ]

    def _draft(self, index: int, box: CropBox, size: int) -> tuple[int, int] | None:
        """Return how small a JPEG may be decoded for a square of this size."""
        height, width = self.sizes[index]
        if self.prefix:
            return draft_size(self.prefix, width, height)
        return draft_size_of_box((box.height, box.width), size, width, height)

    def _square(
        self, index: int, box: CropBox, draft: tuple[int, int] | None, size: int
    ) -> npt.NDArray[np.uint8]:
        """Return the square of an image decoded by Pillow."""
        import numpy as np

        return np.asarray(self._opened(index, draft).square(box, size), dtype=np.uint8)

    def _opened(self, index: int, draft: tuple[int, int] | None) -> ScaledImage:
        """Open one image after the prefix, in its recorded size; scaled if there is no prefix."""
        try:
            picture = open_scaled(self.files[index], draft)
            if self.prefix:
                picture = ScaledImage.whole(apply_prefix_to_scaled(picture, self.prefix))
        except ModuleError:
            raise
        except (OSError, ValueError) as error:
            why = said_by(error)
            why = why.rstrip(".") if isinstance(why, str) else why
            raise self._unreadable(index, why) from error
        height, width = self.output_sizes[index]
        if picture.size != (width, height):
            recorded = {"width": width, "height": height}
            raise self._unreadable(index, say.NOT_AS_RECORDED.about(recorded))
        return picture

    def _unreadable(self, index: int, why: Statement | str) -> InvalidDatasetError:
        name = self.files[index].name
        return InvalidDatasetError(say.UNREADABLE_MEANWHILE, image=name, why=why)


def reduces(sizes: Sizes, prefix: Operations) -> bool:
    """Return True if JPEG files of these sizes may be decoded at a reduced size.

    Training does so, as it is up to three times as fast for photographs. The pixels differ slightly
    from those of a full decode.
    """
    return any(draft_size(prefix, width, height) for height, width in sizes.distinct())


def _check_strips(dataset: ImageDirectory, sizes: Sizes, prefix: Operations) -> None:
    """Raise 0127 for a strip that becomes huge by a resize without a centre crop after it."""
    huge = {size for size in sizes.distinct() if is_unbounded(prefix, *size)}
    if huge:
        index = next(index for index, size in enumerate(sizes) if size in huge)
        height, width = sizes[index]
        facts = {"image": str(dataset.images["path"].iloc[index]), "width": width, "height": height}
        raise ImageExceedsLimitError(say.STRIP_TOO_LONG, **facts)
