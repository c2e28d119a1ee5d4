"""Memory without a name that several processes of one machine map."""

from __future__ import annotations

import mmap
import os
import secrets
import sys
from typing import NamedTuple


class SharedAddress(NamedTuple):
    """Path of a shared memory for other processes of this machine, until its owner closes it."""

    path: str
    label: str
    """Random text that the memory carries: in another process namespace, the path may mean another
    file."""


class SharedMemory:
    """Memory of ``memfd_create``: the kernel frees it with the last process, however that ends."""

    def __init__(self, num_bytes: int) -> None:
        """Create the memory; its pages are taken when written. Raises ``OSError`` off Linux."""
        if sys.platform != "linux":
            raise OSError("Memory without a name needs Linux.")
        label = f"designer-{secrets.token_hex(16)}"
        self._descriptor = os.memfd_create(label)
        os.ftruncate(self._descriptor, num_bytes)
        self.address = SharedAddress(f"/proc/{os.getpid()}/fd/{self._descriptor}", label)

    def close(self) -> None:
        """Let no more processes open the memory. Processes that mapped it keep it."""
        os.close(self._descriptor)


def map_shared(address: SharedAddress, num_bytes: int) -> mmap.mmap:
    """Map the memory at an address. Raises ``OSError`` where it cannot be opened."""
    descriptor = os.open(address.path, os.O_RDWR)
    try:
        opened = os.readlink(f"/proc/self/fd/{descriptor}")
        if address.label not in opened:
            raise FileNotFoundError(f"{address.path} is {opened}, not the shared memory")
        return mmap.mmap(descriptor, num_bytes)
    finally:
        os.close(descriptor)
