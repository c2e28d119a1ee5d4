"""The layers of a network: shapes, parameters and work, determined without computing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from modules.models.build import check_image_size, shape_network
from modules.models.network_cost import num_parameters_and_flops
from modules.models.own_network import CODE, module_name
from modules.models.recipe import Recipe, checked_recipe
from modules.models.structure import freeze
from modules.typed_code import told_by_place

if TYPE_CHECKING:
    import torch
    from torch import nn

BYTES_PER_NUMBER = 4
"""fp32."""
STATE_PER_WEIGHT = 2
"""Numbers that training stores for each trainable weight: its gradient and its momentum."""


class Layer(TypedDict):
    """One layer with its own weights or work."""

    name: str
    kind: str
    output_shape: list[int]
    """Shape without the batch."""
    num_parameters: int
    is_trained: bool
    flops: float
    """Operations per image; a multiplication and an addition count as two."""


class NetworkFacts(TypedDict):
    """A network's layers in the order of use, and its resource needs."""

    layers: list[Layer]
    num_parameters: int
    num_trainable: int
    flops_per_image: float
    weight_bytes: int
    training_bytes_per_image: int
    """Memory of a training step per image, for the backward pass."""
    training_bytes: int
    """Memory for weights, gradients and momentum, for any batch size."""


def network_facts(
    recipe: Mapping[str, Any], num_classes: int, height: int, width: int
) -> NetworkFacts:
    """Return the facts of a recipe's network for images of this size.

    Raises ``InvalidDatasetError`` if the network does not accept them, and 0085 if a user's own
    network cannot be traced without computing.
    """
    checked = checked_recipe(recipe)
    if checked.is_own:
        with told_by_place(str(checked.code), module_name(str(checked.code)), CODE):
            return _facts(checked, num_classes, height, width)
    return _facts(checked, num_classes, height, width)


def _facts(checked: Recipe, num_classes: int, height: int, width: int) -> NetworkFacts:
    check_image_size(checked, height, width)
    cost = num_parameters_and_flops(checked, num_classes, height, width)
    return NetworkFacts(
        layers=_layers(checked, num_classes, height, width),
        num_parameters=cost.num_parameters,
        num_trainable=cost.num_trainable,
        flops_per_image=cost.flops_per_image,
        weight_bytes=cost.num_parameters * BYTES_PER_NUMBER,
        training_bytes_per_image=cost.activation_bytes_per_image,
        training_bytes=BYTES_PER_NUMBER
        * (cost.num_parameters + STATE_PER_WEIGHT * cost.num_trainable),
    )


def _layers(recipe: Recipe, num_classes: int, height: int, width: int) -> list[Layer]:
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    model = shape_network(recipe, num_classes).eval()
    freeze(model, recipe)
    shapes: dict[str, list[int]] = {}
    leaves = {name: part for name, part in model.named_modules() if not list(part.children())}
    for name, part in leaves.items():
        part.register_forward_hook(_recorder(name, shapes))
    counter = FlopCounterMode(display=False)
    with torch.device("meta"), torch.no_grad(), counter:
        model(torch.empty(1, 3, height, width))
    work = counter.get_flop_counts()
    prefix = type(model).__name__
    return [
        Layer(
            name=name,
            kind=type(leaves[name]).__name__,
            output_shape=shape,
            num_parameters=sum(parameter.numel() for parameter in leaves[name].parameters()),
            is_trained=any(parameter.requires_grad for parameter in leaves[name].parameters()),
            flops=float(sum(work.get(f"{prefix}.{name}", {}).values())),
        )
        for name, shape in shapes.items()
    ]


def _recorder(name: str, shapes: dict[str, list[int]]) -> Any:
    def record(_layer: nn.Module, _inputs: object, output: object) -> None:
        tensor: torch.Tensor | None = output if hasattr(output, "shape") else None  # type: ignore[assignment]
        if tensor is not None:
            shapes[name] = [int(edge) for edge in tensor.shape[1:]]

    return record
