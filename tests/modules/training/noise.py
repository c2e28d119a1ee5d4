"""Small image directories and models made on the spot."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from modules.artifacts import AttachedTransformation, ImageDirectory, UntrainedModel
from modules.models.recipe import Recipe

COLOURS = ((220, 40, 40), (40, 200, 60), (50, 60, 230), (220, 210, 40), (200, 50, 210), (9, 9, 9))
ROUNDING = 1e-3 if torch.cuda.is_available() else 1e-4
"""What the same fp32 numbers may differ by: a GPU multiplies them as tf32, the CPU ten times as
precisely."""


def noise_squares(
    folder: Path,
    classes: Sequence[str] = ("red", "green", "blue"),
    per_class: int = 8,
    *,
    size: tuple[int, int] = (32, 32),
    sizes: Sequence[tuple[int, int]] | None = None,
    seed: int = 0,
    labeled: bool = True,
    operations: Sequence[Mapping[str, Any]] | None = None,
    mode: str = "For inference",
) -> ImageDirectory:
    """Squares of coloured noise, one colour a class, in turn; ``sizes`` (W, H) go round."""
    chance = np.random.default_rng(seed)
    (folder / "images").mkdir(parents=True)
    rows = []
    for number in range(len(classes) * per_class):
        index = number % len(classes)
        width, height = sizes[number % len(sizes)] if sizes else size
        noise = chance.normal(0, 30, (height, width, 3))
        pixels = (noise + np.array(COLOURS[index % len(COLOURS)])).clip(0, 255).astype(np.uint8)
        name = f"{number:04d}.png"
        path = folder / "images" / name
        Image.fromarray(pixels).save(path)
        content = path.read_bytes()
        label = classes[index] if labeled else None
        digest = hashlib.sha256(content).hexdigest()
        rows.append([name, label, width, height, len(content), digest, ""])
    table = pd.DataFrame(rows, columns=list(ImageDirectory.COLUMNS))
    attached = AttachedTransformation(tuple(operations), mode) if operations is not None else None
    return ImageDirectory.write(folder, table, classes, attached)


def two_squares(folder: Path) -> tuple[ImageDirectory, ImageDirectory]:
    """Training and validation images below a folder, equal in every folder."""
    training = noise_squares(folder / "store/training/out", per_class=16)
    return training, noise_squares(folder / "store/validation/out", per_class=4, seed=9)


def untrained(folder: Path, architecture: str = "resnet18", **facts: Any) -> UntrainedModel:
    """A recipe from random weights."""
    folder.mkdir(parents=True)
    recipe = Recipe(family="Image Model", architecture=architecture, **facts)
    return UntrainedModel.write(folder, recipe.to_json())
