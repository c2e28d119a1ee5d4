"""The group of processes that train or score together; a single process needs none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from modules.compute.openmp_spin import spins_that_fit
from modules.compute.thread_count import FreeCores, ThreadCount
from modules.context import Context
from modules.errors import TimeoutOccuredError
from modules.operating_system.machine import num_cores, num_threads
from modules.sentences import compute as say

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

COLLECTIVE_TIMEOUT = timedelta(minutes=5)
"""Maximum wait for the other processes in one collective operation."""
MEETING_VARIABLE = "DESIGNER_MEETING_FILE"
"""Variable with the rendezvous file of processes on one machine; else MASTER_ADDR and _PORT."""
_SIGNS_OF_LOSS = (
    *("timed out", "timeout", "connection closed by peer", "connection reset", "broken pipe"),
    *("ncclremoteerror", "remote process exit", "communicator was aborted"),
)
"""Texts in ``RuntimeError`` of gloo, NCCL and torch when another process is gone."""


@dataclass(frozen=True)
class ProcessGroup:
    """The processes and this one's device; every method is a no-op for a single process."""

    context: Context
    device: torch.device
    threads: ThreadCount = field(default_factory=ThreadCount)
    """Number of CPU threads of this process."""

    @property
    def world_size(self) -> int:
        return self.context.world_size

    @property
    def rank(self) -> int:
        return self.context.rank

    @property
    def is_first(self) -> bool:
        return self.context.is_first_rank

    @property
    def is_alone(self) -> bool:
        return self.context.world_size == 1

    def sum(self, values: torch.Tensor) -> torch.Tensor:
        """Sum ``values`` over all processes, in place."""
        import torch.distributed as dist

        if not self.is_alone:
            dist.all_reduce(values)
        return values

    def any(self, flag: bool) -> bool:
        """Return True on every process if it is True on any."""
        import torch

        return bool(self.sum(torch.tensor(float(flag))).item())

    def barrier(self) -> None:
        """Wait until every process is here."""
        self.any(False)

    def gather(self, value: T) -> list[T]:
        """Return the value of each process by rank, on every process."""
        import torch.distributed as dist

        if self.is_alone:
            return [value]
        values: list[Any] = [None] * self.world_size
        dist.all_gather_object(values, value)
        return values

    def gather_to_first(self, value: T) -> list[T]:
        """Return the value of each process by rank on the first one; an empty list on others."""
        import torch.distributed as dist

        if self.is_alone:
            return [value]
        values: list[Any] | None = [None] * self.world_size if self.is_first else None
        dist.gather_object(value, values)
        return values or []

    def from_first(self, value: T) -> T:
        """Return the first process's value, on every process."""
        import torch.distributed as dist

        if self.is_alone:
            return value
        box = [value if self.is_first else None]
        dist.broadcast_object_list(box)
        return box[0]  # type: ignore[return-value]


@contextmanager
def process_group(context: Context) -> Iterator[ProcessGroup]:
    """Open the group of a step for the duration of the block, with threads and device set.

    Raises ``TimeoutOccuredError`` if another process did not respond in time.
    """
    import torch

    most = context.threads or _fair_threads(context)
    torch.set_num_threads(most)
    group = ProcessGroup(context, device := _device(context))
    if device.type == "cpu":
        group = replace(group, threads=_thread_count(most, context))
    with spins_that_fit(), _flushed_denormals():
        if group.is_alone:
            yield group
        else:
            with _joined(group) as group:
                yield group


@contextmanager
def _joined(group: ProcessGroup) -> Iterator[ProcessGroup]:
    """Yield the group while its processes are connected."""
    import torch.distributed as dist

    context = group.context
    backend = "cpu:gloo,cuda:nccl" if group.device.type == "cuda" else "gloo"
    try:
        dist.init_process_group(
            backend,
            store=_meeting(context),
            rank=context.rank,
            world_size=context.world_size,
            timeout=COLLECTIVE_TIMEOUT,
        )
        yield _with_gpus_of_their_own(group)
    except RuntimeError as error:
        if is_lost_peer(error):
            raise _lost_process(group) from error
        raise
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def is_lost_peer(error: BaseException) -> bool:
    """Return True if an error most likely follows from the end of another process of the group."""
    if isinstance(error, ConnectionError | TimeoutOccuredError):
        return True
    said = str(error).lower()
    return isinstance(error, RuntimeError) and any(sign in said for sign in _SIGNS_OF_LOSS)


def _meeting(context: Context) -> Any:
    """Return the rendezvous file of processes on one machine, else torch's default.

    In an address ``file://``, torch misinterprets ``#``, ``?`` and drives of Windows.
    """
    import torch.distributed as dist

    path = os.environ.get(MEETING_VARIABLE)
    if path is None:
        return None
    store = dist.FileStore(path, context.world_size)  # type: ignore[attr-defined]
    store.set_timeout(COLLECTIVE_TIMEOUT)
    return store


@contextmanager
def _flushed_denormals() -> Iterator[None]:
    """Treat denormal numbers as 0, also in threads that start inside the block.

    The gradients of a model that is right about every image become that small, and Intel's
    processors take up to 16 times as long for a step with them (measured: 5.6 instead of 90
    images/s).
    """
    import torch

    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def _thread_count(most: int, context: Context) -> ThreadCount:
    """Return the number of threads that pays off; several processes would time their waits."""
    import torch

    announced: list[int] = []

    def tell(count: int) -> None:
        announced.append(count * context.process_count_per_node)
        facts = {
            "cores": announced[-1],
            "least_cores": min(announced),
            "most_cores": max(announced),
        }
        context.phase("running", **facts, machine_cores=num_cores())

    return ThreadCount(
        most,
        torch.set_num_threads,
        tell if context.is_first_rank else lambda _: None,
        FreeCores().look,
        share=lambda: context.threads_now,
        is_tried=context.world_size > 1,
    )


def _fair_threads(context: Context) -> int:
    return num_threads(max(1, (os.cpu_count() or 1) // context.process_count_per_node))


def _device(context: Context) -> torch.device:
    """Return a separate GPU for each process of this machine, else the CPU for all of them."""
    import torch

    if torch.cuda.is_available() and torch.cuda.device_count() >= context.process_count_per_node:
        device = torch.device("cuda", context.local_rank)
        torch.cuda.set_device(device)
        return device
    return torch.device("cpu")


def _with_gpus_of_their_own(group: ProcessGroup) -> ProcessGroup:
    """Return the group, on the CPU if two processes would share a GPU, which NCCL rejects."""
    import torch

    if group.device.type != "cuda":
        return group
    # Simulated nodes are one machine, and each of them uses its first GPU.
    cards = group.gather(str(torch.cuda.get_device_properties(group.device).uuid))
    if len(set(cards)) == len(cards):
        return group
    if group.is_first:
        group.context.warn(say.SHARED_GPU, processes=len(cards), gpus=len(set(cards)))
    return replace(group, device=torch.device("cpu"))


def _lost_process(group: ProcessGroup) -> TimeoutOccuredError:
    return TimeoutOccuredError(say.LOST_PROCESS, rank=group.rank, processes=group.world_size)
