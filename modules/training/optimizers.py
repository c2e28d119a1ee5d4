"""What steps the weights: SGD with Nesterov momentum, AdamW, or Muon with AdamW beside it."""

from __future__ import annotations

from collections.abc import Iterable
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


class Optimizers:
    """One or two torch optimizers that step together with one learning rate."""

    def __init__(
        self, model: nn.Module, settings: OptimizerSettings, *, scaled: bool = False
    ) -> None:
        """``scaled``: steps will be given the scaler of fp16 gradients."""
        trained = [each for each in model.parameters() if each.requires_grad]
        self._matrices: list[tuple[nn.Parameter, nn.Parameter]] = []
        if settings.optimizer == "muon":
            self._optimizers = self._muon(trained, settings)
        elif settings.optimizer == "adamw":
            self._optimizers = [_adamw(trained, settings)]
        else:
            # The fused SGD takes the gradients of a step that the scaler skips into its momentum.
            self._optimizers = [_sgd(trained, settings, fused=not scaled)]

    def set_rate(self, rate: float) -> None:
        """Use this learning rate from now on."""
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate

    def step(self, scaler: torch.amp.GradScaler | None = None) -> None:
        """Step the weights by their gradients and forget these."""
        for parameter, matrix in self._matrices:
            matrix.grad = None if parameter.grad is None else _as_matrix(parameter.grad)
        for optimizer in self._optimizers:
            if scaler is None:
                optimizer.step()
            else:
                scaler.step(optimizer)
        if scaler is not None:
            scaler.update()
        for optimizer in self._optimizers:
            optimizer.zero_grad(set_to_none=True)
        for parameter, matrix in self._matrices:
            parameter.grad = matrix.grad = None

    def state_dict(self) -> list[dict[str, Any]]:
        return [optimizer.state_dict() for optimizer in self._optimizers]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        for optimizer, state in zip(self._optimizers, states, strict=True):
            optimizer.load_state_dict(state)

    def _muon(
        self, trained: list[nn.Parameter], settings: OptimizerSettings
    ) -> list[torch.optim.Optimizer]:
        """Muon on every kernel as a matrix (K. Jordan, 2024), AdamW on vectors."""
        import torch
        from torch import nn

        kernels = [each for each in trained if each.ndim >= 2]
        self._matrices = [(each, nn.Parameter(_as_matrix(each.detach()))) for each in kernels]
        muon = torch.optim.Muon(
            [matrix for _, matrix in self._matrices],
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            momentum=settings.momentum,
            # Makes one rate right for both optimizers (Liu et al., arXiv:2502.16982, 2025).
            adjust_lr_fn="match_rms_adamw",
        )
        vectors = [each for each in trained if each.ndim < 2]
        return [muon, _adamw(vectors, settings)] if vectors else [muon]


def has_muon() -> bool:
    """True where this torch has the Muon optimizer."""
    import torch

    return hasattr(torch.optim, "Muon")


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
    """Weight decay for kernels only: it does harm to biases and normalisation layers."""
    listed = list(parameters)
    groups = [
        {"params": [each for each in listed if each.ndim >= 2], "weight_decay": decay},
        {"params": [each for each in listed if each.ndim < 2], "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]


def _as_matrix(kernel: torch.Tensor) -> torch.Tensor:
    """A kernel (out, in, height, width) as (out, the rest): a view, in either memory layout."""
    if kernel.ndim == 4 and not kernel.is_contiguous():
        kernel = kernel.permute(0, 2, 3, 1)
    return kernel.reshape(len(kernel), -1)
