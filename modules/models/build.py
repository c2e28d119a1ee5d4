"""Construction of a network from its recipe: seeded, with a head for its classes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.errors import InvalidDatasetError, InvalidModelDirectoryError
from modules.models.architectures import DESIGNER_MODELS
from modules.models.head import for_classes
from modules.models.included_weights import INCLUDED
from modules.models.origin import WeightsOrigin
from modules.models.own_network import build_own, check_takes, elsewhere
from modules.models.recipe import (
    TRANSFORM_INPUT,
    TRANSFORMING,
    Recipe,
    checked_recipe,
    unknown_architecture,
)
from modules.models.structure import freeze, head_name
from modules.models.tensor_names import AUXILIARY_HEADS, name_as
from modules.models.weight_copying import WeightMismatch, check_values, copy_weights
from modules.models.weights import (
    chosen_weights,
    read_stored,
    starting_weights,
    warn_of_unused,
)
from modules.sentences import models as say
from modules.sentences.sentence import Statement

if TYPE_CHECKING:
    import torch
    from torch import nn

    Weights = Mapping[str, torch.Tensor]

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)

LARGEST_TRIED_SIZE = 512


def build_model(
    recipe: Recipe | Mapping[str, Any],
    num_classes: int,
    *,
    weights_dir: Path | None,
    seed: int,
    classes: Sequence[str] | None = None,
    warn: Callable[[str], None] = print,
) -> nn.Module:
    """Build the network with a head of ``num_classes``, its frozen part untrainable.

    A head among the weights is kept if it is for these ``classes``, and reordered to match; without
    class names, if it has the same number. ``warn`` is called if it cannot be kept.

    Other parameters are drawn from ``seed``; torch's own generator is unchanged. Weights come from
    the folder ``weights_dir`` or are downloaded into it. Raises 0159, 0162, and 0008 for too many
    frozen stages.
    """
    recipe = recipe if isinstance(recipe, Recipe) else checked_recipe(recipe)
    stored = starting_weights(recipe, weights_dir)
    model = seeded_network(recipe, num_classes, seed)
    if stored is not None:
        weights = name_as(model.state_dict().keys(), stored).weights
        if classes is not None:
            weights = for_classes(weights, f"{head_name(model)}.", recipe, classes, warn)
        _start_from(model, recipe, weights, stored.keys())
    freeze(model, recipe)
    return model


def check_weights_file(recipe: Recipe, path: Path, warn: Callable[[Statement], None]) -> None:
    """Raise 0159 if the file is damaged or contains the weights of another network.

    ``warn`` receives the unused contents of the file.
    """
    WeightsOrigin.of(path)
    stored = read_stored(path, wanted=recipe.weights_set)
    model = shape_network(recipe, num_classes=1)
    named = name_as(model.state_dict().keys(), stored.tensors)
    _start_from(model, recipe, named.weights, stored.tensors.keys())
    check_values(model, named.weights, "weights_path")  # even with a head of another size
    warn_of_unused(stored, named, path.name, warn)


def seeded_network(recipe: Recipe, num_classes: int, seed: int) -> nn.Module:
    """Return the network with random weights drawn from ``seed``."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return bare_network(recipe, num_classes)


def bare_network(recipe: Recipe, num_classes: int) -> nn.Module:
    """Return the network from its builder, on the current device, which may be ``meta``."""
    if recipe.is_own:
        with elsewhere():
            return build_own(recipe, num_classes)
    arguments: dict[str, Any] = dict(recipe.arguments)
    if recipe.architecture in TRANSFORMING:
        arguments |= {
            "aux_logits": False,
            "init_weights": not recipe.starts_from_weights,
            TRANSFORM_INPUT: recipe.transforms_input,
        }
    try:
        model: nn.Module = _builder(recipe.architecture)(num_classes=num_classes, **arguments)
    except TypeError as error:
        raise InvalidModelDirectoryError(
            say.NOT_BUILT, architecture=recipe.architecture, error=error
        ) from error
    return model


def _builder(architecture: str) -> Callable[..., nn.Module]:
    if architecture in DESIGNER_MODELS:
        from modules.models import efficientnet_lite

        return partial(efficientnet_lite.efficientnet_lite, architecture)
    import torchvision

    try:
        builder: Callable[..., nn.Module] = torchvision.models.get_model_builder(architecture)
    except ValueError as error:
        raise unknown_architecture(architecture) from error
    return builder


