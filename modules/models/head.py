"""Whether the head in a weights file may be kept: only for the classes that it was made for."""

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
    """The weights with their head in the order of ``classes``, or without a head for other ones.

    ``head`` is the beginning of its tensors' names. The head of torchvision's own weights is
    for ImageNet's classes, which are never taken for the user's. A file that does not name its
    classes is believed where it has as many, but not a thousand.
    """
    if recipe.weights_file is None:
        return _without(weights, head)
    known = WeightsOrigin.of(recipe.weights_file).classes
    if known is None:
        return _nameless(weights, head, classes, warn)
    if set(known) != set(classes):
        warn(
            f"The weights file is of a model for {examples(known)}, this training is for "
            f"{examples(classes)}: its head is left out, and a new one is learnt. Nothing to do "
            "if that is meant."
        )
        return _without(weights, head)
    order = [known.index(name) for name in classes]
    if order == sorted(order):
        return weights
    print("The head of the weights file is put in the order of these classes.", flush=True)
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
            "The weights file has a head for 1,000 classes that it does not name, as ImageNet's "
            "do: it is left out, and a new one is learnt. To go on from your own head, give the "
            "safetensors file of a model trained here."
        )
        return _without(weights, head)
    warn(
        f"The weights file has a head for {num_outputs:,} classes that it does not name. It is "
        f"kept, as if they were {examples(classes)} in this order. To be sure, give the "
        "safetensors file of a model trained here."
    )
    return weights


def _without(weights: Weights, head: str) -> Weights:
    return {name: tensor for name, tensor in weights.items() if not name.startswith(head)}
