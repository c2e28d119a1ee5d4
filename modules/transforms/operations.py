"""Operations on images: which there are, which are random, and what they do to sizes.

An operation is a JSON object, ``{"operation": name, ...arguments}``. A list of them is applied
first to last. Names and arguments:

    resize(size)                 the smaller edge becomes ``size``, the aspect ratio stays
    center_crop(size)            a square of the middle; black is added where the image is smaller
    pad(padding)                 a black frame
    grayscale()                  three equal channels (ITU-R 601 luma)
    color_jitter(brightness, contrast, saturation, hue)                          random
    random_resized_crop(size, scale, ratio)   a part of the image, made square   random
    random_crop(size)            black is added where the image is smaller       random
    random_horizontal_flip(p), random_vertical_flip(p), random_grayscale(p)      random
    random_rotation(degrees), random_affine(degrees)                             random
    random_perspective(p, distortion_scale)                                      random
    rand_augment(num_ops, magnitude), trivial_augment()                          random
    random_erasing(p, scale, ratio)   to the mean colour                         random
    mixup(alpha), cutmix(alpha)  mixtures of two images of a batch               random

Semantics and defaults are those of ``torchvision.transforms.v2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from modules.errors import InvalidTransformationDirectoryError
from modules.sentences import transforms as say

if TYPE_CHECKING:
    import PIL.Image

    from modules.transforms.scaled_image import ScaledImage

Operation = Mapping[str, Any]
Operations = Sequence[Operation]

FOR_TRAINING = "For training"
FOR_INFERENCE = "For inference"

DETERMINISTIC = frozenset({"resize", "center_crop", "pad", "grayscale"})
MIXTURES = frozenset({"mixup", "cutmix"})
RANDOM = MIXTURES | {
    "color_jitter",
    "random_resized_crop",
    "random_crop",
    "random_horizontal_flip",
    "random_vertical_flip",
    "random_rotation",
    "random_affine",
    "random_grayscale",
    "random_perspective",
    "rand_augment",
    "trivial_augment",
    "random_erasing",
}

DRAFT_FACTOR = 2
"""Ratio by which a scaled decode stays larger than the resize target; less loses sharpness."""

MOST_ASPECT = 20
"""Maximum ratio of length to breadth: the size of strips depends on their shape."""
MOST_STRIP_PIXELS = 16_000_000
"""Maximum number of pixels of a resized strip; of longer ones, only the cropped part is resized."""


def select(operations: Sequence[Operation], mode: str) -> tuple[Operation, ...]:
    """Return the operations of a mode: all of them, or for inference only deterministic ones.

    Raises ``InvalidTransformationDirectoryError`` (0158) for an unknown operation.
    """
    for item in operations:
        _check_known(item)
    if mode == FOR_TRAINING:
        return tuple(operations)
    return tuple(operation for operation in operations if operation["operation"] in DETERMINISTIC)


def split_prefix(
    operations: Sequence[Operation],
) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
    """Split into the longest deterministic prefix, which is applied only once, and the rest."""
    length = 0
    while length < len(operations) and operations[length]["operation"] in DETERMINISTIC:
        length += 1
    return tuple(operations[:length]), tuple(operations[length:])


def output_size(operations: Sequence[Operation], height: int, width: int) -> tuple[int, int]:
    """Return the height and width in pixels of an image after the operations."""
    for operation in operations:
        height, width = _size_after(operation, height, width)
    return height, width


def common_output_size(operations: Sequence[Operation]) -> tuple[int, int] | None:
    """Return the output height and width for images of any size; None if they may differ."""
    sizes = {output_size(operations, *size) for size in ((97, 389), (389, 97), (211, 211))}
    return sizes.pop() if len(sizes) == 1 else None


def draft_size(prefix: Sequence[Operation], width: int, height: int) -> tuple[int, int] | None:
    """Return the width and height to which a JPEG decoder may downscale without visible loss.

    Width and height in the order of ``PIL.Image.draft``, which never decodes below the requested
    size. None: decode the image at full size.
    """
    if not prefix or prefix[0]["operation"] != "resize":
        return None
    target_height, target_width = output_size(prefix[:1], height, width)
    drafted = DRAFT_FACTOR * target_width, DRAFT_FACTOR * target_height
    return drafted if drafted[0] < width and drafted[1] < height else None


def draft_size_of_box(
    box_size: tuple[int, int], size: int, width: int, height: int
) -> tuple[int, int] | None:
    """Return the draft size for a box (height, width) that is resized to a square."""
    box_height, box_width = box_size
    drafted = DRAFT_FACTOR * size * width // box_width, DRAFT_FACTOR * size * height // box_height
    return drafted if drafted[0] < width and drafted[1] < height else None


def apply_prefix(image: PIL.Image.Image, prefix: Sequence[Operation]) -> PIL.Image.Image:
    """Apply deterministic operations to an RGB image, as torchvision treats a Pillow image."""
    for number, operation in enumerate(prefix):
        crop = crop_after_resize(prefix[number:], image.height, image.width)
        if crop is not None:
            image = cropped_to_resize(image, operation["size"], crop)
        image = _applied(image, operation)
    return image


def apply_prefix_to_scaled(picture: ScaledImage, prefix: Sequence[Operation]) -> PIL.Image.Image:
    """Apply them to an image that a decoder may have downscaled as ``draft_size`` allows."""
    if not prefix or prefix[0]["operation"] != "resize":
        return apply_prefix(picture.image, prefix)
    width, height = picture.size
    if crop_after_resize(prefix, height, width) is not None:  # the ends of the strip are not needed
        return apply_prefix(picture.image, prefix)
    height, width = output_size(prefix[:1], height, width)
    return apply_prefix(picture.resized((width, height)), prefix[1:])


def most_pixels_after(prefix: Sequence[Operation], height: int, width: int) -> int:
    """Return the pixels of the largest image that a step of the prefix makes; 0 if it is empty.

    Of a huge strip a crop behind a resize keeps little more than itself.
    """
    largest = 0
    for number, operation in enumerate(prefix):
        crop = crop_after_resize(prefix[number:], height, width)
        height, width = (crop, crop) if crop is not None else _size_after(operation, height, width)
        largest = max(largest, height * width)
    return largest


def is_unbounded(operations: Sequence[Operation], height: int, width: int) -> bool:
    """Return True if a strip becomes huge unless a centre crop follows the resize."""
    for number, operation in enumerate(operations):
        is_resize = operation["operation"] == "resize"
        if is_resize and is_huge_strip(operation["size"], height, width):
            return crop_after_resize(operations[number:], height, width) is None
        height, width = _size_after(operation, height, width)
    return False


def is_huge_strip(size: int, height: int, width: int) -> bool:
    """Return True if resizing the shorter edge to ``size`` makes a narrow image huge."""
    short, long = sorted((height, width))
    return long > MOST_ASPECT * short and size * size * long > MOST_STRIP_PIXELS * short


def crop_after_resize(operations: Sequence[Operation], height: int, width: int) -> int | None:
    """Return the size of the crop if the operations start with cropping a huge strip."""
    names = [operation["operation"] for operation in operations[:2]]
    if names != ["resize", "center_crop"]:
        return None
    is_huge = is_huge_strip(operations[0]["size"], height, width)
    return int(operations[1]["size"]) if is_huge else None


def cropped_to_resize(image: PIL.Image.Image, size: int, crop: int) -> PIL.Image.Image:
    """Return the middle of a strip, as much of it as a crop after the resize can show.

    Both ends are cut by the same number of pixels, and the rest is large enough for the filter's
    support.
    """
    short, long = sorted(image.size)
    kept = 2 * (ceil(crop * short / size / 2) + ceil(short / size) + 1) + long % 2
    first = max(0, (long - kept) // 2)
    last = long - first
    box = (first, 0, last, short) if image.width > image.height else (0, first, short, last)
    return image.crop(box)


def _applied(image: PIL.Image.Image, operation: Operation) -> PIL.Image.Image:
    from PIL import Image, ImageOps

    match operation["operation"]:
        case "resize":
            height, width = output_size((operation,), image.height, image.width)
            return image.resize((width, height), Image.Resampling.BILINEAR)
        case "center_crop":
            top, left = crop_offsets(image.height, image.width, operation["size"])
            size = operation["size"]
            return image.crop((left, top, left + size, top + size))
        case "pad":
            return ImageOps.expand(image, operation["padding"], fill=0)
        case "grayscale":
            return image.convert("L").convert("RGB")
    _check_known(operation)
    raise ValueError(f"{operation['operation']} is random: BatchTransformation applies it.")


def crop_offsets(height: int, width: int, size: int) -> tuple[int, int]:
    """Return top and left of a centred square; negative if black must be added."""
    return _centred(height, size), _centred(width, size)


def _centred(length: int, size: int) -> int:
    # torchvision rounds half to even inside, and adds the odd pixel of black to the far side.
    return round((length - size) / 2) if length >= size else -((size - length) // 2)


def _size_after(operation: Operation, height: int, width: int) -> tuple[int, int]:
    match operation["operation"]:
        case "resize":
            size = operation["size"]
            if height <= width:
                return size, max(1, int(size * width / height))
            return max(1, int(size * height / width)), size
        case "center_crop" | "random_crop" | "random_resized_crop":
            return operation["size"], operation["size"]
        case "pad":
            return height + 2 * operation["padding"], width + 2 * operation["padding"]
    _check_known(operation)
    return height, width


def _check_known(operation: Operation) -> None:
    name = operation.get("operation")
    if name not in DETERMINISTIC and name not in RANDOM:
        raise InvalidTransformationDirectoryError(say.UNKNOWN_OPERATION, operation=str(name)[:80])
