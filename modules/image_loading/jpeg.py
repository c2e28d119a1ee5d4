"""Decoding of JPEG files into tensors: the pixels of Pillow's decoder, with fewer copies.

Only files without special features are decoded here; ``modules.image_loading.decoding`` handles all
others.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import InvalidDatasetError
from modules.files.shard_member import StoredFile
from modules.image_loading.jpeg_regions import decode_inside

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

    from modules.image_loading.sizes import Size
    from modules.transforms.crop_boxes import CropBox

_START, _END = b"\xff\xd8", b"\xff\xd9"
_FRAMES = (0xC0, 0xC1, 0xC2)
"""Markers of baseline, extended and progressive frames; others are rare."""
_EXIF, _SCAN = 0xE1, 0xDA
_ORIENTATION_TAG = 0x0112
_XMP, _ORIENTATION = b"http://ns.adobe.com/xap/1.0/\x00", b"tiff:Orientation"
_UPRIGHT = (b'tiff:Orientation="1"', b"tiff:Orientation>1</", b"</tiff:Orientation>")
_DEPRECATION = (
    "ignore",
    re.compile("The image decoding and encoding capabilities of TorchVision", re.IGNORECASE),
    DeprecationWarning,
    None,
    0,
)


def plain_size(content: memoryview) -> Size | None:
    """Return height and width of a complete, upright, grey or colour JPEG; None for others."""
    if content[:2] != _START or content[-2:] != _END:
        return None
    place = 2
    while place + 10 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        length = int.from_bytes(content[place + 2 : place + 4], "big")
        if marker == _SCAN or (marker == _EXIF and not _is_upright(content[place + 4 :][:length])):
            return None
        if marker in _FRAMES:
            height = int.from_bytes(content[place + 5 : place + 7], "big")
            width = int.from_bytes(content[place + 7 : place + 9], "big")
            return (height, width) if content[place + 9] in (1, 3) else None
        place += 2 + length
    return None


def _is_upright(segment: memoryview) -> bool:
    """Return True if EXIF and XMP data are readable without rotation, or absent.

    Pillow uses the orientation from XMP if EXIF has none.
    """
    from PIL import Image

    if bytes(segment[: len(_XMP)]) == _XMP:
        xmp = bytes(segment)
        return xmp.count(_ORIENTATION) == sum(xmp.count(mark) for mark in _UPRIGHT)
    if bytes(segment[:6]) != b"Exif\x00\x00":
        return True
    exif = Image.Exif()
    try:
        exif.load(bytes(segment))
        return bool(exif.get(_ORIENTATION_TAG, 1) == 1)
    except Exception:  # damaged data can raise any exception
        return False


def read_plain(file: StoredFile, size: Size) -> torch.Tensor | None:
    """Return the bytes of a plain JPEG file of this size, else None."""
    import torch

    try:
        content = _read(file)
    except (OSError, InvalidDatasetError):
        return None  # Pillow reports the error.
    return torch.from_numpy(content) if plain_size(content.data) == size else None


def _read(file: StoredFile) -> npt.NDArray[np.uint8]:
    """Return the bytes of a file, in a third of the time of numpy's reader."""
    import numpy as np

    if not isinstance(file, Path):
        return np.frombuffer(bytearray(file.read_bytes()), np.uint8)
    with file.open("rb", buffering=0) as opened:
        content = np.empty(os.fstat(opened.fileno()).st_size, np.uint8)
        return content[: opened.readinto(content.data)]


def decode_plain(files: Sequence[tuple[StoredFile, Size, CropBox]]) -> list[torch.Tensor | None]:
    """Return RGB pixels (H, W, 3) of a box of each file; None if it is not a plain JPEG.

    Several are decoded at once, so that a thread releases Python's lock once for all of them.
    """
    import torch

    contents = {
        place: content
        for place, (file, size, _) in enumerate(files)
        if (content := read_plain(file, size)) is not None
    }
    boxes = {place: files[place][2] for place in contents}
    parts = decode_inside([content.numpy() for content in contents.values()], [*boxes.values()])
    pixels: list[torch.Tensor | None] = [None] * len(files)
    for (place, content), part_HWC in zip(contents.items(), parts, strict=True):
        if part_HWC is not None:
            pixels[place] = torch.from_numpy(part_HWC)
        else:
            pixels[place] = _decoded_in_full(content, boxes[place])
    return pixels


def _decoded_in_full(content: torch.Tensor, box: CropBox) -> torch.Tensor | None:
    import torch

    try:
        [pixels_CHW] = decode_all([content], torch.device("cpu"))
    except RuntimeError:
        return None  # Pillow reports the error.
    inside_CHW = pixels_CHW[:, box.top : box.top + box.height, box.left : box.left + box.width]
    return inside_CHW.permute(1, 2, 0)


def decode_all(contents: list[torch.Tensor], device: torch.device) -> list[torch.Tensor]:
    """Return RGB pixels (3, H, W) on a device; raise ``RuntimeError`` if any file is damaged."""
    try:
        from torchvision.io import ImageReadMode, decode_jpeg
    except ImportError as error:
        raise RuntimeError("This version of torchvision cannot decode images.") from error
    # torchvision will replace its decoder by torchcodec's, which has no wheels for all systems
    # yet. Once it is removed, Pillow decodes all files until torchcodec is available.
    if _DEPRECATION not in warnings.filters:
        warnings.filterwarnings("ignore", _DEPRECATION[1].pattern, DeprecationWarning)
    decoded: list[torch.Tensor] = decode_jpeg(contents, mode=ImageReadMode.RGB, device=device)
    return decoded


def resized(pixels_HWC: torch.Tensor, size: int) -> torch.Tensor:
    """Resize uint8 pixels on a CPU to a square, shape (size, size, C)."""
    from torch.nn.functional import interpolate

    # Contiguous, and viewed as a batch of one: with other strides torch would resize into planes of
    # one colour each, and copying those to the batch takes as long as resizing.
    pixels_1CHW = pixels_HWC.contiguous()[None].permute(0, 3, 1, 2)
    square_1CSS = interpolate(pixels_1CHW, size=(size, size), mode="bilinear", antialias=True)
    return square_1CSS[0].permute(1, 2, 0)
