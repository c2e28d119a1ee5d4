"""ResNet: the recipe of a residual network."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.models.initial_weights import StartingPoint, fingerprint_of
from modules.models.network_family import NetworkFamily, NetworkOutputs
from modules.parameters import FromData, Parameters


class ResNetChoice(Parameters):
    model_name: Annotated[
        Literal[
            "resnet18",
            "resnet34",
            "resnet50",
            "resnet101",
            "resnet152",
            "resnext50_32x4d",
            "resnext101_32x8d",
            "wide_resnet50_2",
            "wide_resnet101_2",
        ],
        FromData(),
    ] = Field(
        "resnext101_32x8d",
        description="The number counts layers: more are slower and need more memory. Azure's "
        "default is resnext101_32x8d; on a machine without a GPU a new node starts with resnet18.",
    )
    zero_init_residual: bool = Field(
        False,
        description="Start each residual block as the identity (Goyal et al. 2017, arXiv "
        "1706.02677), which helps training from random weights.",
    )


class ResNetParameters(StartingPoint, ResNetChoice):
    """Parameters of ResNet; the network comes first, as pydantic lists the last base first."""


FAMILY = NetworkFamily("ResNet", arguments=("zero_init_residual",), stages=4)


@module(
    title="ResNet",
    category="Computer Vision/Image Classification",
    summary="A residual network: the usual first choice.",
    icon="brain",
    keywords=("classification", "neural network", "resnext", "wide", "resnet18", "resnet50"),
    check=FAMILY.check,
    fingerprint=fingerprint_of,
    forecast=FAMILY.forecast,
    without_gpu={"model_name": "resnet18"},
)
def resnet(parameters: ResNetParameters, context: Context) -> NetworkOutputs:
    """Create an untrained ResNet, ResNeXt or Wide ResNet (He et al. 2015, arXiv 1512.03385).

    The classification head is created for the classes of the training images. Train PyTorch Model
    loads the weights; a weights file is already checked here.
    """
    return FAMILY.write(parameters, context)
