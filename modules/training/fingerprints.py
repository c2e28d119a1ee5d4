"""Hashes that identify a training and its data."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from modules.artifacts import ImageDirectory
from modules.image_loading.decoding import PIXELS_VERSION
from modules.models.origin import contents_of
from modules.models.recipe import Recipe
from modules.parameters import parameters_in_key
from modules.training.parameters import TrainParameters


def identity(
    recipe: Recipe,
    training: ImageDirectory,
    validation: ImageDirectory,
    settings: TrainParameters,
    world_size: int,
) -> str:
    """Return the identity of a training, so that it resumes only from its own checkpoints.

    A local weights file counts by its contents, as its path may hold other weights later.
    """
    facts: list[Any] = [PIXELS_VERSION, recipe.to_json(), parameters_in_key(settings), world_size]
    for dataset in (training, validation):
        attached = dataset.transformation
        facts += [dataset_fingerprint(dataset), attached.to_json() if attached else None]
    if recipe.weights_file is not None:
        facts.append(contents_of(recipe.weights_file))
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def dataset_fingerprint(dataset: ImageDirectory) -> str:
    """Return a hash of the images' bytes and labels in order, and of the classes."""
    rows = dataset.images
    digest = hashlib.sha256(json.dumps(dataset.classes).encode())
    for content, label in zip(rows["sha256"], rows["label"], strict=True):
        digest.update(f"{content} {label}\n".encode())
    return digest.hexdigest()
