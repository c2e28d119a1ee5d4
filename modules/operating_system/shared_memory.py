"""Memory without a name that several processes of one machine map."""

from __future__ import annotations

import mmap
import os
import sys


class SharedMemory:
    """Memory of ``memfd_create``: the kernel frees it with the last process, however that ends."""

    def __init__(self, num_bytes: int) -> None:
        """Create the memory; its pages are taken when written. Raises ``OSError`` off Linux."""
        if sys.platform != "linux":
            raise OSError("Memory without a name needs Linux.")
        self._descriptor = os.memfd_create("shared")
        os.ftruncate(self._descriptor, num_bytes)
        self.address = f"/proc/{os.getpid()}/fd/{self._descriptor}"
        """Path at which other processes of this machine open it, until ``close``."""

    def close(self) -> None:
        """Let no more processes open the memory. Processes that mapped it keep it."""
        os.close(self._descriptor)


def map_shared(address: str, num_bytes: int) -> mmap.mmap:
    """Map the memory at an address. Raises ``OSError`` where it cannot be opened."""
    descriptor = os.open(address, os.O_RDWR)
    try:
        return mmap.mmap(descriptor, num_bytes)
    finally:
        os.close(descriptor)
