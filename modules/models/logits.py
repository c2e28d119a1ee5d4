"""Output of a network: the logits, or an object that contains them.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import nn


def logits_of(network: nn.Module, images_NCHW: torch.Tensor) -> torch.Tensor:
    """Return the network's main output in float32, shape (N, K)."""
    outputs = network(images_NCHW)
    logits_NK: torch.Tensor = getattr(outputs, "logits", outputs)
    return logits_NK.float()
