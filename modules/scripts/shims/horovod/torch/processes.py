"""The processes of a script, by the variables of launchers."""

import atexit
import os
from typing import Any

from ..lacks import refuse


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Join the other processes; gloo for tensors of the CPU, NCCL for those of GPUs."""
    import torch
    from torch import distributed

    if comm is not None or process_sets is not None:
        refuse("horovod.torch.init with a communicator or process sets")
    if distributed.is_initialized():
        return
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    number = _number("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", default=0)
    count = _number("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", default=1)
    if count == 1:  # a single process needs no address
        store = distributed.HashStore()  # type: ignore[attr-defined]
        distributed.init_process_group(backend, store=store, rank=0, world_size=1)
    else:
        distributed.init_process_group(backend, rank=number, world_size=count)
    atexit.register(shutdown)  # like Horovod, as few scripts call it, and threads must end before


def shutdown() -> None:
    """Leave the group of processes."""
    from torch import distributed

    if distributed.is_initialized():
        distributed.destroy_process_group()


def is_initialized() -> bool:
    """Return True between ``init`` and ``shutdown``."""
    from torch import distributed

    return distributed.is_initialized()


def rank() -> int:
    """Return the rank of this process."""
    from torch import distributed

    _require()
    return distributed.get_rank()


def size() -> int:
    """Return the number of processes."""
    from torch import distributed

    _require()
    return distributed.get_world_size()


def local_rank() -> int:
    """Return the rank of this process on its node."""
    return _number("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", default=0)


def local_size() -> int:
    """Return the number of processes of this node."""
    return _number("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", default=1)


def cross_rank() -> int:
    """Return the index of this node."""
    return rank() // local_size()


def cross_size() -> int:
    """Return the number of nodes."""
    return -(-size() // local_size())


def is_homogeneous() -> bool:
    """Return True if every node has the same number of processes, which is always so here."""
    return True


def nccl_built() -> bool:
    """Return True if GPUs communicate with NCCL."""
    import torch

    return torch.cuda.is_available() and torch.distributed.is_nccl_available()


def gloo_built() -> bool:
    """Return True, as torch includes gloo."""
    return True


def mpi_built() -> bool:
    """Return False: MPI may start processes, but does not transfer tensors here."""
    return False


gloo_enabled, cuda_built = gloo_built, nccl_built
mpi_enabled = mpi_threads_supported = rocm_built = mpi_built


def _require() -> None:
    if not is_initialized():
        raise ValueError("Horovod has not been initialized; use hvd.init().")


def _number(*names: str, default: int) -> int:
    return int(next((os.environ[name] for name in names if name in os.environ), default))
