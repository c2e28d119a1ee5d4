"""Optimizers that average gradients over the processes, and broadcast of initial states."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator

from .collectives import (
    Average,
    Handle,
    allreduce_async,
    broadcast_,
    broadcast_object,
    operation,
    synchronize,
)
from .compression import Compression

if TYPE_CHECKING:
    import torch


class _Averaging:
    """Mixin of an optimizer that is distributed.

    Gradients are reduced in ``step``, all at once: those of several backward passes are then one
    sum, as ``backward_passes_per_step`` requires.
    """

    param_groups: "list[dict[str, Any]]"
    _op: str
    _compression: Any
    _is_due: bool

    def synchronize(self) -> None:
        """Average the gradients now; ``step`` then does not repeat it."""
        begun = [(parameter, self._begin(parameter)) for parameter in self._trained()]
        for parameter, handle in begun:
            parameter.grad.copy_(synchronize(handle))
        self._is_due = False

    @contextmanager
    def skip_synchronize(self) -> "Iterator[None]":
        """Let ``step`` use gradients unchanged in this context."""
        self._is_due = False
        try:
            yield
        finally:
            self._is_due = True

    def step(self, closure: Any = None) -> Any:
        """Average the gradients, then step."""
        if self._is_due:
            self.synchronize()
        self._is_due = True
        return super().step(closure)  # type: ignore[misc]

    step.hooked = True  # type: ignore[attr-defined]  # torch then leaves hooks to the own class

    def _trained(self) -> "list[Any]":
        every = [parameter for group in self.param_groups for parameter in group["params"]]
        return [parameter for parameter in every if parameter.requires_grad]

    def _begin(self, parameter: Any) -> Handle:
        """Start a reduction; an unused gradient counts as zero, as others may have used theirs."""
        import torch

        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        elif parameter.grad.is_sparse:
            parameter.grad = parameter.grad.to_dense()
        return allreduce_async(parameter.grad, op=self._op, compression=self._compression)


def DistributedOptimizer(  # noqa: N802 -- Horovod's name
    optimizer: Any,
    named_parameters: Any = None,
    compression: Any = Compression.none,
    backward_passes_per_step: int = 1,
    op: str = Average,
    gradient_predivide_factor: float = 1.0,
    **_: Any,
) -> Any:
    """Return the same optimizer, which averages gradients over the processes before a step."""
    reduction, own = operation(op, None), type(optimizer)
    optimizer.__class__ = type(own.__name__, (_Averaging, own), {})
    # a scheduler that was created before has wrapped the old step
    optimizer.__dict__.pop("step", None)
    optimizer._op, optimizer._compression = reduction, compression
    optimizer._is_due = True
    return optimizer


def broadcast_parameters(params: Any, root_rank: int = 0, **_: Any) -> None:
    """Copy the parameters of one process to all: a ``state_dict()`` or ``named_parameters()``."""
    import torch

    pairs = params.items() if hasattr(params, "items") else params
    for _name, tensor in sorted(pairs, key=lambda pair: str(pair[0])):
        if torch.is_tensor(tensor):
            broadcast_(tensor.data, root_rank)


def broadcast_optimizer_state(
    optimizer: "torch.optim.Optimizer", root_rank: int = 0, **_: Any
) -> None:
    """Copy the optimizer state of one process to all."""
    optimizer.load_state_dict(broadcast_object(optimizer.state_dict(), root_rank))
