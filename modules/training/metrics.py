"""Loss and errors of a pass, summed on the device.

Shape letters: N images of a batch, K classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from modules.training.session import Session


NUM_TOP = 5
"""Number of most probable classes that count as right for the second accuracy."""


class Sums:
    """Sums of loss, wrong and not-in-top-5 predictions and images, on the device.

    Reading them waits for the device, so they are read only every few iterations. A NaN stays in a
    sum: a loss that is not finite shows whenever it is read.
    """

    def __init__(self, device: torch.device) -> None:
        import torch

        # Doubles: whole numbers stay exact over any number of images.
        self._sums = torch.zeros(4, dtype=torch.float64, device=device)

    def add(self, loss: torch.Tensor, logits_NK: torch.Tensor, labels_N: torch.Tensor) -> None:
        """Count a batch whose mean loss is ``loss``."""
        num_top = min(NUM_TOP, logits_NK.shape[1])
        top_NT = logits_NK.topk(num_top).indices
        hits_NT = top_NT == labels_N[:, None]
        num = len(labels_N)
        self._sums[0] += loss.double() * num
        self._sums[1] += num - hits_NT[:, 0].sum()
        self._sums[2] += num - hits_NT.sum()
        self._sums[3] += num

    def read(self, session: Session, *, everywhere: bool = True) -> Averages:
        """Return the averages, over all processes or over this one alone."""
        sums = self._sums.clone()
        if everywhere:
            session.group.sum(sums)
        loss, wrong, wrong_top, num = sums.tolist()
        per_image = 1 / max(num, 1)
        return Averages(loss * per_image, wrong * per_image, wrong_top * per_image, int(num))


@dataclass(frozen=True)
class Averages:
    """Averages over ``num_images`` images."""

    loss: float
    error: float
    """Fraction of images whose most probable class is wrong."""
    error_top: float
    """Fraction whose class is not among the five (or all) most probable ones."""
    num_images: int

    @property
    def is_finite(self) -> bool:
        return math.isfinite(self.loss)
