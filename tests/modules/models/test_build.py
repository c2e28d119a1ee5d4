"""Networks from recipes: seeded, with the right head, frozen where asked for, sizes checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from modules.errors import InvalidDatasetError, InvalidModelDirectoryError, NotInRangeValueError
from modules.models.build import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    build_model,
    check_image_size,
    minimum_image_size,
    normalisation,
)
from modules.models.recipe import Recipe
from modules.models.structure import backbone_and_head, freeze, set_training_mode


def recipe(architecture: str = "resnet18", **settings: Any) -> Recipe:
    return Recipe(family="test", architecture=architecture, **settings)


def build(settings: Recipe, num_classes: int = 3, seed: int = 0) -> nn.Module:
    return build_model(settings, num_classes, weights_dir=None, seed=seed)


def weights_of(model: nn.Module) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def some_images(size: int = 32) -> torch.Tensor:
    return torch.rand(2, 3, size, size, generator=torch.Generator().manual_seed(0))


def test_the_seed_decides_the_weights_and_torchs_own_generator_stays() -> None:
    state = torch.get_rng_state()
    first, again, other = (weights_of(build(recipe(), seed=seed)) for seed in (1, 1, 2))

    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["fc.weight"], other["fc.weight"])
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("num_classes", [1, 2, 1000])
def test_the_head_has_as_many_outputs_as_classes(num_classes: int) -> None:
    model = build(recipe("densenet121"), num_classes).eval()

    with torch.no_grad():
        assert model(some_images()).shape == (2, num_classes)


@pytest.mark.parametrize(
    ("architecture", "argument"),
    [("densenet121", "memory_efficient"), ("resnet18", "zero_init_residual")],
)
def test_arguments_reach_the_builder(architecture: str, argument: str) -> None:
    model = build(recipe(architecture, arguments={argument: True}))

    if argument == "zero_init_residual":
        assert model.get_parameter("layer1.0.bn2.weight").abs().sum() == 0
    else:
        layer = model.get_submodule("features.denseblock1.denselayer1")
        assert getattr(layer, argument) is True


def test_a_recipe_may_be_the_json_of_an_artifact() -> None:
    assert isinstance(build_model(recipe().to_json(), 3, weights_dir=None, seed=0), nn.Module)


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"family": "x", "architecture": "os"},
        {"family": "x", "architecture": "resnet18", "run": "rm"},
        {"family": "x", "architecture": "resnet18", "arguments": {"depth": 3}},
        {"family": "x", "architecture": "resnet18", "freeze": "everything"},
        {"family": "x", "architecture": "resnet18", "arguments": {"memory_efficient": True}},
    ],
)
def test_a_malformed_recipe_is_refused(stored: dict[str, Any]) -> None:
    with pytest.raises(InvalidModelDirectoryError):
        build_model(stored, 3, weights_dir=None, seed=0)


def trainable(model: nn.Module) -> set[str]:
    return {name for name, each in model.named_parameters() if each.requires_grad}


def test_all_but_the_head_leaves_the_head_trainable_and_statistics_alone(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    save_file(weights_of(build(recipe())), path)
    settings = recipe(weights_path=str(path), freeze="all but the head")
    model = build(settings)
    set_training_mode(model, settings)
    before = weights_of(model)
    model(some_images()).sum().backward()
    after = model.state_dict()

    assert trainable(model) == {"fc.weight", "fc.bias"}
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_first_stages_are_frozen_with_the_stem() -> None:
    settings = recipe(freeze="first stages", frozen_stages=2)
    model = build(settings)
    set_training_mode(model, settings)
    parts = {name.split(".")[0] for name in trainable(model)}

    assert parts == {"layer3", "layer4", "fc"}
    assert not model.get_submodule("bn1").training
    assert not model.get_submodule("layer2.0.bn1").training
    assert model.get_submodule("layer3.0.bn1").training


def test_frozen_batch_norm_trains_its_scales_and_keeps_its_statistics() -> None:
    settings = recipe()
    model = build(settings)
    set_training_mode(model, settings, frozen_batch_norm=True)
    before = weights_of(model)
    model(some_images()).sum().backward()
    after = model.state_dict()

    statistics = [name for name in before if "running" in name or "num_batches" in name]
    assert statistics
    assert all(torch.equal(before[name], after[name]) for name in statistics)
    scale = model.get_parameter("bn1.weight")
    assert scale.grad is not None
    set_training_mode(model, settings)
    assert model.get_submodule("bn1").training


def test_class_tokens_belong_to_the_first_stage() -> None:
    from modules.models.build import shape_network

    settings = recipe("vit_b_32", freeze="first stages", frozen_stages=1)
    model = shape_network(settings, 3)
    freeze(model, settings)

    assert not {"class_token", "encoder.pos_embedding", "conv_proj.weight"} & trainable(model)
    assert "encoder.layers.encoder_layer_1.ln_1.weight" in trainable(model)


def test_more_frozen_stages_than_there_are_is_an_error_with_the_number_to_set() -> None:
    with pytest.raises(NotInRangeValueError, match="at most 4") as caught:
        build(recipe(freeze="first stages", frozen_stages=5))

    assert caught.value.remedy == {"set": {"frozen_stages": 4}}


@pytest.mark.parametrize("architecture", ["resnet18", "densenet121", "mobilenet_v3_small"])
def test_backbone_and_head_are_the_model_in_two_parts(architecture: str) -> None:
    model = build(recipe(architecture)).eval()
    split = backbone_and_head(model)
    assert split is not None
    backbone, head = split
    with torch.no_grad():
        assert torch.equal(head(backbone(some_images())), model(some_images()))

    shared = {id(each) for each in model.parameters()}
    assert {id(each) for each in (*backbone.parameters(), *head.parameters())} == shared


def test_normalisation_is_that_of_the_weights() -> None:
    assert normalisation(recipe()) is None
    assert normalisation(recipe(pretrained=True)) == (IMAGENET_MEAN, IMAGENET_STD)
    assert normalisation(recipe(weights_path="mine.pth")) == (IMAGENET_MEAN, IMAGENET_STD)
    assert normalisation(recipe("efficientnet_v2_l", pretrained=True)) == ((0.5,) * 3, (0.5,) * 3)


@pytest.mark.parametrize(
    ("architecture", "good", "bad"),
    [
        ("resnet18", [(1, 1), (32, 50)], []),
        ("densenet121", [(29, 29), (32, 64)], [(28, 28), (64, 20)]),
        ("vit_b_32", [(224, 224)], [(225, 225), (32, 32), (256, 224)]),
    ],
)
def test_image_sizes_are_checked_by_what_the_network_takes(
    architecture: str, good: list[tuple[int, int]], bad: list[tuple[int, int]]
) -> None:
    for size in good:
        check_image_size(recipe(architecture), *size)
    for size in bad:
        with pytest.raises(InvalidDatasetError, match=str(minimum_image_size(architecture))):
            check_image_size(recipe(architecture), *size)


def test_the_smallest_size_is_that_of_real_numbers_too() -> None:
    model, smallest = build(recipe("densenet121")).eval(), minimum_image_size("densenet121")

    with torch.no_grad():
        assert model(some_images(smallest)).shape == (2, 3)
        with pytest.raises(RuntimeError):
            model(some_images(smallest - 1))
