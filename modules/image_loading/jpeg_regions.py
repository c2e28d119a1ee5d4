"""Decoding of boxes of JPEG files, limited to the box.

nvImageCodec (the extra ``nvimgcodec``) lets libjpeg-turbo skip rows and columns outside the box.
The pixels are those of the whole image; without it everything is decoded. Random boxes of 8 to 100
% of an image take 1.24 to 1.29 times as long in full (``switches.PARTIAL_DECODING`` off; one
thread, 64 images each of under 0.1 and 0.1 to 0.5 megapixels by turns).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from modules.compute.switches import PARTIAL_DECODING, is_on

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from modules.transforms.crop_boxes import CropBox

_EXTENSIONS, _ONE_EXTENSION = "NVIMGCODEC_EXTENSIONS_PATH", "libjpeg_turbo_ext*"
_VERBOSITY = "PYNVIMGCODEC_VERBOSITY"
_OPTIONS = ":fancy_upsampling=1"
"""Colours between two samples are interpolated, as in the decoders of Pillow and torchvision."""

_loading = threading.Lock()
_own = threading.local()


def decode_inside(
    contents: Sequence[npt.NDArray[np.uint8]], boxes: Sequence[CropBox]
) -> list[npt.NDArray[np.uint8] | None]:
    """Return RGB pixels (height, width, 3) of a box of each JPEG's bytes.

    None for all without a decoder, and for a file that is damaged within its box.
    """
    import numpy as np

    inside: list[npt.NDArray[np.uint8] | None] = [None] * len(contents)
    codec = _codec()
    if codec is None:
        return inside
    streams = {}
    for place, (content, box) in enumerate(zip(contents, boxes, strict=True)):
        region = codec.Region(box.top, box.left, box.top + box.height, box.left + box.width)
        with suppress(RuntimeError):  # not an image
            streams[place] = codec.CodeStream(content).get_sub_code_stream(region=region)
    decoded = _decoder(codec).decode([*streams.values()]) if streams else []
    for place, image in zip(streams, decoded, strict=True):
        pixels_HWC = None if image is None else np.asarray(image.cpu())
        if pixels_HWC is not None and pixels_HWC.dtype == np.uint8:  # others have 12 bits
            inside[place] = pixels_HWC
    return inside


def _decoder(codec: Any) -> Any:
    """Return this thread's decoder, which works synchronously on the CPU."""
    if not hasattr(_own, "decoder"):
        _own.decoder = codec.Decoder(
            device_id=codec.NVIMGCODEC_DEVICE_CPU_ONLY,
            max_num_cpu_threads=1,
            backends=[codec.Backend(codec.CPU_ONLY)],
            options=_OPTIONS,
        )
    return _own.decoder


def _codec() -> Any:
    """Return nvImageCodec, or None."""
    with _loading:
        return _loaded_codec()


@cache
def _loaded_codec() -> Any:
    try:
        return _load()
    # absent, older, or not built for this machine: files are then decoded in full
    except Exception:
        return None


def _load() -> Any:
    """Load nvImageCodec with the only extension that is used.

    The others look for CUDA's libraries, and report each missing one on standard error.
    """
    package = find_spec("nvidia.nvimgcodec")
    if package is None or package.origin is None or not is_on(PARTIAL_DECODING):
        return None
    before = os.environ.get(_EXTENSIONS)
    os.environ.setdefault(_VERBOSITY, "0")
    with TemporaryDirectory(prefix="designer-") as folder:
        for extension in (Path(package.origin).parent / "extensions").glob(_ONE_EXTENSION):
            (Path(folder) / extension.name).symlink_to(extension)
        os.environ[_EXTENSIONS] = folder
        try:
            from nvidia import nvimgcodec

            _decoder(nvimgcodec)  # the first one loads the extensions
        finally:
            del os.environ[_EXTENSIONS]
            if before is not None:
                os.environ[_EXTENSIONS] = before
    return nvimgcodec
