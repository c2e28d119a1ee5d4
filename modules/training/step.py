"""One step of training, and the sums for losses and errors.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import nn

    from modules.training.session import Session


def class_weights(session: Session) -> torch.Tensor | None:
    """Return one weight per class, N / (K x images of the class), if requested; else None."""
    import torch

    if session.settings.class_weights == "none":
        return None
    counts_K = torch.bincount(session.data.training.labels, minlength=len(session.data.classes))
    weights_K = len(session.data.training) / (
        len(session.data.classes) * counts_K.clamp(min=1).float()
    )
    return weights_K * (counts_K > 0)


def training_loss(session: Session) -> nn.Module:
    """Return cross entropy with the class weights and label smoothing of the settings."""
    from torch import nn

    return nn.CrossEntropyLoss(
        weight=class_weights(session), label_smoothing=session.settings.label_smoothing
    )
