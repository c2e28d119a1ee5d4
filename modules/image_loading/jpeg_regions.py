"""Boxes of JPEG files, decoded no further than they reach.

nvImageCodec (the extra ``nvimgcodec``) lets libjpeg-turbo leave out the rows and columns that
nobody asked for. The pixels are those of the whole image; without it all of them are decoded.
Random boxes of 8 to 100 % of a picture take 1.24 to 1.29 times as long in full
(``switches.PARTIAL_DECODING`` off; one thread, 64 pictures each of under 0.1 and 0.1 to 0.5
megapixels by turns).
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

    from modules.transforms.crop_boxes import Box

_EXTENSIONS, _ONE_EXTENSION = "NVIMGCODEC_EXTENSIONS_PATH", "libjpeg_turbo_ext*"
_VERBOSITY = "PYNVIMGCODEC_VERBOSITY"
_OPTIONS = ":fancy_upsampling=1"
"""Colours between two samples are interpolated, as Pillow's decoder and torchvision's do."""

_loading = threading.Lock()
_own = threading.local()


def decode_inside(
    contents: Sequence[npt.NDArray[np.uint8]], boxes: Sequence[Box]
) -> list[npt.NDArray[np.uint8] | None]:
    """RGB pixels (height, width, 3) of a box of each JPEG's bytes.

    None for all without a decoder, and where a file is damaged as far as its box needs it.
    """
    import numpy as np

    inside: list[npt.NDArray[np.uint8] | None] = [None] * len(contents)
    codec = _codec()
    if codec is None:
        return inside
    streams = {}
    for place, (content, box) in enumerate(zip(contents, boxes, strict=True)):
        region = codec.Region(box.top, box.left, box.top + box.height, box.left + box.width)
        with suppress(RuntimeError):  # no image at all
            streams[place] = codec.CodeStream(content).get_sub_code_stream(region=region)
    decoded = _decoder(codec).decode([*streams.values()]) if streams else []
    for place, each in zip(streams, decoded, strict=True):
        pixels_HWC = None if each is None else np.asarray(each.cpu())
        if pixels_HWC is not None and pixels_HWC.dtype == np.uint8:  # others have 12 bits
            inside[place] = pixels_HWC
    return inside


def _decoder(codec: Any) -> Any:
    """This thread's own decoder: it works where it is called, on the processor alone."""
    if not hasattr(_own, "decoder"):
        _own.decoder = codec.Decoder(
            device_id=codec.NVIMGCODEC_DEVICE_CPU_ONLY,
            max_num_cpu_threads=1,
            backends=[codec.Backend(codec.CPU_ONLY)],
            options=_OPTIONS,
        )
    return _own.decoder


def _codec() -> Any:
    """nvImageCodec, or None."""
    with _loading:
        return _loaded_codec()


@cache
def _loaded_codec() -> Any:
    try:
        return _load()
    except Exception:  # absent, older, or not made for this machine: then files are decoded in full
        return None


def _load() -> Any:
    """nvImageCodec with the one of its extensions that is used.

    The others look for CUDA's libraries, and complain on standard error of each that is not there.
    """
    found = find_spec("nvidia.nvimgcodec")
    if found is None or found.origin is None or not is_on(PARTIAL_DECODING):
        return None
    before = os.environ.get(_EXTENSIONS)
    os.environ.setdefault(_VERBOSITY, "0")
    with TemporaryDirectory(prefix="designer-") as folder:
        for extension in (Path(found.origin).parent / "extensions").glob(_ONE_EXTENSION):
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
