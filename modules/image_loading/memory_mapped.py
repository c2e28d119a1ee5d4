"""Arrays in memory-mapped files: shared by processes, with little resident memory."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt

_MAPPED_BYTES_LIMIT = 512 * 2**20
"""Bytes read after which the mapping releases its pages, so that the process stays small."""


class MappedArray:
    """The rows of a finished file; it stays in use until closed."""

    def __init__(self, file: IO[bytes], shape: Sequence[int], dtype: npt.DTypeLike) -> None:
        import numpy as np

        self._file = file
        self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._rows: npt.NDArray[Any] = np.frombuffer(self._map, dtype).reshape(*shape)
        self._num_bytes_read = 0

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, indices: Sequence[int]) -> npt.NDArray[Any]:
        """Return a copy of some rows."""
        rows: npt.NDArray[Any] = self._rows[indices]
        self._num_bytes_read += rows.nbytes
        if self._num_bytes_read > _MAPPED_BYTES_LIMIT and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
            self._num_bytes_read = 0
        return rows

    def close(self) -> None:
        """Release the file; it cannot be read any more."""
        self._rows = self._rows[:0].copy()
        self._map.close()
        self._file.close()
