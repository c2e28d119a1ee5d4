"""What the GPU benchmarks have in common: their work, small on a CPU, and who must be there."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks import pictures
from benchmarks.harness import BenchmarkError, Contender, Options, Sample
from benchmarks.machine import has_gpu
from benchmarks.peers.training import Work
from benchmarks.processes import run_ours
from benchmarks.training_contenders import Trainings

LIMIT = "the arithmetic alone"
TRAINING_TO_FORWARD = 3
"""A step costs about three forward passes: one forward, two backward."""


def gpu_work(options: Options, network: str, num_images: int) -> Work:
    """Photographs at 224 pixels in batches of 256; small: drawn pictures on whatever is there."""
    if not (options.small or has_gpu()):
        raise BenchmarkError("This benchmark needs a GPU. Run it on one, or with --small.")
    place = options.scratch / "pictures"
    if not place.exists():
        make = pictures.drawn if options.small else pictures.photos
        pictures.divided(make(place / "all", 20 if options.small else num_images), place)
    size, batch_size = (32, 4) if options.small else (224, 256)
    epochs, workers = (1, 0) if options.small else (2, os.cpu_count() or 1)
    return Work(place, options.scratch / network, network, size, batch_size, epochs, 0, workers)


def arithmetic(trainings: Trainings, column: str) -> Contender:
    """Images/s of training if multiplying matrices of bf16 were all there is to do."""

    def measure() -> Sample:
        from modules.models.cost_cache import cost_of
        from modules.models.recipe import Recipe

        work = trainings.work
        facts = run_ours("ours_limits", "--images", Path(work.train), "--seconds", "0.5")
        recipe = Recipe(family="", architecture=work.network)
        flops = cost_of(recipe, 10, work.size, work.size, None).flops_per_image
        return {column: facts["operations"] / (TRAINING_TO_FORWARD * flops)}

    return Contender(LIMIT, measure)
