"""The parts of a network: its head, the stages before it, and the frozen ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from modules.errors import NotInRangeValueError
from modules.models.recipe import Recipe
from modules.sentences import models as say

if TYPE_CHECKING:
    import torch
    from torch import nn

CONTAINERS = ("features", "encoder", "layers", "blocks", "trunk_output")
"""Children whose own children are stages, by their names in torchvision."""


def head_name(model: nn.Module) -> str:
    """Return the dotted name of the layer that outputs the logits: the last one with weights."""
    from torch.nn import Conv2d, Linear

    names: list[str] = [
        name for name, part in model.named_modules() if isinstance(part, Linear | Conv2d)
    ]
    return names[-1]


def backbone_and_head(model: nn.Module) -> tuple[nn.Module, nn.Module] | None:
    """Return the network without its last child, and that child: ``head(backbone(x)) == model(x)``.

    Both share the weights of ``model``, which is unchanged. None for SqueezeNet, whose last child
    works on feature maps that the network flattens afterwards. Dropout before the last child
    (GoogLeNet, Inception) stays in the backbone.
    """
    from torch.nn import Conv2d, Identity

    if isinstance(model.get_submodule(head_name(model)), Conv2d):
        return None
    shared = [*model.parameters(), *model.buffers()]
    backbone = copy.deepcopy(model, {id(tensor): tensor for tensor in shared})
    last = _last_child(model)
    setattr(backbone, last, Identity())
    return backbone, model.get_submodule(last)


def stages(model: nn.Module) -> list[list[nn.Module]]:
    """Return the layers before the last child, split at changes of the image size or block type.

    The layers before the first block belong to the first stage. ResNet and DenseNet have four;
    networks without blocks (AlexNet, VGG) have one for each pooling layer.
    """
    parts = list(_parts(model, _last_child(model)))
    has_blocks = any(_is_block(part) for _, part in parts)
    stage_list: list[list[nn.Module]] = []
    current: list[nn.Module] = []
    for name, part in parts:
        if stage_list and name.startswith("transition"):
            stage_list[-1].append(part)
            continue
        current.append(part)
        if _is_block(part) if has_blocks else "Pool" in type(part).__name__:
            stage_list.append(current)
            current = []
    stage_list.append(current)
    return _without_idle_stages(stage_list)


def _without_idle_stages(stage_list: list[list[nn.Module]]) -> list[list[nn.Module]]:
    """Return the stages, with those without a block or own weights merged into the previous one."""
    joined = stage_list[:1]
    for stage in stage_list[1:]:
        is_rest = stage is stage_list[-1] or not any(
            True for part in stage for _ in part.parameters()
        )
        joined = [*joined[:-1], joined[-1] + stage] if is_rest else [*joined, stage]
    return joined


def freeze(model: nn.Module, recipe: Recipe) -> None:
    """Make the parameters that the recipe freezes untrainable.

    Raises ``NotInRangeValueError`` (0008) if it freezes more stages than there are.
    """
    if recipe.freeze == "all but the head":
        model.requires_grad_(False)
        model.get_submodule(head_name(model)).requires_grad_(True)
    for part in _frozen_stages(model, recipe):
        part.requires_grad_(False)
    if recipe.freeze == "first stages":
        # Position embeddings and class tokens belong to the first stage.
        for owner in (model, *_containers(model)):
            for parameter in owner.parameters(recurse=False):
                parameter.requires_grad_(False)


def set_training_mode(model: nn.Module, recipe: Recipe, *, frozen_batch_norm: bool = False) -> None:
    """Set training mode, except for frozen parts, whose statistics must not change.

    With ``frozen_batch_norm`` no statistics change; scales and biases are trained.
    """
    from torch.nn.modules.batchnorm import _BatchNorm

    model.train()
    if recipe.freeze == "all but the head":
        model.eval()
        model.get_submodule(_last_child(model)).train()
    for part in _frozen_stages(model, recipe):
        part.eval()
    if frozen_batch_norm:
        for part in model.modules():
            if isinstance(part, _BatchNorm):
                part.eval()


def start_at_zero(model: nn.Module, recipe: Recipe) -> None:
    """Set a new linear head to zero: random weights would disturb what few images can teach it.

    In fine-tuning, the large loss of a random head destroys pretrained weights in the first steps:
    with EfficientNet's own initialisation it is 24 instead of ln 10 for ten classes.

    A head that may come from a weights file is unchanged.
    """
    import torch
    from torch.nn import Linear

    head = model.get_submodule(head_name(model))
    if recipe.weights_file is None and isinstance(head, Linear):
        with torch.no_grad():
            for parameter in head.parameters():
                parameter.zero_()


def learned_part(model: nn.Module, recipe: Recipe) -> tuple[nn.Module, str]:
    """Return the part that training may change, and the prefix of its tensors in the model."""
    if recipe.freeze != "all but the head":
        return model, ""
    last = _last_child(model)
    return model.get_submodule(last), f"{last}."


def load_learned(model: nn.Module, recipe: Recipe, state: Mapping[str, torch.Tensor]) -> None:
    """Load the tensors of the learned part; those of a frozen backbone may be in it, too."""
    model.load_state_dict(state, strict=recipe.freeze != "all but the head")


def _frozen_stages(model: nn.Module, recipe: Recipe) -> Iterator[nn.Module]:
    if recipe.freeze != "first stages":
        return
    all_stages = stages(model)
    if recipe.frozen_stages > len(all_stages):
        raise NotInRangeValueError(
            say.TOO_FEW_STAGES,
            network=recipe.architecture,
            stages=len(all_stages),
            frozen=recipe.frozen_stages,
            parameter="frozen_stages",
            remedy={"set": {"frozen_stages": len(all_stages)}},
        )
    for stage in all_stages[: recipe.frozen_stages]:
        yield from stage


def _last_child(model: nn.Module) -> str:
    return head_name(model).partition(".")[0]


def _is_block(part: nn.Module) -> bool:
    return any(True for _ in part.children())


def _containers(model: nn.Module) -> list[nn.Module]:
    containers = []
    for name, part in model.named_children():
        if name in CONTAINERS and _is_block(part):
            containers += [part, *_containers(part)]
    return containers


def _parts(model: nn.Module, last: str) -> Iterator[tuple[str, nn.Module]]:
    for name, part in model.named_children():
        if name == last:
            continue
        if name in CONTAINERS and _is_block(part):
            yield from _parts(part, last)
        else:
            yield name, part
