"""Gradients are averaged in shared memory, with the bits that gloo's sockets give."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from modules.compute import gradient_averaging
from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.gradient_averaging import averaging_hook
from modules.compute.timing import Stopwatch
from modules.context import Context
from modules.errors import TimeoutOccuredError
from modules.operating_system.shared_memory import SharedAddress, SharedMemory, map_shared
from tests.modules.compute.ranks import run_ranks

STEPS = 5


def _network() -> nn.Module:
    torch.manual_seed(7)
    return nn.Sequential(nn.Linear(5, 300), nn.ReLU(), nn.Linear(300, 900), nn.Linear(900, 2))


def _context(rank: int, world_size: int, folder: Path, nodes: int) -> Context:
    return Context(
        folder / "staging",
        node_count=nodes,
        process_count_per_node=world_size // nodes,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
        threads=1,
    )


def _gradients(group: ProcessGroup, is_lost: Any = None) -> torch.Tensor:
    """Train a few steps, each process on values of its own, in buckets of 0.1 MB."""
    network, watch = _network(), Stopwatch()
    distributed = DistributedDataParallel(network, bucket_cap_mb=0.1, static_graph=True)
    distributed.register_comm_hook(None, averaging_hook(network, group, watch))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(group.rank)
    for step in range(STEPS):
        if is_lost is not None and step == STEPS - 1:
            is_lost(group)
        optimizer.zero_grad()
        distributed(torch.randn(8, 5, generator=generator)).square().mean().backward()
        optimizer.step()
    return torch.cat([parameter.detach().flatten() for parameter in network.parameters()])


def average_both_ways(rank: int, world_size: int, folder: Path) -> None:
    """Work of each process: in shared memory, then over sockets."""
    values = {}
    for nodes in (1, world_size):
        with process_group(_context(rank, world_size, folder, nodes)) as group:
            is_shared = gradient_averaging._shared_memory(_network(), group) is not None
            assert is_shared == (nodes == 1 and sys.platform == "linux")
            values[nodes] = _gradients(group)
    torch.save(values, folder / f"{rank}.pt")


@pytest.mark.parametrize("world_size", [2, 3])
def test_all_processes_get_the_bits_that_sockets_give(tmp_path: Path, world_size: int) -> None:
    assert run_ranks(average_both_ways, world_size, tmp_path) == [0] * world_size
    shared, *others = (torch.load(tmp_path / f"{rank}.pt") for rank in range(world_size))
    for other in others:
        assert torch.equal(other[1], shared[1])
    if world_size == 2:  # of more, sockets add in another order
        assert torch.equal(shared[1], shared[world_size])
    assert torch.allclose(shared[1], shared[world_size], atol=1e-6)


def average_without_memory(rank: int, world_size: int, folder: Path) -> None:
    """Work of each process where only the second one cannot map the memory."""

    def refuse(_address: SharedAddress, _num_bytes: int) -> None:
        raise PermissionError("another namespace of processes")

    if rank == 1:
        vars(gradient_averaging)["map_shared"] = refuse
    with process_group(_context(rank, world_size, folder, 1)) as group:
        assert gradient_averaging._shared_memory(_network(), group) is None
        torch.save(_gradients(group), folder / f"{rank}.pt")


def test_if_one_process_cannot_map_the_memory_all_use_sockets(tmp_path: Path) -> None:
    assert run_ranks(average_without_memory, 2, tmp_path) == [0, 0]
    assert torch.equal(torch.load(tmp_path / "0.pt"), torch.load(tmp_path / "1.pt"))


def lose_a_process(rank: int, world_size: int, folder: Path) -> None:
    """Work of each process: the second one is killed between two steps."""

    def kill_second(group: ProcessGroup) -> None:
        if group.rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    with (
        pytest.raises(TimeoutOccuredError),
        process_group(_context(rank, world_size, folder, 1)) as group,
    ):
        _gradients(group, kill_second)


def test_a_lost_process_is_noticed_at_once(tmp_path: Path) -> None:
    assert run_ranks(lose_a_process, 2, tmp_path) == [0, -signal.SIGKILL]


@pytest.mark.skipif(sys.platform != "linux", reason="memory without a name needs Linux")
def test_shared_memory_is_seen_by_all_and_leaves_no_descriptor() -> None:
    before = len(os.listdir("/proc/self/fd"))
    memory = SharedMemory(8192)
    first, second = (map_shared(memory.address, 8192) for _ in range(2))
    memory.close()
    first[100] = 7
    assert second[100] == 7
    with pytest.raises(FileNotFoundError):
        map_shared(memory.address, 8192)
    first.close()
    second.close()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(sys.platform != "linux", reason="memory without a name needs Linux")
def test_another_file_at_the_same_path_is_refused(tmp_path: Path) -> None:
    memory = SharedMemory(8192)
    other = tmp_path / "other"
    other.write_bytes(bytes(8192))
    with pytest.raises(FileNotFoundError, match="not the shared memory"):
        map_shared(memory.address._replace(path=str(other)), 8192)
    memory.close()
