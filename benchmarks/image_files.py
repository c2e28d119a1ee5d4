"""Many small image files, and the plain ways to go through them: reading, copying."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

NUM_CLASSES = 10
SIDE_PIXELS = 32


def write_images(folder: Path, num_images: int) -> None:
    """As many different JPEGs of noise, evenly in ten folders of classes."""
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(0)
    for label in range(NUM_CLASSES):
        (folder / f"class_{label}").mkdir(parents=True)
    for index in range(num_images):
        pixels_HWC = random.integers(0, 256, (SIDE_PIXELS, SIDE_PIXELS, 3), dtype=np.uint8)
        path = folder / f"class_{index % NUM_CLASSES}" / f"{index:06}.jpg"
        Image.fromarray(pixels_HWC).save(path, quality=75)


def read_images(folder: Path) -> tuple[int, float]:
    """How many files there are, and the seconds to read every byte of them once."""
    started = time.perf_counter()
    num_files = sum(bool(path.read_bytes()) for path in list_images(folder))
    return num_files, time.perf_counter() - started


def copy_split(folder: Path, target: Path, fraction: float) -> tuple[list[int], float]:
    """Files on each side, and the seconds to copy that fraction of each class and the rest."""
    started = time.perf_counter()
    counts = [0, 0]
    for source in sorted(folder.iterdir()):
        files = sorted(source.iterdir())
        num_first = round(len(files) * fraction)
        for side, chosen in enumerate((files[:num_first], files[num_first:])):
            counts[side] += _copy(chosen, target / str(side) / source.name)
    return counts, time.perf_counter() - started


def copy_all(folder: Path, target: Path) -> tuple[int, float]:
    """How many files were copied, and the seconds; transforming them would come on top."""
    started = time.perf_counter()
    sources = sorted(folder.iterdir())
    count = sum(_copy(sorted(source.iterdir()), target / source.name) for source in sources)
    return count, time.perf_counter() - started


def list_images(folder: Path) -> list[Path]:
    """The files of all classes, in order."""
    return [path for source in sorted(folder.iterdir()) for path in sorted(source.iterdir())]


def _copy(files: list[Path], target: Path) -> int:
    target.mkdir(parents=True)
    for file in files:
        shutil.copyfile(file, target / file.name)
    return len(files)
