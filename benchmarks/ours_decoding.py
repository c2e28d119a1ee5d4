"""This project's side of the decoding benchmark: the images that Train PyTorch Model reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.ours_images import image_directory
from benchmarks.peers.decoding import images_per_second, read_work, save_squares
from benchmarks.peers.telling import tell
from modules.artifacts import ImageDirectory
from modules.compute.distributed import process_group
from modules.context import Context
from modules.image_loading.datasets import open_images
from modules.image_loading.prefetch import read_batches
from modules.image_loading.samplers import ordered_batches
from modules.transforms.crop_boxes import random_boxes, random_numbers

SEED = 0
BATCH_SIZE, AHEAD = 32, 2
SCALE, RATIO = (0.08, 1.0), (3 / 4, 4 / 3)


def write_boxes(images: ImageDirectory, path: Path) -> None:
    """The part of each file that is drawn for it."""
    rows = images.images
    numbers_NT4 = random_numbers(SEED, range(len(rows)))
    boxes_N4 = random_boxes(rows[["height", "width"]].to_numpy(), numbers_NT4, SCALE, RATIO)
    path.write_text(json.dumps(dict(zip(rows["path"], boxes_N4.tolist(), strict=True))))


def main() -> None:
    """Read all squares again and again."""
    import numpy as np

    work = read_work()
    images = image_directory(work.images, work.pixels.with_suffix(".store"))
    write_boxes(images, work.boxes)
    crop = {
        "operation": "random_resized_crop",
        "size": work.size,
        "scale": SCALE,
        "ratio": RATIO,
    }
    context = Context(work.pixels.with_suffix(".staging"), threads=work.threads)
    with process_group(context) as group:
        opened = open_images(images, (), context, group, random_operations=[crop])
        drawn = opened.drawn(SEED)
        batches = ordered_batches(len(drawn), BATCH_SIZE)

        def read_all() -> list[Any]:
            return [pixels for _, pixels in read_batches(drawn, batches, ahead=AHEAD)]

        save_squares(work, list(images.images["path"]), [*np.concatenate(read_all())])
        tell({"rate": len(drawn) * images_per_second(read_all, work.seconds) / len(batches)})
        opened.close()


if __name__ == "__main__":
    main()
