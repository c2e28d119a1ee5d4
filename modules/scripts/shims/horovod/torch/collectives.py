"""Collective operations; every process must call the same ones in the same order."""

from typing import TYPE_CHECKING, Any, Callable, Sequence

from ..lacks import refuse
from .compression import Compression
from .processes import rank, size

if TYPE_CHECKING:
    import torch

Average, Sum, Adasum, Min, Max, Product = "average", "sum", "adasum", "min", "max", "product"


class Handle:
    """A pending reduction."""

    def __init__(self, work: Any, finish: "Callable[[], torch.Tensor]") -> None:
        self._work, self._finish = work, finish
        self._result: torch.Tensor | None = None

    def is_done(self) -> bool:
        return self._result is not None or bool(self._work.is_completed())

    def result(self) -> "torch.Tensor":
        """Wait for the reduced tensor and return it."""
        if self._result is None:
            self._work.wait()
            self._result = self._finish()
        return self._result


def allreduce_async(
    tensor: "torch.Tensor",
    average: "bool | None" = None,
    name: "str | None" = None,
    op: "str | None" = None,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    process_set: Any = None,
    compression: Any = Compression.none,
) -> Handle:
    """Start to reduce a tensor over the processes, by default to its average."""
    from torch import distributed

    op = operation(op, average)
    if process_set is not None:
        refuse("a process set")
    scaled = tensor * prescale_factor if prescale_factor != 1.0 else tensor
    sent, context = compression.compress(scaled)
    sent = sent.detach().clone()
    work = distributed.all_reduce(sent, _reduce_op(op), async_op=True)

    def finish() -> "torch.Tensor":
        result: torch.Tensor = compression.decompress(sent, context)
        factor = postscale_factor / (size() if op == Average else 1)
        return result if factor == 1.0 else (result * factor).to(tensor.dtype)

    return Handle(work, finish)


def allreduce_async_(tensor: "torch.Tensor", *args: Any, **kwargs: Any) -> Handle:
    """Do the same as ``allreduce_async``; the tensor becomes the result."""
    handle = allreduce_async(tensor, *args, **kwargs)
    reduced = handle._finish
    handle._finish = lambda: _assigned(tensor, reduced())
    return handle


def synchronize(handle: Handle) -> "torch.Tensor":
    """Wait for the result of a pending reduction."""
    return handle.result()


def poll(handle: Handle) -> bool:
    """Return True if the result is available."""
    return handle.is_done()


def allreduce(
    tensor: "torch.Tensor",
    average: "bool | None" = None,
    name: "str | None" = None,
    compression: Any = Compression.none,
    op: "str | None" = None,
    **kwargs: Any,
) -> "torch.Tensor":
    """Reduce a tensor over the processes, by default to its average."""
    return allreduce_async(tensor, average, name, op, compression=compression, **kwargs).result()


def allreduce_(tensor: "torch.Tensor", *args: Any, **kwargs: Any) -> "torch.Tensor":
    """Do the same as ``allreduce_async`` and wait; the tensor becomes the result."""
    return allreduce_async_(tensor, *args, **kwargs).result()


def grouped_allreduce(
    tensors: "Sequence[torch.Tensor]", *args: Any, **kwargs: Any
) -> "list[torch.Tensor]":
    """Reduce several tensors over the processes."""
    return [allreduce(tensor, *args, **kwargs) for tensor in tensors]


def allgather(
    tensor: "torch.Tensor", name: "str | None" = None, process_set: Any = None
) -> "torch.Tensor":
    """Concatenate the tensors of all processes; they may differ in length."""
    import torch
    from torch import distributed

    if process_set is not None:
        refuse("a process set")
    row = tensor if tensor.dim() else tensor.reshape(1)
    counts = allgather_object(row.shape[0])
    padded = row.new_zeros((max(counts), *row.shape[1:]))
    padded[: row.shape[0]] = row
    gathered = [torch.empty_like(padded) for _ in counts]
    distributed.all_gather(gathered, padded)
    return torch.cat([tensor[:count] for tensor, count in zip(gathered, counts)])


def allgather_object(obj: Any, name: "str | None" = None) -> "list[Any]":
    """Return the object of each process, by rank."""
    from torch import distributed

    gathered: list[Any] = [None] * size()
    distributed.all_gather_object(gathered, obj)
    return gathered


def broadcast_(
    tensor: "torch.Tensor", root_rank: int, name: "str | None" = None, process_set: Any = None
) -> "torch.Tensor":
    """Copy the tensor of one process into that of every other."""
    from torch import distributed

    if process_set is not None:
        refuse("a process set")
    sent = tensor.detach().contiguous()
    distributed.broadcast(sent, root_rank)
    return _assigned(tensor, sent)


def broadcast(
    tensor: "torch.Tensor", root_rank: int, name: "str | None" = None, process_set: Any = None
) -> "torch.Tensor":
    """Return the tensor of one process."""
    return broadcast_(tensor.detach().clone(), root_rank, name, process_set)


def broadcast_object(obj: Any = None, root_rank: int = 0, name: "str | None" = None) -> Any:
    """Return the object of one process."""
    from torch import distributed

    box = [obj if rank() == root_rank else None]
    distributed.broadcast_object_list(box, root_rank)
    return box[0]


def barrier(*_: Any, **__: Any) -> None:
    """Wait until every process is here."""
    from torch import distributed

    distributed.barrier()


def operation(op: "str | None", average: "bool | None") -> str:
    """Return the requested reduction; older scripts use ``average``."""
    if op == Adasum:
        refuse("Adasum")
    if op is None:
        return Sum if average is False else Average
    return op


def _reduce_op(op: str) -> Any:
    from torch.distributed import ReduceOp

    names = {Average: "SUM", Sum: "SUM", Min: "MIN", Max: "MAX", Product: "PRODUCT"}
    return getattr(ReduceOp, names[op])


def _assigned(tensor: "torch.Tensor", value: "torch.Tensor") -> "torch.Tensor":
    if value is not tensor:
        tensor.data.copy_(value)
    return tensor
