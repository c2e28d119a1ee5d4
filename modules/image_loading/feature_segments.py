"""Files of features: written once and completely, each row with the hash of its image.

Layout: a header of ``HEADER_BYTES`` with JSON, N rows of D float32, N hashes of images (SHA-256),
N checksums (CRC-32) over a hash and its row.

Shapes: N images, D features.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from modules.files.locks import hold
from modules.image_loading.cache_limits import UNFINISHED_SUFFIX
from modules.operating_system.files import protects_open_files, replace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

SUFFIX = ".features"
HEADER_BYTES = 256
HASH_BYTES = 32
FORMAT = "pipeline-designer-features/1"
_CHECKSUM_BYTES = 4
_FLOAT_BYTES = 4


class Segment:
    """An open file of features; it stays in use until closed."""

    def __init__(self, file: IO[bytes], shape: Sequence[int], num_rows: int) -> None:
        import numpy as np

        self.shape = tuple(shape)
        """Shape of one image's features."""
        self._file = file
        self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        num_features = int(np.prod(shape))
        read = np.frombuffer
        self._rows_ND = read(self._map, "<f4", num_rows * num_features, HEADER_BYTES)
        self._rows_ND = self._rows_ND.reshape(num_rows, num_features)
        start = HEADER_BYTES + self._rows_ND.nbytes
        self.hashes: npt.NDArray[Any] = read(self._map, f"V{HASH_BYTES}", num_rows, start)
        self._checksums = read(self._map, "<u4", num_rows, start + self.hashes.nbytes)

    @classmethod
    def open(cls, path: Path) -> Segment | None:
        """Open a file; return None if it is gone or damaged. Rows are checked by ``is_sound``."""
        try:
            file = path.open("rb")
        except OSError:
            return None
        hold(file)
        try:
            header = json.loads(file.read(HEADER_BYTES))
            shape, num_rows = [int(length) for length in header["shape"]], int(header["rows"])
            is_whole = os.fstat(file.fileno()).st_size == segment_bytes(shape, num_rows)
            if header["format"] == FORMAT and is_whole and num_rows > 0:
                return cls(file, shape, num_rows)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        file.close()
        return None

    @property
    def row_bytes(self) -> int:
        """Size of one image's features."""
        num_features: int = self._rows_ND.shape[1]
        return num_features * _FLOAT_BYTES

    def is_sound(self, row: int) -> bool:
        """Return True if the checksum of a row is right."""
        wanted = int(self._checksums[row])
        return _checksum(self.hashes[row].tobytes(), self._rows_ND[row]) == wanted

    def read(self, rows_N: npt.NDArray[np.int64]) -> Floats:
        """Return a copy of some rows, shape (N, ...)."""
        chosen: Floats = self._rows_ND[rows_N].reshape(len(rows_N), *self.shape)
        return chosen

    def close(self) -> None:
        """Release the file; it cannot be read any more."""
        empty = self._rows_ND[:0].copy()
        self._rows_ND, self.hashes, self._checksums = empty, empty, empty
        self._map.close()
        self._file.close()


def write_segment(
    folder: Path, shape: Sequence[int], hashes: Sequence[bytes], blocks: Iterable[Floats]
) -> Path:
    """Write the features of some images, block after block; return the new file.

    Nothing remains if ``blocks`` raises or the process is killed, except for an unfinished file
    without a lock, which is removed with other leftovers.
    """
    import numpy as np

    stem = uuid4().hex
    unfinished, path = folder / f"{stem}{UNFINISHED_SUFFIX}", folder / f"{stem}{SUFFIX}"
    header = {"format": FORMAT, "shape": [*shape], "rows": len(hashes)}
    checksums: list[int] = []
    try:
        with unfinished.open("wb") as file:
            hold(file)
            file.write(json.dumps(header).encode().ljust(HEADER_BYTES))
            for block in blocks:
                for row in np.ascontiguousarray(block, "<f4"):
                    checksums.append(_checksum(hashes[len(checksums)], row))
                    file.write(row.data)
            file.write(b"".join(hashes))
            file.write(np.array(checksums, "<u4").tobytes())
            file.flush()
            os.fsync(file.fileno())
            if not protects_open_files():  # stays marked as in use until it has its final name
                unfinished.replace(path)
        if protects_open_files():
            replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def segment_bytes(shape: Sequence[int], num_rows: int) -> int:
    """Return the size of a file with this many rows."""
    num_values = 1
    for length in shape:
        num_values *= length
    row_bytes = num_values * _FLOAT_BYTES + HASH_BYTES + _CHECKSUM_BYTES
    return HEADER_BYTES + num_rows * row_bytes


def _checksum(sha256: bytes, row: Floats) -> int:
    return zlib.crc32(row.data, zlib.crc32(sha256))
