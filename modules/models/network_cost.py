"""Cost of a network, measured on torch's ``meta`` device, which computes only shapes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from modules.models.build import shape_network
from modules.models.recipe import Recipe, checked_recipe
from modules.models.structure import freeze, set_training_mode

if TYPE_CHECKING:
    import torch

_BATCH = 2
"""Batch norm cannot train on a batch of one."""


class ModelCost(NamedTuple):
    """The size of a network and the work of one image."""

    num_parameters: int
    num_trainable: int
    flops_per_image: float
    """Operations of one forward pass; a multiplication and an addition count as two."""
    activation_bytes_per_image: int
    """Memory (fp32) that a training step needs per image for the backward pass."""


def num_parameters_and_flops(
    recipe: Recipe | Mapping[str, Any], num_classes: int, height: int, width: int
) -> ModelCost:
    """Return the cost of the network for images of this size, cached in this process.

    The network must support the image size (``build.check_image_size``).
    """
    recipe = recipe if isinstance(recipe, Recipe) else checked_recipe(recipe)
    return _measured(json.dumps(recipe.to_json(), sort_keys=True), num_classes, height, width)


@lru_cache(maxsize=128)
def _measured(recipe_json: str, num_classes: int, height: int, width: int) -> ModelCost:
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    recipe = Recipe.model_validate_json(recipe_json)
    model = shape_network(recipe, num_classes)
    freeze(model, recipe)
    set_training_mode(model, recipe)
    kept = _KeptTensors([*model.parameters(), *model.buffers()])
    counter = FlopCounterMode(display=False)
    hooks = torch.autograd.graph.saved_tensors_hooks(kept.keep, lambda tensor: tensor)
    with torch.device("meta"), counter, hooks:
        model(torch.empty(_BATCH, 3, height, width))
    return ModelCost(
        sum(parameter.numel() for parameter in model.parameters()),
        sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad),
        counter.get_total_flops() / _BATCH,
        kept.num_bytes // _BATCH,
    )


class _KeptTensors:
    """Counter of the tensors that autograd saves for the backward pass, without weights."""

    def __init__(self, weights: Iterable[torch.Tensor]) -> None:
        # Storages are referenced, so that no identity is reused in the meantime.
        self._storages = {weight.untyped_storage()._cdata: weight for weight in weights}
        self.num_bytes = 0

    def keep(self, tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in self._storages:
            self._storages[storage._cdata] = tensor
            self.num_bytes += storage.nbytes()
        return tensor
