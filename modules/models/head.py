"""Check of the head in a weights file: it is kept only for the classes it was trained for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from modules.errors import examples
from modules.models.origin import WeightsOrigin
from modules.models.recipe import Recipe

if TYPE_CHECKING:
    import torch

    Weights = Mapping[str, torch.Tensor]

IMAGENET_CLASSES = 1000


def for_classes(
    weights: Weights,
    head: str,
    recipe: Recipe,
    classes: Sequence[str],
    warn: Callable[[str], None],
) -> Weights:
    """Return the weights with their head reordered for ``classes``, or without the head.

    ``head`` is the prefix of its tensor names. The head of torchvision's own weights is for
    ImageNet's classes and never used for the user's. A file without class names is trusted if the
    number matches, except for 1,000.
    """
    if recipe.weights_file is None:
        return _without(weights, head)
    known = WeightsOrigin.of(recipe.weights_file).classes
    if known is None:
        return _nameless(weights, head, classes, warn)
    if set(known) != set(classes):
        warn(
            f"The weights file is from a model for {examples(known)}, but this training is for "
            f"{examples(classes)}. Its head is not used, and a new head is trained. Nothing needs "
            "to be done if this is intended."
        )
        return _without(weights, head)
    order = [known.index(name) for name in classes]
    if order == sorted(order):
        return weights
    print("The head of the weights file is reordered to match these classes.", flush=True)
    return {
        name: tensor[order] if name.startswith(head) else tensor for name, tensor in weights.items()
    }


def _nameless(
    weights: Weights, head: str, classes: Sequence[str], warn: Callable[[str], None]
) -> Weights:
    num_outputs = next((len(weights[name]) for name in weights if name.startswith(head)), 0)
    if num_outputs != len(classes):
        return _without(weights, head)
    if num_outputs == IMAGENET_CLASSES:
        warn(
            "The weights file has a head for 1,000 unnamed classes, probably of ImageNet. It is "
            "not used, and a new head is trained. To continue with your own head, use the "
            "safetensors file of a model trained here."
        )
        return _without(weights, head)
    warn(
        f"The weights file has a head for {num_outputs:,} unnamed classes. It is used for "
        f"{examples(classes)} in this order. If the order may differ, use the safetensors file of "
        "a model trained here."
    )
    return weights


def _without(weights: Weights, head: str) -> Weights:
    return {name: tensor for name, tensor in weights.items() if not name.startswith(head)}
