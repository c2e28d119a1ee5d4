"""Pictures of odd sizes and modes, generated, and models with weights that answer differently."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from modules.artifacts import AnyDirectory, ImageDirectory, TrainedModel
from modules.context import Context
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.models.build import build_model
from modules.models.recipe import Recipe
from modules.models.serialization import save_trained

CLASSES = ["ant", "bee", "/m/01yrx", "dog", "eel"]
TINTS = ((220, 40, 40), (40, 200, 60), (50, 60, 230), (220, 210, 40), (9, 9, 9))
STEPS = 30
STEPS_OF = {"resnet18": 10}
"""Of a larger network that learns the colours sooner."""
SIZES = ((97, 61), (64, 65), (31, 200), (500, 375), (383, 257), (40, 33), (1, 3), (224, 224))
MODES = ("RGB", "L", "CMYK", "I;16", "P", "1", "RGBA", "turned")


def soft_picture(width: int, height: int, seed: int) -> Image.Image:
    """Soft shapes in the colour of a class, the remainder of the seed, with some noise."""
    chance = np.random.default_rng(seed)
    coarse = chance.integers(0, 256, (6, 9, 3), dtype=np.uint8)
    soft = Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)
    tinted = np.asarray(soft, np.float32) * 0.5 + 0.5 * np.array(TINTS[seed % len(TINTS)])
    noisy = tinted + chance.integers(-12, 13, (height, width, 3))
    return Image.fromarray(noisy.clip(0, 255).astype(np.uint8))


def soft_directory(folder: Path, count: int) -> ImageDirectory:
    """Soft pictures of three sizes with their classes, as PNG files."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for number in range(count):
        width, height = ((80, 64), (70, 90), (133, 147))[number % 3]
        path = folder / "images" / f"{number:04d}.png"
        soft_picture(width, height, number).save(path)
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        label = CLASSES[number % len(CLASSES)]
        rows.append([path.name, label, width, height, len(content), digest, ""])
    table = pd.DataFrame(rows, columns=list(ImageDirectory.COLUMNS))
    return ImageDirectory.write(folder, table, CLASSES)


def directory(folder: Path, files: list[tuple[str, bytes]]) -> ImageDirectory:
    """Convert files as the pipeline does."""
    source = folder / "files"
    source.mkdir(parents=True)
    for name, content in files:
        (source / name).write_bytes(content)
    named = AnyDirectory.write(Context(folder / "named").new_folder(), source)
    context = Context(folder / "store/converted")
    converted = convert_to_image_directory(named, ConvertParameters(), context)[0]
    assert isinstance(converted, ImageDirectory)
    return converted


def picture_files(count: int) -> Iterator[tuple[str, bytes]]:
    """Names and contents of files of all sizes and modes in turn."""
    for number in range(count):
        width, height = SIZES[number % len(SIZES)]
        mode = MODES[(number // len(SIZES) + number) % len(MODES)]
        image, suffix, options = _in_mode(soft_picture(width, height, number), mode)
        buffer = io.BytesIO()
        image.save(buffer, {".png": "PNG", ".jpg": "JPEG"}[suffix], **options)
        name = mode.replace(";", "")
        yield f"{number:04d}-{name}-{width}x{height}{suffix}", buffer.getvalue()


def _in_mode(image: Image.Image, mode: str) -> tuple[Image.Image, str, dict[str, Any]]:
    match mode:
        case "CMYK":
            return image.convert("CMYK"), ".jpg", {"quality": 92}
        case "I;16":
            grey = np.asarray(image.convert("L"), np.uint16) * 257
            return Image.fromarray(grey), ".png", {}
        case "turned":
            exif = Image.Exif()
            exif[0x0112] = 6
            return image, ".jpg", {"quality": 92, "exif": exif}
        case "RGBA":
            faded = image.convert("RGBA")
            faded.putalpha(image.convert("L"))
            return faded, ".png", {}
        case "P":
            return image.quantize(32), ".png", {}
    return image.convert(mode), ".png", {}


def lively_model(
    folder: Path,
    architecture: str = "resnet18",
    size: int = 64,
    operations: Sequence[dict[str, Any]] | None = None,
    **facts: Any,
) -> TrainedModel:
    """Return a network that was trained for a moment, so that it tells the classes apart."""
    folder.mkdir(parents=True, exist_ok=True)
    recipe, network = _trained(architecture, size)
    if operations is None:
        operations = [
            {"operation": "resize", "size": size + size // 8},
            {"operation": "center_crop", "size": size},
        ]
    description = {
        "recipe": recipe.to_json(),
        "classes": CLASSES,
        "inference_transformation": list(operations),
        "normalisation": {"mean": [0.48, 0.45, 0.41], "std": [0.23, 0.22, 0.23]},
        "input_size": {"height": size, "width": size},
        "precision": "fp32",
        "metrics": {"Top-1 validation accuracy": 0.5},
        "pipeline": {"name": "Pets | *bold*", "nodes": [{"source": "file:/home/me/secret/pets"}]},
        **facts,
    }
    return save_trained(folder, network, description, pd.DataFrame({"Valid loss": [1.0]}))


@lru_cache(maxsize=2)
def _trained(architecture: str, size: int) -> tuple[Recipe, torch.nn.Module]:
    """Return a network that the tests of a process share, and its recipe."""
    recipe = Recipe(family="Image Model", architecture=architecture)
    network = build_model(recipe, len(CLASSES), weights_dir=None, seed=5)
    _fit(network, size, STEPS_OF.get(architecture, STEPS))
    return recipe, network


def _fit(network: torch.nn.Module, size: int, num_steps: int) -> None:
    """Train on the colours of the classes: random weights would amplify the least difference."""
    pictures = [soft_picture(size, size, 900 + number) for number in range(8 * len(CLASSES))]
    batch = torch.from_numpy(np.stack([np.asarray(image) for image in pictures]))
    images_NCHW = (batch.permute(0, 3, 1, 2).float() / 255 - 0.45) / 0.23
    labels_N = torch.arange(len(pictures)) % len(CLASSES)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    network.train()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        for step in range(num_steps):
            half = slice(step % 2, None, 2)
            outputs = network(images_NCHW[half])
            loss = torch.nn.functional.cross_entropy(outputs, labels_N[half])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    _average_statistics(network, images_NCHW)


def _average_statistics(network: torch.nn.Module, images_NCHW: torch.Tensor) -> None:
    """Set the statistics of batch normalisation to those of the pictures."""
    network.eval()
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.momentum = None  # the mean of all batches
            part.reset_running_stats()
            part.train()
    with torch.no_grad():
        network(images_NCHW)
    network.eval()
