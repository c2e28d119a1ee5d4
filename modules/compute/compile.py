"""Compilation of a network for the one batch size that nearly all steps have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from torch import nn


def compiled_for_full_batches(network: nn.Module, batch_size: int) -> nn.Module:
    """Return the network, compiled at its first full batch; other batch sizes run uncompiled.

    Compiling again for the last batch of an epoch would take a minute on a GPU, and one compilation
    for all sizes is slower in every step.
    """
    import torch
    from torch import nn

    compiled = torch.compile(network, dynamic=False)

    class CompiledForFullBatches(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network  # so that its weights are found

        def forward(self, images_NCHW: torch.Tensor) -> Any:
            is_full = len(images_NCHW) == batch_size
            return (compiled if is_full else network)(images_NCHW)

    return CompiledForFullBatches()
