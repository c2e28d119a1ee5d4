"""Explanation of how often the frozen layers of a training run, for forecasts and logs."""

from __future__ import annotations

from modules.sentences import training as say
from modules.sentences.sentence import Statement
from modules.transforms.operations import RANDOM, Operations


def features_note(operations: Operations) -> Statement:
    """Return whether features are stored, for the operations on the training images."""
    names = [str(operation["operation"]) for operation in operations]
    random = [name.replace("_", " ") for name in names if name in RANDOM]
    if random:
        return say.FEATURES_RECOMPUTED.about({"operations": random})
    return say.FEATURES_STORED.about({})


def views_note(num_images: int, num_views: int) -> Statement:
    """Return how many features of views are stored besides those of the images."""
    return say.FEATURES_OF_VIEWS.about({"images": num_images, "features": num_images * num_views})