def normalisation(
    recipe: Recipe | Mapping[str, Any],
) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Return mean and deviation, 0-1 per channel, that the starting weights were trained with.

    A weights file of the designer contains its own; any other is assumed to use ImageNet's, or that
    of the included weights of its architecture. None if the model starts from random weights: then
    those of the training images are used.
    """
    recipe = recipe if isinstance(recipe, Recipe) else checked_recipe(recipe)
    if not recipe.starts_from_weights:
        return None
    if recipe.weights_file is not None:
        own = WeightsOrigin.of(recipe.weights_file).normalisation
        if own is not None:
            return own.mean, own.std
    if recipe.architecture in INCLUDED:
        weights = INCLUDED[recipe.architecture]
        return weights.mean, weights.std
    if recipe.weights_file is not None:
        return IMAGENET_MEAN, IMAGENET_STD
    preset = chosen_weights(recipe.architecture).transforms()
    return tuple(preset.mean), tuple(preset.std)


def check_image_size(recipe: Recipe | Mapping[str, Any], height: int, width: int) -> None:
    """Raise ``InvalidDatasetError`` (0018) if the network does not support images of this size.

    For a user's own network, raise the error of its code, 0085.
    """
    recipe = recipe if isinstance(recipe, Recipe) else checked_recipe(recipe)
    if recipe.is_own:
        with elsewhere():
            check_takes(recipe, height, width)
        return
    if _takes(recipe.architecture, height, width):
        return
    smallest, is_only_size = _smallest_size(recipe.architecture)
    raise InvalidDatasetError(
        say.OTHER_IMAGE_SIZE if is_only_size else say.IMAGES_TOO_SMALL,
        architecture=recipe.architecture,
        size=smallest,
        width=width,
        height=height,
    )


def minimum_image_size(architecture: str) -> int:
    """Return the smallest supported edge in pixels; for a fixed size, that size."""
    return _smallest_size(architecture)[0]


@lru_cache(maxsize=64)
def _smallest_size(architecture: str) -> tuple[int, bool]:
    """Return the smallest square that passes through the network, and whether it is the only one.

    Found by trials on torch's ``meta`` device, which computes only shapes: networks that support
    more than one size support every larger one, so bisection finds it.
    """
    fixed = 224
    if not _takes(architecture, LARGEST_TRIED_SIZE, LARGEST_TRIED_SIZE):
        return fixed, True
    low, high = 0, LARGEST_TRIED_SIZE
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _takes(architecture, middle, middle) else (middle, high)
    return high, False


@lru_cache(maxsize=64)
def _takes(architecture: str, height: int, width: int) -> bool:
    if architecture in DESIGNER_MODELS:  # its padding suits every size
        return True
    import torch

    network = _meta_network(architecture)
    with torch.device("meta"), torch.no_grad():
        try:
            network(torch.empty(1, 3, height, width))
        except (RuntimeError, AssertionError, ValueError, IndexError, ZeroDivisionError):
            return False
    return True


@lru_cache(maxsize=4)
def _meta_network(architecture: str) -> nn.Module:
    return shape_network(Recipe(family="", architecture=architecture), 2).eval()


def shape_network(recipe: Recipe, num_classes: int) -> nn.Module:
    """Return the network on torch's ``meta`` device: with shapes but without numbers or memory.

    Only weights and statistics are created there: RegNet computes its widths with tensors that must
    have numbers.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    if recipe.is_own:  # a user's own network may compute while it is built
        return bare_network(recipe, num_classes).to("meta")

    class WeightsOnMeta(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if function in (torch.empty, torch.zeros, torch.ones) and not kwargs.get("device"):
                kwargs = {**kwargs, "device": "meta"}
            return function(*args, **kwargs)

    with WeightsOnMeta():
        return bare_network(recipe, num_classes).to("meta")


def _start_from(
    model: nn.Module, recipe: Recipe, weights: Weights, stored: Collection[str]
) -> None:
    """Copy the weights; a head of another size is not replaced, auxiliary heads are skipped."""
    own = model.state_dict()
    head = head_name(model) + "."
    usable = {
        name: tensor
        for name, tensor in weights.items()
        if not name.startswith(AUXILIARY_HEADS)
        and not (name.startswith(head) and name in own and own[name].shape != tensor.shape)
    }
    facts = {"architecture": recipe.architecture}
    refusal = WeightMismatch(say.WEIGHTS_DO_NOT_FIT, facts, "weights_path", stored)
    copy_weights(model, usable, refusal, {name for name in own if name.startswith(head)})
