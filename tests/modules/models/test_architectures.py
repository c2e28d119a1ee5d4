"""The written-down names are torchvision's, and every one of them can be built and taken apart."""

from __future__ import annotations

from typing import get_args

import pytest
import torch
import torchvision
from torch import nn

from modules.models.architectures import DESIGNER_MODELS, IMAGE_MODELS, TORCHVISION_MODELS
from modules.models.build import minimum_image_size, shape_network
from modules.models.densenet import DenseNetParameters
from modules.models.network_cost import num_parameters_and_flops
from modules.models.recipe import Recipe
from modules.models.resnet import ResNetParameters
from modules.models.structure import backbone_and_head, head_name, stages
from modules.models.weights import chosen_weights

NUM_CLASSES = 13
SIZE = 224
"""An edge that all of them take."""

OFTEN_USED = (
    "alexnet",
    "efficientnet_lite0",
    "resnet18",
    "shufflenet_v2_x0_5",
    "squeezenet1_1",
    "vit_b_32",
)
"""Built by each `make test`; they are quick to build."""
ONE_OF_EACH_FAMILY = (
    *OFTEN_USED,
    "convnext_tiny",
    "densenet121",
    "efficientnet_b0",
    "googlenet",
    "inception_v3",
    "maxvit_t",
    "mnasnet0_5",
    "mobilenet_v3_small",
    "regnet_x_400mf",
    "swin_t",
    "vgg11_bn",
)


def test_the_names_are_those_of_the_registry() -> None:
    assert list(TORCHVISION_MODELS) == torchvision.models.list_models(module=torchvision.models)
    assert {*TORCHVISION_MODELS, *DESIGNER_MODELS} == {*IMAGE_MODELS}


@pytest.mark.parametrize("parameters", [DenseNetParameters, ResNetParameters])
def test_families_offer_names_that_exist(
    parameters: type[DenseNetParameters | ResNetParameters],
) -> None:
    info = parameters.model_fields["model_name"]

    assert set(get_args(info.annotation)) <= set(IMAGE_MODELS)
    assert next(iter(parameters.model_fields)) == "model_name"


def check_it_is_taken_apart(architecture: str) -> None:
    network = shape_network(Recipe(family="", architecture=architecture), NUM_CLASSES).eval()
    check_stages_cover_everything_before_the_head(network, architecture)
    head = network.get_submodule(head_name(network))
    assert isinstance(head.weight, torch.Tensor)
    assert head.weight.shape[0] == NUM_CLASSES
    with torch.device("meta"):
        split = backbone_and_head(network)
        if split is None:
            assert architecture.startswith("squeezenet")
        else:
            backbone, last = split
            assert last(backbone(torch.empty(2, 3, SIZE, SIZE))).shape == (2, NUM_CLASSES)


def check_stages_cover_everything_before_the_head(network: nn.Module, architecture: str) -> None:
    last = network.get_submodule(head_name(network).partition(".")[0])
    found = [part for stage in stages(network) for part in stage]
    covered = {id(each) for part in (*found, last) for each in part.parameters()}
    rest = [name for name, each in network.named_parameters() if id(each) not in covered]

    assert rest == ["class_token", "encoder.pos_embedding"] * architecture.startswith("vit_")


def check_work_is_counted(architecture: str) -> None:
    size = max(64, minimum_image_size(architecture))
    cost = num_parameters_and_flops(
        Recipe(family="", architecture=architecture), NUM_CLASSES, size, size
    )
    assert cost.flops_per_image > 0


def check_weights_fit_the_size(architecture: str) -> None:
    if architecture in DESIGNER_MODELS:
        return
    weights = chosen_weights(architecture)

    assert weights.url.startswith("https://")
    if architecture.startswith("vit_"):
        assert weights.meta["min_size"] == (224, 224)


@pytest.mark.parametrize(
    "architecture",
    [
        pytest.param(each, marks=[] if each in OFTEN_USED else pytest.mark.extended)
        for each in ONE_OF_EACH_FAMILY
    ],
)
def test_one_of_each_family_can_be_built_and_taken_apart(architecture: str) -> None:
    check_it_is_taken_apart(architecture)
    check_work_is_counted(architecture)
    check_weights_fit_the_size(architecture)


@pytest.mark.full
@pytest.mark.parametrize("architecture", sorted(set(IMAGE_MODELS) - set(ONE_OF_EACH_FAMILY)))
def test_all_others_can_be_built_and_taken_apart(architecture: str) -> None:
    check_it_is_taken_apart(architecture)
    check_weights_fit_the_size(architecture)


@pytest.mark.parametrize(
    ("architecture", "num_stages"),
    [("resnet18", 4), ("densenet121", 4), ("vgg11", 5), ("alexnet", 3), ("vit_b_32", 12)],
)
def test_stages_are_counted_as_people_count_them(architecture: str, num_stages: int) -> None:
    network = shape_network(Recipe(family="", architecture=architecture), NUM_CLASSES)

    assert len(stages(network)) == num_stages


@pytest.mark.parametrize("architecture", ["densenet121", "inception_v3", "alexnet", "vgg11"])
def test_the_smallest_size_is_what_torchvision_documents(architecture: str) -> None:
    weights = torchvision.models.get_model_weights(architecture).DEFAULT

    assert minimum_image_size(architecture) == weights.meta["min_size"][0]
