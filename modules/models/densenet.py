"""DenseNet: the recipe of a densely connected network."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.models.initial_weights import StartingPoint, fingerprint_of
from modules.models.network_family import NetworkFamily, NetworkOutputs
from modules.parameters import FromData, Parameters


class DenseNetChoice(Parameters):
    model_name: Annotated[
        Literal[
            "densenet121",
            "densenet161",
            "densenet169",
            "densenet201",
        ],
        FromData(),
    ] = Field(
        "densenet201",
        description="The number counts layers: more are slower and need more memory. Azure's "
        "default is densenet201; on a machine without a GPU a new node starts with densenet121.",
    )
    memory_efficient: bool = Field(
        False,
        description="Compute parts twice in training: slower, but with much less memory.",
    )


class DenseNetParameters(StartingPoint, DenseNetChoice):
    """Parameters of DenseNet; the network comes first, as pydantic lists the last base first."""


FAMILY = NetworkFamily("DenseNet", arguments=("memory_efficient",), stages=4)


@module(
    title="DenseNet",
    category="Computer Vision/Image Classification",
    summary="A densely connected network, suited to few images.",
    icon="brain",
    keywords=("classification", "neural network", "huang", "densenet121", "densenet201"),
    check=FAMILY.check,
    fingerprint=fingerprint_of,
    forecast=FAMILY.forecast,
    without_gpu={"model_name": "densenet121"},
)
def densenet(parameters: DenseNetParameters, context: Context) -> NetworkOutputs:
    """Create an untrained DenseNet (Huang et al. 2017, arXiv 1608.06993).

    The classification head is created for the classes of the training images. Train PyTorch Model
    loads the weights; a weights file is already checked here.
    """
    return FAMILY.write(parameters, context)
