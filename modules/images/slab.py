"""Images decoded once into one file of pixels, shared by epochs, processes and runs.

Shapes: N images, H height, W width, C = 3 channels; values are uint8.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from modules.context import Context
from modules.images.cache import SLAB_SUFFIX, UNFINISHED_SUFFIX, CacheLimits, make_room
from modules.images.locks import hold
from modules.images.reading import Reader, Size, for_each_in_threads

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FORMAT_VERSION = 1
CHANNELS = 3
_MAPPED_BYTES_LIMIT = 512 * 2**20
"""After that many bytes read, the mapping lets its pages go, so the process stays small."""


class Peers(Protocol):
    """The processes that read the same images."""

    def gather(self, value: str) -> list[str]:
        """The value of each process by rank, on every process."""


class Slab:
    """A finished file of pixels, mapped into memory; it stays in use until closed."""

    def __init__(self, file: IO[bytes], num_images: int, size: Size) -> None:
        import numpy as np

        self.size: Size | None = size
        self.is_decoded = True
        self.num_random = 0
        self._file = file
        self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        flat = np.frombuffer(self._map, dtype=np.uint8)
        self._pixels_NHWC = flat.reshape(num_images, *size, CHANNELS)
        self._num_bytes_read = 0

    def __len__(self) -> int:
        return len(self._pixels_NHWC)

    def read(self, indices: Sequence[int]) -> npt.NDArray[np.uint8]:
        """A copy of some images, shape (N, H, W, C)."""
        images_NHWC: npt.NDArray[np.uint8] = self._pixels_NHWC[indices]
        self._num_bytes_read += images_NHWC.nbytes
        if self._num_bytes_read > _MAPPED_BYTES_LIMIT and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
            self._num_bytes_read = 0
        return images_NHWC

    def drawn(self, seed: int) -> Slab:  # noqa: ARG002 - nothing here is random
        """The same images."""
        return self

    def close(self) -> None:
        """Let the file go; the slab can't be read any more."""
        del self._pixels_NHWC
        self._map.close()
        self._file.close()


def slab_key(reader: Reader, size: Size) -> str:
    """What the pixels depend on: the files' bytes in order, the prefix, the decoder."""
    import PIL

    facts = [FORMAT_VERSION, PIL.__version__, size, [dict(each) for each in reader.prefix]]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for each in reader.hashes:
        digest.update(each.encode() + b"\n")
    return digest.hexdigest()


def open_slab(
    reader: Reader, size: Size, folder: Path, context: Context, peers: Peers, limits: CacheLimits
) -> Slab:
    """The slab of these images, made by all processes of this machine where it is not there.

    Raises ``InvalidDatasetError`` where an image can't be read and ``OSError`` where the disk
    is full; nothing half-written is left under a slab's name.
    """
    path = folder / f"{slab_key(reader, size)}{SLAB_SUFFIX}"
    num_bytes = len(reader) * size[0] * size[1] * CHANNELS
    found = _open_finished(path, num_bytes)
    if all(_of_this_machine(peers.gather("found" if found else ""), context)) and found:
        return Slab(found, len(reader), size)
    if found:
        found.close()
    if context.local_rank == 0:
        make_room(folder, num_bytes, limits)
    name = f"{path.stem[:32]}-{socket.gethostname()}-{os.getpid()}{UNFINISHED_SUFFIX}"
    unfinished = folder / _of_this_machine(peers.gather(name), context)[0]
    file = _open_unfinished(unfinished)
    try:
        _write_share(reader, size, file, context)
        peers.gather("written")
        if context.local_rank == 0:
            unfinished.replace(path)
    except BaseException:
        file.close()
        unfinished.unlink(missing_ok=True)
        raise
    return Slab(file, len(reader), size)


def _of_this_machine(values: list[str], context: Context) -> list[str]:
    first = context.rank - context.local_rank
    return values[first : first + context.process_count_per_node]


def _open_finished(path: Path, num_bytes: int) -> IO[bytes] | None:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    hold(file)
    if os.fstat(file.fileno()).st_size != num_bytes:
        file.close()
        return None
    os.utime(path)
    return file


def _open_unfinished(path: Path) -> IO[bytes]:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        hold(file)
        if os.fstat(descriptor).st_nlink:
            return file
        # Another process took it for a leftover, between its making and its lock.
        file.close()


def _write_share(reader: Reader, size: Size, file: IO[bytes], context: Context) -> None:
    """Decode every P-th image, P the processes of this machine, to its place in the file."""
    stride = size[0] * size[1] * CHANNELS
    share = range(context.local_rank, len(reader), context.process_count_per_node)
    num_threads = context.threads or os.cpu_count() or 1
    report_every = max(1, len(share) // 50) * num_threads

    def write(index: int) -> None:
        # A positioned write reports a full disk as an error; a write through a mapping would
        # end the process with a signal.
        _write_all(file, reader.pixels(index).tobytes(), index * stride)
        done = index // context.process_count_per_node
        # Multiples of the number of threads are all done by the first of them: one voice.
        if context.is_first_rank and done % report_every == 0 and done:
            context.progress(done, len(share), "images decoded")

    for_each_in_threads(write, share, num_threads)
    os.fsync(file.fileno())


def _write_all(file: IO[bytes], content: bytes, offset: int) -> None:
    """Write at a place of the file, wherever other threads write."""
    view = memoryview(content)
    while view:
        num_written = os.pwrite(file.fileno(), view, offset)
        view, offset = view[num_written:], offset + num_written
