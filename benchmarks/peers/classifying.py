"""Classification that every runtime of A9 does: one image at a time, from bytes to probabilities.

A script calls ``measure`` with a function that opens a model. Shape letters: N images, K classes,
H height, W width.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.peers.telling import tell, versions_of

Classify = Callable[[Any], Any]
"""From the bytes of one image (H, W, 3) to its probabilities (K,)."""
WARM_IMAGES = 3


def measure(open_model: Callable[[Path, tuple[int, int]], Classify], package: str) -> None:
    """Classify the images of the command line and print the median time of one.

    Args:
        open_model: Opens a model for images of this height and width.
        package: The package that computes.
    """
    import numpy as np

    parser = argparse.ArgumentParser()
    for name in ("model", "pixels", "answers"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True, help="start no image after this")
    asked = parser.parse_args()
    pixels_NHWC = np.load(asked.pixels)
    classify = open_model(asked.model, pixels_NHWC.shape[1:3])
    for image in pixels_NHWC[:WARM_IMAGES]:
        classify(image)
    answers, seconds = [], []
    began = time.perf_counter()
    for image in pixels_NHWC:
        started = time.perf_counter()
        answers.append(np.array(classify(image), np.float64))
        seconds.append(time.perf_counter() - started)
        if time.perf_counter() - began > asked.seconds:
            break
    np.save(asked.answers, np.stack(answers))
    milliseconds = 1000 * statistics.median(seconds)
    tell({"milliseconds": milliseconds, "versions": versions_of(package)})
