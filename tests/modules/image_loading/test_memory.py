"""How much memory a training's process keeps resident, whatever the number of images."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from modules.artifacts import AttachedTransformation, ImageDirectory
from modules.transforms.operations import Operations
from pipelines.workers.preloads import TORCH_ENVIRONMENT
from tests.modules.training.noise import untrained

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc of Linux"),
]

IMAGENET_TRAINING_IMAGES = 1_281_167
NUM_FILES = 50
NUM_ITERATIONS = 40
"""Of 32 images; what stays resident stays so after a few."""
PEAK = """
from pathlib import Path

def peak():
    # not getrusage: a child's begins with the size of the process that it was forked from
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024
"""
MEASURED = """
import sys
from pathlib import Path
import torch, torchvision, pandas
from modules.context import Context
from modules.image_loading.prefetch import read_batches
from modules.image_loading.samplers import training_batches
from modules.image_loading.datasets import open_images
from modules.artifacts import ImageDirectory
from modules.compute.distributed import ProcessGroup
from modules.training.fingerprints import dataset_fingerprint
from modules.training.data import LabeledImages
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.preprocessing import Preprocessing

folder = Path(sys.argv[1])
before = peak()
context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
group = ProcessGroup(context, torch.device("cpu"))
dataset = ImageDirectory(folder / "store/a/out")
dataset_fingerprint(dataset)
crop = {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]}
images = open_images(dataset, (), context, group, random_operations=(crop,))
normalisation = Normalisation((0.5,) * 3, (0.2,) * 3)
preparation = Preprocessing((), normalisation, group.device, channels_last=True)
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
TRAINED = """
import sys
from pathlib import Path
import torch, torchvision, pandas
from modules.context import Context
from modules.image_loading import normalisation
from modules.artifacts import ImageDirectory, UntrainedModel
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model

folder, num_iterations = Path(sys.argv[1]), int(sys.argv[2])
normalisation.MAX_MEASURED_PIXELS = 500 * 16**2  # a matter of seconds, not of memory
before, stop = peak(), folder / "stop"

def stop_and_keep(event):
    if event.get("unit") == "iterations" and event["done"] >= num_iterations:
        stop.touch()

context = Context(
    folder / "staging",
    checkpoint_dir=folder / "checkpoints",
    cache_dir=folder / "cache",
    stop_path=stop,
    threads=2,
    emit=stop_and_keep,
)
[model] = train_pytorch_model(
    UntrainedModel(folder / "recipe"),
    ImageDirectory(folder / "store/training/out"),
    ImageDirectory(folder / "store/validation/out"),
    TrainParameters(batch_size=32, precision="fp32"),
    context,
)
assert model.description["ended_early"], "it would take an hour"
assert len(model.history) == 1
print("resident", before, peak())
"""


TRAINING: Operations = (
    {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]},
)
VALIDATION: Operations = (
    {"operation": "resize", "size": 16},
    {"operation": "center_crop", "size": 16},
)


def simulated(
    folder: Path, num_images: int, operations: Operations = TRAINING, mode: str = "For training"
) -> ImageDirectory:
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
    attached = AttachedTransformation(tuple(operations), mode)
    return ImageDirectory.write(folder, table, [f"class {each}" for each in range(10)], attached)


@pytest.mark.full  # a measurement
def test_a_hundred_thousand_images_cost_little_memory(tmp_path: Path) -> None:
    simulated(tmp_path / "store/a/out", 100_000)
    before, after = mebibytes(PEAK + MEASURED, tmp_path)
    assert after - before < 150


@pytest.mark.full
def test_training_on_imagenet_keeps_a_process_under_a_gibibyte_and_a_half(tmp_path: Path) -> None:
    """With its validation, in the environment of a step's process, which keeps freed memory."""
    simulated(tmp_path / "store/training/out", IMAGENET_TRAINING_IMAGES)
    simulated(tmp_path / "store/validation/out", 500, VALIDATION, "For inference")
    untrained(tmp_path / "recipe", "shufflenet_v2_x0_5")
    before, after = mebibytes(PEAK + TRAINED, tmp_path, str(NUM_ITERATIONS))
    print(f"{before} MiB with torch loaded, at most {after} MiB while it trained")
    assert after < 1536


def mebibytes(program: str, folder: Path, *arguments: str) -> tuple[int, int]:
    """Resident memory of a fresh process with torch, and its peak in what it does then."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        env={**TORCH_ENVIRONMENT, **os.environ},
    )
    assert done.returncode == 0, done.stderr
    before, after = map(int, done.stdout.split()[-2:])
    return before, after
