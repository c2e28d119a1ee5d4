"""Parameters, operations and memory foreseen without computing anything."""

from __future__ import annotations

import pytest
import torch
import torchvision

from modules.models.build import seeded_network
from modules.models.network_cost import num_parameters_and_flops
from modules.models.recipe import Recipe


@pytest.mark.parametrize("architecture", ["resnet18", "densenet121", "mobilenet_v3_small"])
def test_counts_are_those_torchvision_publishes(architecture: str) -> None:
    meta = torchvision.models.get_model_weights(architecture).DEFAULT.meta
    cost = num_parameters_and_flops(Recipe(family="", architecture=architecture), 1000, 224, 224)

    assert cost.num_parameters == meta["num_params"] == cost.num_trainable
    # It publishes multiply-adds, here a multiplication and an addition are two.
    assert cost.flops_per_image / 2e9 == pytest.approx(meta["_ops"], rel=0.03)


def test_memory_is_what_a_training_step_really_keeps() -> None:
    recipe = Recipe(family="", architecture="resnet18")
    model = seeded_network(recipe, 10, seed=0)
    weights = {each.untyped_storage().data_ptr() for each in model.state_dict().values()}
    kept: dict[int, torch.Tensor] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.untyped_storage().data_ptr() not in weights:
            kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model(torch.rand(8, 3, 64, 64))
    real = sum(each.untyped_storage().nbytes() for each in kept.values()) / 8
    foreseen = num_parameters_and_flops(recipe, 10, 64, 64).activation_bytes_per_image

    assert foreseen == pytest.approx(real, rel=0.05)


def test_a_frozen_network_has_less_to_train_and_to_keep() -> None:
    whole = num_parameters_and_flops(Recipe(family="", architecture="resnet18"), 10, 64, 64)
    frozen = num_parameters_and_flops(
        Recipe(family="", architecture="resnet18", freeze="all but the head"), 10, 64, 64
    )

    assert frozen.num_parameters == whole.num_parameters
    assert frozen.num_trainable == 10 * 512 + 10
    assert frozen.activation_bytes_per_image < whole.activation_bytes_per_image / 20


def test_memory_efficient_keeps_less() -> None:
    plain, efficient = (
        num_parameters_and_flops(
            Recipe(family="", architecture="densenet121", arguments={"memory_efficient": each}),
            10,
            64,
            64,
        ).activation_bytes_per_image
        for each in (False, True)
    )

    assert efficient < plain
