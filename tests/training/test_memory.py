"""How much memory a training's process keeps resident, whatever the number of images."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from modules.ports import AttachedTransformation, ImageDirectory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc of Linux")

IMAGENET_TRAINING_IMAGES = 1_281_167
NUM_FILES = 50
MEASURED = """
import sys
from pathlib import Path
import torch, torchvision, pandas
from modules.context import Context
from modules.images.batches import read_batches, training_batches
from modules.images.source import open_images
from modules.ports import ImageDirectory
from modules.training.distributed import Group
from modules.training.identity import dataset_fingerprint
from modules.training.session import LabeledImages
from modules.images.normalisation import Normalisation
from modules.images.preparation import Preparation

def peak():
    # not getrusage: a child's begins with the size of the process that it was forked from
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

folder = Path(sys.argv[1])
before = peak()
context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
group = Group(context, torch.device("cpu"))
dataset = ImageDirectory(folder / "store/a/out")
dataset_fingerprint(dataset)
crop = {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]}
images = open_images(dataset, (), context, group, random_operations=(crop,))
normalisation = Normalisation((0.5,) * 3, (0.2,) * 3)
preparation = Preparation((), normalisation, group.device, channels_last=True)
data = LabeledImages.of(dataset, images, dataset.classes, preparation)
batches = training_batches(len(images), 32, 2, seed=1, epoch=1)
generator = torch.Generator()
for number, (indices, pixels) in enumerate(read_batches(images.drawn(1), batches, ahead=True)):
    data.preparation(pixels, generator), data.labels[indices]
    if number == 60:
        break
images.close()
print(before, peak())
"""


def simulated(folder: Path, num_images: int) -> ImageDirectory:
    """A manifest of so many images, which share a few files."""
    (folder / "images").mkdir(parents=True)
    chance = np.random.default_rng(0)
    for number in range(NUM_FILES):
        pixels = chance.integers(0, 256, (40, 44 + number % 2, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "images" / f"{number:02}.jpg")
    which = np.arange(num_images) % NUM_FILES
    table = pd.DataFrame(
        {
            "path": [f"{each:02}.jpg" for each in which],
            "label": [f"class {each % 10}" for each in which],
            "width": 44 + which % 2,
            "height": 40,
            "num_bytes": 1500,
            "sha256": [f"{each:064x}" for each in range(num_images)],
            "source": "",
        }
    )
    operations = ({"operation": "random_resized_crop", "size": 16},)
    attached = AttachedTransformation(operations, "For training")
    return ImageDirectory.write(folder, table, [f"class {each}" for each in range(10)], attached)


def mebibytes(folder: Path, num_images: int) -> tuple[int, int]:
    """Resident memory of a fresh process with torch, and its peak while it reads batches."""
    simulated(folder / "store/a/out", num_images)
    arguments = [sys.executable, "-c", MEASURED, str(folder)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=280)
    before, after = map(int, done.stdout.split())
    return before, after


def test_a_hundred_thousand_images_cost_little_memory(tmp_path: Path) -> None:
    before, after = mebibytes(tmp_path, 100_000)
    assert after - before < 150


@pytest.mark.slow
def test_imagenet_keeps_a_process_under_a_gibibyte_and_a_half(tmp_path: Path) -> None:
    _, after = mebibytes(tmp_path, IMAGENET_TRAINING_IMAGES)
    assert after < 1536
