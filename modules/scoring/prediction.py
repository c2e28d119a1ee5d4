"""A trained model's probabilities for images, each process doing its share.

Shape letters: N images, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.images.batches import ordered_batches, read_batches
from modules.images.preparation import Preparation
from modules.images.source import Images
from modules.training.distributed import Group
from modules.training.precision import Precision
from modules.training.step import logits_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn

    Floats = npt.NDArray[np.float32]

PIXELS_PER_BATCH = {"cpu": 32 * 224 * 224, "cuda": 512 * 224 * 224}
"""Larger batches gain nothing more; on a CPU they fall out of its caches."""
SMALLEST_BATCH, LARGEST_BATCH = 8, 1024
UNKNOWN = -1
PROGRESS_SECONDS = 0.2


@dataclass(frozen=True)
class Scorer:
    """A model in inference mode and the way of its images."""

    model: nn.Module
    preparation: Preparation
    precision: Precision
    group: Group

    def score(self, images: Images, labels_N: Sequence[int]) -> tuple[Floats, Floats] | None:
        """Probabilities (N, K) and losses (N,) of all images on the first process, else None.

        Labels are places among the classes; the loss of an ``UNKNOWN`` one is NaN.
        """
        import numpy as np

        shares = self.group.gather_to_first(self._score_share(images, labels_N))
        if not self.group.is_first:
            return None
        num_classes = shares[0][0].shape[1]
        probabilities_NK = np.empty((len(images), num_classes), np.float32)
        losses_N = np.empty(len(images), np.float32)
        for rank, (probabilities, losses) in enumerate(shares):
            probabilities_NK[rank :: self.group.world_size] = probabilities
            losses_N[rank :: self.group.world_size] = losses
        return probabilities_NK, losses_N

    def _score_share(self, images: Images, labels_N: Sequence[int]) -> tuple[Floats, Floats]:
        import numpy as np
        import torch

        batch_size = _batch_size(images, self.group.device.type)
        batches = ordered_batches(len(images), batch_size, self.group.rank, self.group.world_size)
        # One image even where the share is empty, so that every process knows the classes.
        parts = [self._score_batch(images.read([0]), [UNKNOWN], keep=0)] if not batches else []
        started, told, done = time.monotonic(), 0.0, 0
        with torch.inference_mode():
            for indices, pixels in read_batches(images, batches, ahead=not images.is_decoded):
                labels = [labels_N[index] for index in indices]
                parts.append(self._score_batch(pixels, labels, keep=len(indices)))
                done += len(indices) * self.group.world_size
                if time.monotonic() - told > PROGRESS_SECONDS:
                    told = time.monotonic()
                    self._tell(min(done, len(images)), len(images), told - started)
        return np.concatenate([p for p, _ in parts]), np.concatenate([loss for _, loss in parts])

    def _score_batch(
        self,
        pixels: npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]],
        labels: list[int],
        keep: int,
    ) -> tuple[Floats, Floats]:
        import torch

        with torch.inference_mode():
            images_NCHW = self.preparation(pixels, torch.Generator())
            logits_NK = self._logits(images_NCHW).double()
            logs_NK = logits_NK.log_softmax(dim=1)
            wanted_N = torch.tensor(labels, device=logs_NK.device)
            losses_N = -logs_NK.gather(1, wanted_N.clamp(min=0)[:, None])[:, 0]
            losses_N[wanted_N == UNKNOWN] = float("nan")
        probabilities = logs_NK.exp().float().cpu().numpy()
        return probabilities[:keep], losses_N.float().cpu().numpy()[:keep]

    def _logits(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        """The logits of a batch, in halves where the whole does not fit into GPU memory."""
        import torch

        try:
            with self.precision.autocast():
                return logits_of(self.model, images_NCHW)
        except torch.OutOfMemoryError:
            if len(images_NCHW) == 1:
                raise
        torch.cuda.empty_cache()
        half = len(images_NCHW) // 2
        return torch.cat([self._logits(images_NCHW[:half]), self._logits(images_NCHW[half:])])

    def _tell(self, done: int, total: int, seconds: float) -> None:
        if self.group.is_first:
            rate = done / max(seconds, 1e-9)
            self.group.context.progress(
                done,
                total,
                "images",
                images_per_second=round(rate, 1),
                seconds_left=round((total - done) / max(rate, 1e-9), 1),
            )


def _batch_size(images: Images, device_type: str) -> int:
    height, width = images.size or (224, 224)
    fitting = PIXELS_PER_BATCH.get(device_type, PIXELS_PER_BATCH["cpu"]) // (height * width)
    return max(SMALLEST_BATCH, min(LARGEST_BATCH, fitting))
