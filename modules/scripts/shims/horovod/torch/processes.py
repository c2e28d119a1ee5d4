"""The processes of a script, by the names that launchers give them."""

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
    if count == 1:  # alone: no address is needed
        store = distributed.HashStore()  # type: ignore[attr-defined]
        distributed.init_process_group(backend, store=store, rank=0, world_size=1)
    else:
        distributed.init_process_group(backend, rank=number, world_size=count)
    atexit.register(shutdown)  # as Horovod does: few scripts call it, and threads are to end before


def shutdown() -> None:
    """Leave the other processes."""
    from torch import distributed

    if distributed.is_initialized():
        distributed.destroy_process_group()


def is_initialized() -> bool:
    """True between ``init`` and ``shutdown``."""
    from torch import distributed

    return distributed.is_initialized()


def rank() -> int:
    """The number of this process."""
    from torch import distributed

    _require()
    return distributed.get_rank()


def size() -> int:
    """How many processes there are."""
    from torch import distributed

    _require()
    return distributed.get_world_size()


def local_rank() -> int:
    """The number of this process on its node."""
    return _number("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", default=0)


def local_size() -> int:
    """How many processes this node has."""
    return _number("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", default=1)


def cross_rank() -> int:
    """The number of this node."""
    return rank() // local_size()


def cross_size() -> int:
    """How many nodes there are."""
    return -(-size() // local_size())


def is_homogeneous() -> bool:
    """True where every node has as many processes: here they always do."""
    return True


def nccl_built() -> bool:
    """True where GPUs talk to each other."""
    import torch

    return torch.cuda.is_available() and torch.distributed.is_nccl_available()


def gloo_built() -> bool:
    """True: torch comes with it."""
    return True


def mpi_built() -> bool:
    """False: it starts processes where it is chosen, and carries no tensors."""
    return False


gloo_enabled, cuda_built = gloo_built, nccl_built
mpi_enabled = mpi_threads_supported = rocm_built = mpi_built


def _require() -> None:
    if not is_initialized():
        raise ValueError("Horovod has not been initialized; use hvd.init().")


def _number(*names: str, default: int) -> int:
    return int(next((os.environ[name] for name in names if name in os.environ), default))
