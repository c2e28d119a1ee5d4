"""Optimizers: SGD with Nesterov momentum, AdamW, or Muon combined with AdamW."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import torch
    from torch import nn


class OptimizerSettings(Protocol):
    """The parameters of training that optimizers read."""

    @property
    def optimizer(self) -> str: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def weight_decay(self) -> float: ...
    @property
    def momentum(self) -> float: ...


@dataclass(frozen=True)
class _Twin:
    """A kernel, and a tensor with the same memory that is stepped in its place."""

    kernel: nn.Parameter
    order: tuple[int, ...]
    """The kernel's dimensions in memory order."""
    stepped: nn.Parameter

    @classmethod
    def of(cls, kernel: nn.Parameter, *, as_matrix: bool) -> _Twin:
        """Create the twin; with ``as_matrix`` of shape (out, the rest), else in memory order."""
        from torch import nn

        is_channels_last = kernel.ndim == 4 and not kernel.is_contiguous()
        order = (0, 2, 3, 1) if is_channels_last else tuple(range(kernel.ndim))
        view = kernel.detach().permute(order)
        return cls(kernel, order, nn.Parameter(view.flatten(1) if as_matrix else view))

    def as_stepped(self, tensor: torch.Tensor) -> torch.Tensor:
        """Reorder a tensor of the kernel's shape like the stepped tensor.

        Fused optimizers read memory in its order, also of gradients and momenta whose strides
        differ from the weights'.
        """
        return tensor.permute(self.order).reshape(self.stepped.shape).contiguous()

    def as_kernel(self, tensor: torch.Tensor) -> torch.Tensor:
        """Reorder it back to the kernel's shape, contiguous as well."""
        shape = [self.kernel.shape[axis] for axis in self.order]
        back = [self.order.index(axis) for axis in range(len(shape))]
        return tensor.reshape(shape).permute(back).contiguous()


class Optimizers:
    """One or two torch optimizers that step together with one learning rate."""

    def __init__(
        self, model: nn.Module, settings: OptimizerSettings, *, scaled: bool = False
    ) -> None:
        """Create the optimizers; ``scaled`` if steps will use the scaler of fp16 gradients."""
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self._twins: dict[nn.Parameter, _Twin] = {}
        """Twins by the tensor that is stepped."""
        if settings.optimizer == "muon":
            self._optimizers = self._muon(trained, settings)
        elif settings.optimizer == "adamw":
            self._optimizers = [_adamw(self._contiguous(trained), settings)]
        else:
            # The fused SGD adds the gradients of a step that the scaler skips to its momentum.
            self._optimizers = [_sgd(self._contiguous(trained), settings, fused=not scaled)]

    def set_rate(self, rate: float) -> None:
        """Use this learning rate from now on."""
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate

    def step(self, scaler: torch.amp.GradScaler | None = None) -> None:
        """Step the weights by their gradients and clear the gradients."""
        for twin in self._twins.values():
            gradient = twin.kernel.grad
            twin.stepped.grad = None if gradient is None else twin.as_stepped(gradient)
        for optimizer in self._optimizers:
            if scaler is None:
                optimizer.step()
            else:
                scaler.step(optimizer)
        if scaler is not None:
            scaler.update()
        for optimizer in self._optimizers:
            optimizer.zero_grad(set_to_none=True)
        for twin in self._twins.values():
            twin.kernel.grad = None

    def state_dict(self) -> list[dict[str, Any]]:
        """Return the optimizer state, in the shapes of the model's weights."""
        return [
            self._reshaped(optimizer, optimizer.state_dict(), _Twin.as_kernel)
            for optimizer in self._optimizers
        ]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        for optimizer, state in zip(self._optimizers, states, strict=True):
            optimizer.load_state_dict(self._reshaped(optimizer, state, _Twin.as_stepped))

    def _reshaped(
        self,
        optimizer: torch.optim.Optimizer,
        state: dict[str, Any],
        shaped: Callable[[_Twin, torch.Tensor], torch.Tensor],
    ) -> dict[str, Any]:
        """Return the state with its twins in another shape; step counts have no shape."""
        stepped = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        remembered = dict(state["state"])
        for index in remembered.keys() & range(len(stepped)):
            twin = self._twins.get(stepped[index])
            if twin is not None:
                remembered[index] = {
                    name: shaped(twin, value) if getattr(value, "ndim", 0) else value
                    for name, value in remembered[index].items()
                }
        return {**state, "state": remembered}

    def _contiguous(self, trained: list[nn.Parameter]) -> list[nn.Parameter]:
        """Return the same weights; those in channels-last as twins, which step twice as fast."""
        return [
            parameter if parameter.is_contiguous() else self._twin(parameter, as_matrix=False)
            for parameter in trained
        ]

    def _twin(self, kernel: nn.Parameter, *, as_matrix: bool) -> nn.Parameter:
        twin = _Twin.of(kernel, as_matrix=as_matrix)
        self._twins[twin.stepped] = twin
        return twin.stepped

    def _muon(
        self, trained: list[nn.Parameter], settings: OptimizerSettings
    ) -> list[torch.optim.Optimizer]:
        """Create Muon for every kernel as a matrix (K. Jordan, 2024), and AdamW for vectors."""
        import torch

        kernels = [parameter for parameter in trained if parameter.ndim >= 2]
        muon = torch.optim.Muon(
            [self._twin(kernel, as_matrix=True) for kernel in kernels],
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            momentum=settings.momentum,
            # Makes one rate suitable for both optimizers (Liu et al., arXiv:2502.16982, 2025).
            adjust_lr_fn="match_rms_adamw",
        )
        vectors = [parameter for parameter in trained if parameter.ndim < 2]
        return [muon, _adamw(vectors, settings)] if vectors else [muon]


def _sgd(
    trained: list[nn.Parameter], settings: OptimizerSettings, *, fused: bool
) -> torch.optim.Optimizer:
    import torch

    return torch.optim.SGD(
        _decay_groups(trained, settings.weight_decay),
        lr=settings.learning_rate,
        momentum=settings.momentum,
        nesterov=settings.momentum > 0,
        fused=fused,
    )


def _adamw(trained: list[nn.Parameter], settings: OptimizerSettings) -> torch.optim.Optimizer:
    import torch

    return torch.optim.AdamW(
        _decay_groups(trained, settings.weight_decay), lr=settings.learning_rate, fused=True
    )


def _decay_groups(parameters: Iterable[nn.Parameter], decay: float) -> list[dict[str, Any]]:
    """Apply weight decay to kernels only: it harms biases and normalisation layers."""
    listed = list(parameters)
    groups = [
        {
            "params": [parameter for parameter in listed if parameter.ndim >= 2],
            "weight_decay": decay,
        },
        {"params": [parameter for parameter in listed if parameter.ndim < 2], "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]
