"""The scoring that every peer does: JPEG files in, the probability of each class out.

A peer calls ``measure`` with a function that gets a network ready; pictures are decoded in two
threads, a batch ahead, as one who knows would do. Shape letters: N images, K classes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.telling import tell, versions_of

Run = Callable[[Any], Any]
"""From a tensor of images to a tensor of logits."""


@dataclass(frozen=True)
class Work:
    """Which files are scored with what."""

    images: Path
    model: Path
    scores: Path
    """Where the probabilities are written."""
    num_images: int
    batch_size: int
    size: int

    @property
    def files(self) -> list[Path]:
        """The first files of the folder, in order."""
        return sorted(self.images.rglob("*.jpg"))[: self.num_images]


def read_work() -> Work:
    """The work that the command line asks for."""
    parser = argparse.ArgumentParser()
    for name in ("images", "model", "scores"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("num-images", "batch-size", "size"):
        parser.add_argument(f"--{name}", type=int, required=True)
    return Work(**vars(parser.parse_args()))


def measure(prepare: Callable[[Any, Any], Run], package: str) -> None:
    """Score all files with what ``prepare`` makes of a network and its first batch."""
    import torch
    import torchvision  # noqa: F401 - its import is nobody's scoring

    work = read_work()
    torch.set_grad_enabled(False)
    started = time.perf_counter()
    network, marks, parts, run = _network(work), [], [], None
    for images_NCHW in _batches(work):
        run = run or prepare(network, images_NCHW)
        parts.append(run(images_NCHW).float().softmax(dim=1))
        marks.append((sum(map(len, parts)), time.perf_counter() - started))
    save_scores(work, torch.cat(parts).numpy())
    tell({"ready": marks[0][1], "rate": steady_rate(marks), "versions": versions_of(package)})


def steady_rate(marks: list[tuple[int, float]]) -> float:
    """Images/s of the second half, of marks (images done, seconds since the start)."""
    total = marks[-1][0]
    half = [mark for mark in marks if 2 * mark[0] >= total]
    (first, began), (last, ended) = half[0], half[-1]
    return (last - first) / max(ended - began, 1e-9)


def save_scores(work: Work, probabilities_NK: Any) -> None:
    """Keep the probabilities under the names of the files."""
    import numpy as np

    names = [str(file.relative_to(work.images)) for file in work.files]
    np.savez(work.scores, names=names, probabilities=probabilities_NK)


def _network(work: Work) -> Any:
    import torchvision
    from safetensors.torch import load_file

    facts = json.loads((work.model / "model.json").read_text())
    builder = torchvision.models.get_model_builder(facts["recipe"]["architecture"])
    network = builder(num_classes=len(facts["classes"]))
    network.load_state_dict(load_file(work.model / "model.safetensors"))
    return network.eval()


def _batches(work: Work) -> Iterator[Any]:
    """Normalised batches (N, C, H, W) in float32; the next one is decoded meanwhile."""
    import torch

    files = work.files
    starts = range(0, len(files), work.batch_size)
    with ThreadPoolExecutor(2) as pool:

        def read(start: int) -> list[Any]:
            chosen = files[start : start + work.batch_size]
            return [pool.submit(_pixels, file, work.size) for file in chosen]

        pending = read(0)
        for start in starts:
            following = read(start + work.batch_size)
            yield torch.stack([future.result() for future in pending])
            pending = following


def _pixels(file: Path, size: int) -> Any:
    """torchvision's stock way from a file to what a network takes."""
    from PIL import Image
    from torchvision.transforms import functional

    with Image.open(file) as image:
        picture = functional.resize(image.convert("RGB"), size * 8 // 7)
    tensor = functional.to_tensor(functional.center_crop(picture, size))
    return functional.normalize(tensor, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
