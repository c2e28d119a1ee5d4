"""A runtime chosen for single pictures: compared with torch when opened, replaced when it fails.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.image_loading.sizes import Size
from modules.scoring.backend_selection import TOLERANCES, largest_difference
from modules.scoring.backends import Runtime, TorchRuntime, open_for_requests
from modules.sentences import scoring as say
from modules.sentences.sentence import said_by

if TYPE_CHECKING:
    import torch

    from modules.scoring.inference import Scorer
    from modules.scoring.kept_runtimes import KeptRuntime
    from modules.sentences.sentence import Statement

logger = logging.getLogger(__name__)

NUM_COMPARED = 2
"""Pictures that are compared with torch when a runtime is opened."""


@dataclass
class GuardedRuntime:
    """Another runtime until it raises or returns no numbers, then torch."""

    torch_runtime: TorchRuntime
    other: Runtime | None
    failure: Statement | None = None
    """Reason why torch computes."""

    @property
    def name(self) -> str:
        other = self.other  # which the computing thread may remove meanwhile
        return self.torch_runtime.name if other is None else other.name

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        if self.other is None:
            return self.torch_runtime(images_NCHW)
        try:
            logits_NK = self.other(images_NCHW)
            if len(logits_NK) == len(images_NCHW) and bool(logits_NK.isfinite().all()):
                return logits_NK
            self.fail(str(say.RUNTIME_NOT_FINITE.about({})))
        except Exception as error:  # runtimes fail in many ways, and requests must not
            logger.warning("%s failed", self.other.name, exc_info=True)
            self.fail(str(said_by(error, 200)))
        return self.torch_runtime(images_NCHW)

    def fail(self, why: str) -> None:
        """Compute with torch from now on."""
        assert self.other is not None
        self.failure = say.RUNTIME_FAILED.about({"runtime": self.other.name, "why": why})
        logger.warning("%s", self.failure)
        self.other = None


def open_guarded(kept: KeptRuntime, scorer: Scorer) -> GuardedRuntime:
    """Open a kept runtime; any thread may do so."""
    assert kept.content is not None
    assert scorer.chooser is not None
    torch_runtime = scorer.torch_runtime
    precision, threads = torch_runtime.precision, scorer.chooser.threads
    runtime = open_for_requests(kept.name, kept.content, threads, precision)
    return GuardedRuntime(torch_runtime, runtime)


def require_equal(guarded: GuardedRuntime, scorer: Scorer, size: Size) -> None:
    """Go back to torch unless the probabilities of some pictures are those of torch."""
    import torch

    with torch.inference_mode():
        images_NCHW = prepared_pictures(scorer, size, NUM_COMPARED)
        expected_NK = scorer.torch_runtime(images_NCHW).softmax(dim=1)
        difference = largest_difference(guarded, images_NCHW, expected_NK)
    tolerance = TOLERANCES[scorer.torch_runtime.precision.name]
    if guarded.other is not None and not difference <= tolerance:
        guarded.fail(str(say.RUNTIME_DIFFERS.about({"difference": difference})))


def prepared_pictures(scorer: Scorer, size: Size, num: int) -> torch.Tensor:
    """Return soft random shapes as input of the network, the same ones every time."""
    import numpy as np
    import torch
    from PIL import Image

    random = np.random.default_rng(0)
    height, width = size
    pictures = [
        np.asarray(
            Image.fromarray(random.integers(0, 256, (5, 7, 3), dtype=np.uint8)).resize(
                (width, height), Image.Resampling.BICUBIC
            )
        )
        for _ in range(num)
    ]
    return scorer.preparation(np.stack(pictures), torch.Generator())
