"""Program that chooses the fastest runtime for the single pictures of a model, and keeps it.

An endpoint starts it as another process: exporting takes 4 to 8 s and holds Python's lock.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.files.disk import scratch_folder
from modules.files.locks import locked
from modules.operating_system.limits import be_nice
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from modules.scoring.backend_selection import TOLERANCES, largest_difference
from modules.scoring.backends import Runtime, TorchRuntime, installed_runtimes, open_for_requests
from modules.scoring.guarded_runtime import prepared_pictures
from modules.scoring.kept_runtimes import MOST_DISTURBED, TORCH, KeptRuntime, RuntimeCache
from modules.scoring.runtime_rates import compared_rates
from modules.sentences import scoring as say
from modules.sentences.sentence import Statement, said_by

if TYPE_CHECKING:
    import torch

    from modules.scoring.picture_scoring import PictureScorer

logger = logging.getLogger(__name__)

NOT_STORED = 3
"""Exit code if the choice cannot be stored; its reason is in the output."""
NICENESS = 10
"""Added to that of the endpoint: next to two busy threads it has a tenth of their time."""
NUM_IMAGES = (1, 4)
"""Batches that are measured: a lone request, and a few that came together."""
COMPARED = (1, 3, 4)
"""Batches that are compared with torch, one of which is not measured."""
LEAST_GAIN, LEAST_OF_ONE = 1.05, 0.95
"""Minimum speedup over torch: the geometric mean of the batches, and for each of them."""
LARGEST_WEIGHTS_BYTES = 1_000_000_000
"""The export needs several times this memory, next to the endpoint."""


def main() -> None:
    """Choose a runtime for a model and keep it; the exit code says if that was possible."""
    folder, cache_dir, key, threads, num_disturbed, parent = sys.argv[1:]
    die_with_parent(int(parent))
    ignore_interrupts()
    be_nice(NICENESS)
    logging.basicConfig(level=logging.WARNING)
    try:
        cache = RuntimeCache(Path(cache_dir), key)
        choose(TrainedModel(Path(folder)), cache, int(threads), int(num_disturbed))
    except OSError as error:
        logger.warning("The choice of a runtime cannot be stored: %s", error)
        sys.exit(NOT_STORED)


def choose(model: TrainedModel, cache: RuntimeCache, threads: int, num_disturbed: int = 0) -> None:
    """Choose the runtime of a model, unless another process has done so meanwhile.

    Args:
        model: Trained model.
        cache: Place of the choice.
        threads: CPU threads of the endpoint.
        num_disturbed: Number of disturbed comparisons that the caller knows; one more is made.

    Raises:
        OSError: The choice cannot be kept: a full disk, a folder that is gone.
    """
    num_bytes = model.weights_path.stat().st_size
    if not cache.has_room(num_bytes):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with locked(cache.lock_path):
        before = cache.find()
        if before is None or 0 < before.num_disturbed <= num_disturbed:
            with scratch_folder(cache.cache_dir) as scratch:
                chosen = _chosen(model, num_bytes, Context(scratch, threads=threads))
            if before is not None and chosen.num_disturbed:
                chosen = replace(chosen, num_disturbed=before.num_disturbed + 1)
            cache.keep(chosen)


def _chosen(model: TrainedModel, num_bytes: int, context: Context) -> KeptRuntime:
    if num_bytes > LARGEST_WEIGHTS_BYTES:
        return KeptRuntime(TORCH, reason=str(say.RUNTIME_TOO_LARGE.about({})))
    return _tried(model, context)


def _tried(model: TrainedModel, context: Context) -> KeptRuntime:
    """Export a model and return its fastest runtime that is as right as torch."""
    import torch

    from modules.export.network import load_network, onnx_network
    from modules.scoring.picture_scoring import open_picture_scorer

    with open_picture_scorer(model, context) as scorer, torch.inference_mode():
        try:
            with torch.inference_mode(mode=False):
                network = load_network(model)
                exported = onnx_network(model, network, scorer.size, batch=True)
                content: bytes = exported.SerializeToString()
        except Exception as error:  # own code, exporters and protobuf raise anything
            logger.warning("The model cannot be exported", exc_info=True)
            said = said_by(error, 300)
            reason = said.message if isinstance(said, Statement) else said
            may_pass = isinstance(error, MemoryError | OSError)  # other work takes the resources
            return KeptRuntime(TORCH, reason=reason, is_final=not may_pass)
        return _fastest(scorer, content)


def _fastest(scorer: PictureScorer, content: bytes) -> KeptRuntime:
    images_NCHW = prepared_pictures(scorer.scorer, scorer.size, max(NUM_IMAGES))
    runtimes, refused = _usable(
        scorer.scorer.torch_runtime, content, scorer.num_threads, images_NCHW
    )
    speeds = {num: compared_rates(runtimes, images_NCHW[:num]) for num in NUM_IMAGES}
    rates = {f"{num}": speed.images_per_second for num, speed in speeds.items()}
    gains = {name: _gain([s.gain(name, TORCH) for s in speeds.values()]) for name in runtimes}
    best = max(gains, key=gains.__getitem__)
    if gains[best] >= LEAST_GAIN:
        return KeptRuntime(best, content, rates=rates)
    if len(runtimes) > 1 and any(speed.is_disturbed for speed in speeds.values()):
        why = str(say.RUNTIME_TRIAL_DISTURBED.about({"most": MOST_DISTURBED - 1}))
        return KeptRuntime(TORCH, reason=why, rates=rates, is_final=False, num_disturbed=1)
    reason = str(say.RUNTIMES_REFUSED.about({"reasons": refused})) if refused else None
    return KeptRuntime(TORCH, reason=reason, rates=rates)


def _gain(gains: Sequence[float]) -> float:
    """Return the mean speedup; the smallest one if it is below ``LEAST_OF_ONE``."""
    return geometric_mean(gains) if min(gains) >= LEAST_OF_ONE else min(gains)


def _usable(
    torch_runtime: TorchRuntime, content: bytes, threads: int, images_NCHW: torch.Tensor
) -> tuple[dict[str, Runtime], list[str]]:
    """Return torch and the runtimes with its probabilities, and why others were refused."""
    expected_NK = torch_runtime(images_NCHW).softmax(dim=1)
    tolerance = TOLERANCES[torch_runtime.precision.name]
    runtimes: dict[str, Runtime] = {TORCH: torch_runtime}
    refused = []
    for name in installed_runtimes():
        try:
            runtime = open_for_requests(name, content, threads, torch_runtime.precision)
            differences = [
                largest_difference(runtime, images_NCHW[:num], expected_NK[:num])
                for num in COMPARED
            ]
        except Exception as error:  # runtimes fail in many ways on operators they do not know
            logger.warning("%s cannot be used", name, exc_info=True)
            refused.append(f"{name}: {said_by(error, 200)}")
            continue
        wrong = [difference for difference in differences if not difference <= tolerance]  # or NaN
        if wrong:
            refused.append(f"{name}: {say.RUNTIME_DIFFERS.about({'difference': wrong[0]})}")
        else:
            runtimes[name] = runtime
    return runtimes, refused


if __name__ == "__main__":
    main()
