"""Random operations of Init Image Transformation, which inference pipelines leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modules.spec import Module
from pipelines.document.parts import Node

RANDOM_SWITCHES = (
    *("color_jitter", "random_resized_crop", "random_crop", "random_horizontal_flip"),
    *("random_vertical_flip", "random_rotation", "random_affine", "random_grayscale"),
    *("random_perspective", "random_erasing", "rand_augment", "trivial_augment"),
)
RANDOM_AMOUNTS = ("mixup_alpha", "cutmix_alpha")


def random_operations(node: Node, module: Module) -> list[str]:
    """Return the parameters of a node that turn on a random operation."""
    values = {**_defaults(module), **node.parameters}
    return [name for name in (*RANDOM_SWITCHES, *RANDOM_AMOUNTS) if values.get(name)]


def without_operations(node: Node, module: Module, operations: Sequence[str]) -> Node:
    """Return the node with these operations turned off; only values that differ are written."""
    defaults, parameters = _defaults(module), dict(node.parameters)
    for name in operations:
        parameters[name] = False if name in RANDOM_SWITCHES else 0
        if defaults.get(name) == parameters[name]:
            del parameters[name]
    return node.model_copy(update={"parameters": parameters})


def _defaults(module: Module) -> Mapping[str, Any]:
    fields = module.parameters_type.model_fields
    return {name: info.default for name, info in fields.items()}
