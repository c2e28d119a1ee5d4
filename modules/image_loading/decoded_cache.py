"""Images decoded once into one file of pixels, shared by epochs, processes and runs.

Shapes: N images, H height, W width, C = 3 channels; values are uint8.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from modules.compute.background_threads import for_each_in_threads
from modules.context import Context
from modules.image_loading.cache_limits import DECODED_SUFFIX, GIB, CacheLimits
from modules.image_loading.decoding import PIXELS_VERSION
from modules.image_loading.memory_mapped import MappedArray
from modules.image_loading.reader import Reader
from modules.image_loading.shared_file import Peers, SharedFile, shared_file
from modules.image_loading.sizes import Size

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FORMAT_VERSION = 1
CHANNELS = 3


class DecodedImages:
    """A finished file of pixels, mapped into memory; it stays in use until closed."""

    is_decoded = True
    num_random = 0

    def __init__(self, file: IO[bytes], num_images: int, size: Size) -> None:
        self.size: Size | None = size
        self._pixels_NHWC = MappedArray(file, (num_images, *size, CHANNELS), "uint8")

    def __len__(self) -> int:
        return len(self._pixels_NHWC)

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8]:
        """Return a copy of some images, shape (N, H, W, C)."""
        return self._pixels_NHWC.read(indices)

    def drawn(self, seed: int) -> DecodedImages:  # noqa: ARG002 - nothing here is random
        """Return the same images."""
        return self

    def close(self) -> None:
        """Release the file; the images can no longer be read."""
        self._pixels_NHWC.close()


def decoded_key(reader: Reader, size: Size) -> str:
    """Return the key of the pixels: the files' bytes in order, the prefix, the decoder."""
    import PIL

    prefix = [dict(operation) for operation in reader.prefix]
    facts: list[Any] = [FORMAT_VERSION, PIXELS_VERSION, PIL.__version__, size, prefix]
    facts += ["in full"] if reader.in_full else []
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for sha256 in reader.hashes:
        digest.update(sha256.encode() + b"\n")
    return digest.hexdigest()


def open_decoded(
    reader: Reader, size: Size, folder: Path, context: Context, peers: Peers, limits: CacheLimits
) -> DecodedImages | None:
    """Open the decoded images, created by all processes that share the folder if needed.

    None if one of the processes has no space for it. Raises ``InvalidDatasetError`` if an image
    cannot be read and ``OSError`` if the disk is full; no partial file keeps the final name.
    """
    path = folder / f"{decoded_key(reader, size)}{DECODED_SUFFIX}"
    num_bytes = len(reader) * size[0] * size[1] * CHANNELS
    with shared_file(path, num_bytes, peers, limits) as shared:
        if shared is None:
            _tell_of_no_room(num_bytes, context)
            return None
        if not shared.is_finished:
            _write_share(reader, size, shared, context)
    return DecodedImages(shared.file, len(reader), size)


def _tell_of_no_room(num_bytes: int, context: Context) -> None:
    if context.is_first_rank:
        print(
            f"The decoded images take {num_bytes / GIB:.2f} GiB, for which the cache has no room: "
            "they are decoded whenever they are read. If that is too slow, free disk space, wait "
            "for other runs to end, or set a larger DESIGNER_DECODED_GIB and start again.",
            flush=True,
        )


def _write_share(reader: Reader, size: Size, shared: SharedFile, context: Context) -> None:
    """Decode this process's images, each to its position in the file."""
    stride = size[0] * size[1] * CHANNELS
    share = shared.share(len(reader))
    num_threads = context.threads or os.cpu_count() or 1
    report_every = max(1, len(share) // 50) * num_threads

    def write(index: int) -> None:
        shared.write(reader.pixels(index).tobytes(), index * stride)
        done = index // shared.num_makers
        # Multiples of the number of threads are all done by the first one, so only it reports.
        if context.is_first_rank and done % report_every == 0 and done:
            context.progress(done, len(share), "images decoded", is_preparation=True)

    for_each_in_threads(write, share, num_threads)
