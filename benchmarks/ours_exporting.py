"""A model that tells generated images apart, its exported files, and these images.

Shape letters: N images, H height, W width, C = 3 channels.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import Any

from benchmarks.peers.telling import tell
from modules.errors import ModelNotExportedError
from modules.export.exported_file import Export
from modules.export.formats import Format

MODEL, IMAGES, PIXELS = "model", "images", "pixels.npy"
"""Files in the folder, next to one for each format."""
FORMATS: tuple[Format, ...] = ("onnx", "onnx-int8")
SMALLEST_FIT = 64
"""Edge in pixels of the images that a network is fitted to, if it accepts that size."""


def main() -> None:
    """Write what the command line asks for; print sizes of files, and refused exports."""
    import numpy as np

    from modules.models.build import minimum_image_size
    from tests.modules.export.pictures import directory, lively_model, soft_picture

    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--size", type=int, required=True, help="edge of the images in pixels")
    parser.add_argument("--num-images", type=int, required=True)
    asked = parser.parse_args()
    folder: Path = asked.folder
    pictures = [soft_picture(asked.size, asked.size, seed) for seed in range(asked.num_images)]
    np.save(folder / PIXELS, np.stack([np.asarray(picture) for picture in pictures]))
    files = []
    for number, picture in enumerate(pictures):
        buffer = io.BytesIO()
        picture.save(buffer, "PNG")
        files.append((f"{number:05}.png", buffer.getvalue()))
    images = directory(folder / IMAGES, files)
    fit = max(SMALLEST_FIT, minimum_image_size(asked.architecture))
    size = {"height": asked.size, "width": asked.size}
    model = lively_model(folder / MODEL, asked.architecture, fit, (), input_size=size)
    facts: dict[str, Any] = {"images": str(images.path), "megabytes": {}, "refused": {}}
    for chosen in FORMATS:
        path = folder / chosen
        try:
            Export(model, asked.architecture, chosen, validation=images).write(path)
        except ModelNotExportedError as error:
            facts["refused"][chosen] = str(error)
            continue
        facts["megabytes"][chosen] = path.stat().st_size / 1e6
    tell(facts)


if __name__ == "__main__":
    main()
