"""A file object for ``tarfile`` with limits on memory, which detects truncated archives."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from modules.sentences import files as say

BLOCK_BYTES = 512
END_OF_TAR = bytes(BLOCK_BYTES)
MAX_READ_BYTES = 16 * 2**20


class GuardedStream:
    """Forward reading of a tar stream.

    Headers of a malicious archive may announce gigabytes of "long name", which ``tarfile`` reads at
    once: reads beyond 16 MiB raise ``ValueError``. ``allow`` is called with the position reached,
    and raises at the limit. ``last_block`` is the result of the last header read: a truncated
    archive does not end with the block of zeros.
    """

    def __init__(self, file: IO[bytes], allow: Callable[[int], None]) -> None:
        self._file = file
        self._allow = allow
        self.last_block = b""

    def peek_header(self) -> bytes:
        """Return the first block, and go back to the start."""
        block = self._file.read(BLOCK_BYTES)
        self._file.seek(0)
        return block

    def read(self, num_bytes: int = -1) -> bytes:
        if not 0 <= num_bytes <= MAX_READ_BYTES:
            raise ValueError(say.LONG_HEADER.about({}))
        data = self._file.read(num_bytes)
        self._allow(self._file.tell())
        if num_bytes == BLOCK_BYTES:
            self.last_block = data
        return data

    def seek(self, position: int) -> int:
        """Seek forward piece by piece, so that skipped data are counted as well."""
        while (current := self._file.tell()) < position:
            if not self._file.read(min(position - current, MAX_READ_BYTES)):
                break
            self._allow(self._file.tell())
        if current > position:
            self._file.seek(position)
        return self._file.tell()

    def tell(self) -> int:
        return self._file.tell()
