"""Averaging of gradients over the processes of a training on CPUs.

Shape letters: R processes, P parameters that learn, B values of a bucket.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from modules.compute.timing import COMMUNICATING, Stopwatch
from modules.operating_system.machine import memory_bytes
from modules.operating_system.shared_memory import SharedMemory, map_shared

if TYPE_CHECKING:
    import mmap

    import torch
    from torch import nn

    from modules.compute.distributed import ProcessGroup

Bucket = Any
"""``torch.distributed.GradBucket``: some of the gradients, as one tensor of shape (B,)."""
Hook = Callable[[None, Bucket], Any]
"""Communication hook of DDP: returns the future of the averaged tensor."""

MAX_SHARED_PROCESSES = 8
"""Each process reads the gradients of all others: of more, gloo's rings move fewer bytes."""
MAX_SHARED_BYTES = 2**29
MAX_SHARE_OF_MEMORY = 1 / 16
_NUM_TURNS = 2
_BYTES_OF_FLOAT = 4


def averaging_hook(network: nn.Module, group: ProcessGroup, watch: Stopwatch) -> Hook:
    """Return the hook that averages the network's gradients, and measures the time of waiting.

    Processes of one machine average in shared memory where they can: two processes with 11 million
    parameters took 12 ms for a step, and 28 to 50 ms over gloo's sockets.
    """
    memory = _shared_memory(network, group)
    if memory is None:
        average = _over_sockets
    else:
        average = _InSharedMemory(memory, group.world_size, group.rank).average

    def timed(bucket: Bucket) -> Any:
        # From the last bucket on there is nothing left to compute meanwhile.
        is_last, began = bucket.is_last(), time.perf_counter()

        def finish(future: Any) -> torch.Tensor:
            averaged: torch.Tensor = future.value()
            if is_last:
                watch.add(COMMUNICATING, time.perf_counter() - began)
            return averaged

        return average(bucket).then(finish)

    # torch compares a hook's annotations with types; postponed annotations are text.
    return lambda state, bucket: timed(bucket)  # noqa: ARG005


def _over_sockets(bucket: Bucket) -> Any:
    """Return the future of the bucket's averaged gradients, by gloo's all-reduce."""
    import torch.distributed as dist

    gradients_B = bucket.buffer().div_(dist.get_world_size())
    return dist.all_reduce(gradients_B, async_op=True).get_future().then(_first_value)


class _InSharedMemory:
    """Average in memory of shape (turn, R, P) that all processes map.

    Each process writes its row, waits for all, and adds the rows in order of rank, so that all get
    the same bits. Two turns alternate: a process that writes a row of the next step never meets one
    that still reads this step's, and nobody reads the last step's any more, as DDP ends a step only
    when all of its buckets are averaged.
    """

    def __init__(self, memory: mmap.mmap, world_size: int, rank: int) -> None:
        import torch

        values = torch.frombuffer(memory, dtype=torch.float32)
        self._rows_TRP = values.view(_NUM_TURNS, world_size, -1)
        self._world_size = world_size
        self._rank = rank
        self._turn = 0
        self._start = 0

    def average(self, bucket: Bucket) -> Any:
        """Return the future of the bucket's averaged gradients."""
        import torch
        import torch.distributed as dist

        if bucket.index() == 0:
            self._turn, self._start = (self._turn + 1) % _NUM_TURNS, 0
        gradients_B: torch.Tensor = bucket.buffer()
        end = self._start + len(gradients_B)
        rows_RB = self._rows_TRP[self._turn, :, self._start : end]
        self._start = end
        torch.div(gradients_B, self._world_size, out=rows_RB[self._rank])

        def add(arrival: Any) -> torch.Tensor:
            arrival.value()  # raises if a process is lost
            torch.add(rows_RB[0], rows_RB[1], out=gradients_B)
            for row_B in rows_RB[2:]:
                gradients_B.add_(row_B)
            return gradients_B

        return dist.all_reduce(torch.zeros(1), async_op=True).get_future().then(add)


def _first_value(future: Any) -> torch.Tensor:
    tensor: torch.Tensor = future.value()[0]
    return tensor


def _shared_memory(network: nn.Module, group: ProcessGroup) -> mmap.mmap | None:
    """Return memory that all processes map; None on all of them if one cannot.

    The first process decides: limits of memory may differ between them.
    """
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    num_values = sum(parameter.numel() for parameter in learned)
    num_bytes = _NUM_TURNS * group.world_size * num_values * _BYTES_OF_FLOAT
    owned = None
    if group.is_first and _is_suitable(num_bytes, learned, group):
        with suppress(OSError):
            owned = SharedMemory(num_bytes)
    address = group.from_first(None if owned is None else owned.address)
    mapped: mmap.mmap | None = None
    if address is not None:
        with suppress(OSError):  # in another namespace of processes
            mapped = map_shared(address, num_bytes)
    is_missing = group.any(mapped is None)
    if owned is not None:
        owned.close()
    return None if is_missing else mapped


def _is_suitable(num_bytes: int, learned: Sequence[nn.Parameter], group: ProcessGroup) -> bool:
    import torch

    return (
        group.context.node_count == 1
        and group.world_size <= MAX_SHARED_PROCESSES
        and 0 < num_bytes <= min(MAX_SHARED_BYTES, memory_bytes() * MAX_SHARE_OF_MEMORY)
        and all(parameter.dtype == torch.float32 for parameter in learned)
    )
