"""Cache of the costs of networks in a file, so that forecasts rarely load torch.

An EfficientNet-Lite of which only the head is trained is computed. Another network is loaded if it
was never measured at this image size: its shapes follow from code of torchvision, which runs on the
``meta`` device.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from modules.errors import InvalidModelDirectoryError
from modules.files.json_files import read_if_valid, remember
from modules.models.build import check_image_size
from modules.models.efficientnet_lite import VARIANTS
from modules.models.efficientnet_lite_cost import head_cost
from modules.models.network_cost import ModelCost, num_parameters_and_flops
from modules.models.recipe import Recipe, checked_recipe
from modules.sentences import own_networks as say

_FORMAT = 1


def cost_of(
    recipe: Recipe | Mapping[str, Any],
    num_classes: int,
    height: int,
    width: int,
    cache_dir: Path | None,
) -> ModelCost:
    """Return the cost of the network for images of this size.

    Raises ``InvalidDatasetError`` (0018) if the network does not support this size, and 0159 for a
    user's own network, as forecasts must not run its code.
    """
    recipe = recipe if isinstance(recipe, Recipe) else checked_recipe(recipe)
    if recipe.is_own:
        raise InvalidModelDirectoryError(say.COST_UNKNOWN, network=recipe.shown_name)
    if recipe.freeze == "all but the head" and recipe.architecture in VARIANTS:
        check_image_size(recipe, height, width)
        return head_cost(recipe.architecture, num_classes, height, width)
    path = None
    if cache_dir is not None:
        path = cache_dir / "costs" / f"{_key(recipe, num_classes, height, width)}.json"
        known = _read(path)
        if known is not None:
            return known
    check_image_size(recipe, height, width)
    cost = num_parameters_and_flops(recipe, num_classes, height, width)
    if path is not None:
        remember(path, cost._asdict())
    return cost


def keep_cost(recipe: Recipe, num_classes: int, height: int, width: int, cache_dir: Path) -> None:
    """Measure the cost where torch is loaded, so that forecasts and reports need not load it."""
    # A finished training or scoring must not fail for the sake of a forecast.
    with suppress(Exception):
        cost_of(recipe, num_classes, height, width, cache_dir)


def _key(recipe: Recipe, num_classes: int, height: int, width: int) -> str:
    facts = [_FORMAT, recipe.to_json(), num_classes, height, width, _versions()]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


@lru_cache(maxsize=1)
def _versions() -> list[str]:
    return [importlib.metadata.version(name) for name in ("torch", "torchvision")]


def _read(path: Path) -> ModelCost | None:
    try:
        return ModelCost(**(read_if_valid(path) or {}))
    except TypeError:
        return None
