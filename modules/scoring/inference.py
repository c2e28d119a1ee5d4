"""Inference of a trained model; each process computes its share.

Shape letters: N images, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modules.compute.distributed import ProcessGroup
from modules.compute.throughput import Speed
from modules.compute.timing import COMMUNICATING, WAITING, Stopwatch
from modules.image_loading.datasets import ImageSource
from modules.image_loading.prefetch import read_batches
from modules.scoring.backend_selection import BackendChoice, BackendSelector, rate_of
from modules.scoring.backends import PACKAGES, TorchRuntime
from modules.scoring.kept_scores import KeptScores, remaining_batches

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

    Floats = npt.NDArray[np.float32]
    Pixels = npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]

PIXELS_PER_BATCH = {"cpu": 32 * 224 * 224, "cuda": 512 * 224 * 224}
"""Pixels per batch. Larger batches are not faster; on a CPU they exceed its caches."""
SMALLEST_BATCH, LARGEST_BATCH = 8, 1024
UNKNOWN = -1
PROGRESS_SECONDS = 0.2
CHOOSE_AFTER_BATCHES = 3
"""Batches that torch scores before another runtime is considered; the first one is slow."""
LIMIT_SHARE, LIMIT_SECONDS = 0.05, 0.3
"""Maximum share of the scoring time for measuring the limit, or seconds of a short scoring."""


@dataclass
class Scorer:
    """A model in inference mode with the preparation of its images."""

    torch_runtime: TorchRuntime
    preparation: Callable[[Any, torch.Generator], torch.Tensor]
    """Conversion of the images read to the input of the model."""
    group: ProcessGroup
    chooser: BackendSelector | None = None
    """Selector of the runtime; None: always torch."""
    watch: Stopwatch = field(default_factory=Stopwatch)

    def __post_init__(self) -> None:
        self.choice = BackendChoice(self.torch_runtime)
        self.speed: Speed | None = None
        self.num_scored = 0
        """Number of images whose scores were not kept by an earlier attempt."""
        self._fullest: tuple[torch.Tensor, float] | None = None

    def open(self, opening: Callable[[], ImageSource]) -> ImageSource:
        """Open the images with ``opening``; the clock of the scoring starts here."""
        self.watch.start()
        with self.watch.during(WAITING):
            return opening()

    def score(
        self, images: ImageSource, labels_N: Sequence[int], kept: KeptScores | None = None
    ) -> tuple[Floats, Floats] | None:
        """Return probabilities (N, K) and losses (N,) on the first process, else None.

        The images must have been opened here, so that decoding counts as waiting. Labels are
        indices into the classes; the loss of an ``UNKNOWN`` one is NaN. Images whose scores are
        ``kept`` are not scored again.
        """
        import numpy as np

        share = self._score_share(images, labels_N, kept)
        with self.watch.during(COMMUNICATING):
            shares = self.group.gather_to_first(share)
        self.watch.stop()
        self.speed = self._speed(self.num_scored)
        if not self.group.is_first:
            return None
        num_classes = shares[0][0].shape[1]
        probabilities_NK = np.empty((len(images), num_classes), np.float32)
        losses_N = np.empty(len(images), np.float32)
        for rank, (probabilities, losses) in enumerate(shares):
            probabilities_NK[rank :: self.group.world_size] = probabilities
            losses_N[rank :: self.group.world_size] = losses
        return probabilities_NK, losses_N

    def probabilities(self, pixels: Pixels) -> Floats:
        """Return the probabilities (N, K) of one batch of images that the caller has read."""
        return self._score_batch(pixels, [UNKNOWN] * len(pixels), keep=len(pixels))[0]

    def batch_size(self, size: tuple[int, int]) -> int:
        """Return the number of images of a height and width that are scored at once."""
        return _batch_size_for(size, self.group.device.type)

    def _score_share(
        self, images: ImageSource, labels_N: Sequence[int], kept: KeptScores | None = None
    ) -> tuple[Floats, Floats]:
        import numpy as np
        import torch

        batch_size = _batch_size(images, self.group.device.type)
        earlier = kept.load() if kept is not None else None
        num_done = 0 if earlier is None else len(earlier[0])
        batches = remaining_batches(len(images), batch_size, num_done, self.group)
        self.num_scored = max(1, len(images) - num_done * self.group.world_size)
        # One image even if the share is empty, so that every process knows the classes.
        parts = [self._score_batch(images.read([0]), [UNKNOWN], keep=0)] if not batches else []
        parts += [] if earlier is None else [earlier]
        started, reported = time.monotonic(), 0.0
        done = num_done * self.group.world_size
        # Every process reaches this point, even if one has one image more.
        num_common = -(-(len(images) // self.group.world_size - num_done) // batch_size)
        with torch.inference_mode():
            read = read_batches(images, batches, ahead=not images.is_decoded)
            for number, (indices, pixels) in enumerate(self.watch.waits(read), start=1):
                labels = [labels_N[index] for index in indices]
                parts.append(self._score_batch(pixels, labels, keep=len(indices)))
                if kept is not None:
                    kept.add(*parts[-1])
                done += len(indices) * self.group.world_size
                if time.monotonic() - reported > PROGRESS_SECONDS:
                    reported = time.monotonic()
                    scored_here = done - num_done * self.group.world_size
                    self._tell(min(done, len(images)), len(images), scored_here, reported - started)
                if number == 1:
                    warm = time.monotonic()
                elif number == CHOOSE_AFTER_BATCHES <= num_common:
                    seconds = (time.monotonic() - warm) / (number - 1)
                    self._choose(pixels, seconds * (len(batches) - number))
        return np.concatenate([p for p, _ in parts]), np.concatenate([loss for _, loss in parts])

    def _choose(self, pixels: Pixels, seconds_left: float) -> None:
        """Continue with the runtime that is the fastest on the first process."""
        if self.chooser is None:
            return
        images_NCHW = self._prepared(pixels)
        if self.group.is_first:
            self.choice = self.chooser.choose(self.torch_runtime, images_NCHW, seconds_left)
        with self.watch.during(COMMUNICATING):
            name = self.group.from_first(self.choice.runtime.name)
        if name != self.choice.runtime.name:
            self.choice = self.chooser.follow(name, self.torch_runtime, images_NCHW)
        if self.choice.runtime is not self.torch_runtime:
            self.group.threads.fix()  # other runtimes keep their initial number of threads
        if self.choice.rates or self.choice.refused:
            print(self.choice, flush=True)

    def _speed(self, num_images: int) -> Speed:
        """Return the speed, and that of the model alone on images in memory."""
        import torch

        seconds = self.watch.total_seconds
        limit, budget = None, max(LIMIT_SECONDS, LIMIT_SHARE * seconds)
        if self._fullest is not None and self._fullest[1] <= budget:
            with torch.inference_mode():
                rate = rate_of(self.choice.runtime, self._fullest[0], budget)
            limit = rate * self.group.world_size
        return Speed(num_images / max(seconds, 1e-9), self.watch.shares(), limit)

    def _prepared(self, pixels: Pixels) -> torch.Tensor:
        import torch

        with self.watch.during(WAITING):
            return self.preparation(pixels, torch.Generator())

    def _score_batch(
        self,
        pixels: Pixels,
        labels: list[int],
        keep: int,
    ) -> tuple[Floats, Floats]:
        import torch

        with torch.inference_mode():
            images_NCHW = self._prepared(pixels)
            began = time.perf_counter()
            with self._thread_step(len(images_NCHW)):
                logits_NK = self.choice.runtime(images_NCHW).double()
            logs_NK = logits_NK.log_softmax(dim=1)
            wanted_N = torch.tensor(labels, device=logs_NK.device)
            losses_N = -logs_NK.gather(1, wanted_N.clamp(min=0)[:, None])[:, 0]
            losses_N[wanted_N == UNKNOWN] = float("nan")
        probabilities = logs_NK.exp().float().cpu().numpy()
        if self._fullest is None or len(images_NCHW) >= len(self._fullest[0]):
            self._fullest = images_NCHW, time.perf_counter() - began
        return probabilities[:keep], losses_N.float().cpu().numpy()[:keep]

    def _thread_step(self, num_images: int) -> AbstractContextManager[None]:
        """Let torch's threads follow the load of the machine; other runtimes keep theirs."""
        if self.choice.runtime.name in PACKAGES:
            return nullcontext()
        return self.group.threads.step(num_images)

    def _tell(self, done: int, total: int, scored_here: int, seconds: float) -> None:
        if self.group.is_first:
            rate = scored_here / max(seconds, 1e-9)
            self.group.context.progress(
                done,
                total,
                "images",
                images_per_second=round(rate, 1),
                seconds_left=round((total - done) / max(rate, 1e-9), 1),
            )


def _batch_size(images: ImageSource, device_type: str) -> int:
    return _batch_size_for(images.size or (224, 224), device_type)


def _batch_size_for(size: tuple[int, int], device_type: str) -> int:
    height, width = size
    fitting = PIXELS_PER_BATCH.get(device_type, PIXELS_PER_BATCH["cpu"]) // (height * width)
    return max(SMALLEST_BATCH, min(LARGEST_BATCH, fitting))
