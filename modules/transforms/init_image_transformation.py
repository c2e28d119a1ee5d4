"""Module Init Image Transformation: operations, their order and their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from modules.artifacts import ImageTransformation
from modules.augmentation import Augmentation
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import AddedLater, Follows, Group, Parameters, ShownWhen, Unit
from modules.sentences import transforms as say
from modules.sentences.sentence import Statement
from modules.spec import ParameterFinding, PortDoc
from modules.transforms.operations import (
    FOR_INFERENCE,
    RANDOM,
    Operation,
    common_output_size,
    select,
)

_SIZES = Group("Size")
_COLOURS = Group("Colour")
_RANDOM = Group("Random, redrawn each epoch")
_POLICIES = Group("Policies and mixtures", folded=True)

MAX_SIZE = 4096
_Pixels = Annotated[int, Unit("pixels")]
_Factor = Annotated[
    float,
    _COLOURS,
    ShownWhen("color_jitter"),
    Field(
        ge=0,
        le=1,
        description="Maximum change. The factor is between 1 minus and 1 plus this value.",
    ),
]
_PartOfImage = Annotated[float, _RANDOM, ShownWhen("random_resized_crop")]
_Degrees = Annotated[
    float,
    _RANDOM,
    Unit("degrees"),
    Field(ge=0, le=180, description="Maximum angle in both directions."),
]
_Probability = Annotated[
    float,
    _RANDOM,
    Field(ge=0, le=1, title="Probability for each image.", description="How often."),
]


class InitImageTransformationParameters(Parameters):
    """Switches of operations, and numbers that apply while a switch is on."""

    resize: Annotated[bool, _SIZES] = Field(
        True, description="Scale the image and keep its aspect ratio."
    )
    size: Annotated[_Pixels, _SIZES, ShownWhen("resize")] = Field(
        256, gt=0, le=MAX_SIZE, description="Length of the smaller edge after resizing."
    )
    center_crop: Annotated[bool, _SIZES] = Field(True, description="Crop the central square.")
    crop_size: Annotated[
        _Pixels, _SIZES, ShownWhen("center_crop"), Follows("size", "Image size")
    ] = Field(
        224,
        gt=0,
        le=MAX_SIZE,
        description="Edge of the square. Black is added where the image is smaller.",
    )
    pad: Annotated[bool, _SIZES] = Field(False, description="Add a black frame.")
    padding: Annotated[_Pixels, _SIZES, ShownWhen("pad")] = Field(
        0, ge=0, le=MAX_SIZE, description="The width of the frame on each side."
    )
    color_jitter: Annotated[bool, _COLOURS] = Field(
        False, description="Change brightness, contrast, saturation and hue at random."
    )
    brightness: _Factor = 0.4
    contrast: _Factor = 0.4
    saturation: _Factor = 0.4
    hue: Annotated[float, _COLOURS, ShownWhen("color_jitter")] = Field(
        0.1, ge=0, le=0.5, description="Maximum shift, as a fraction of the colour circle."
    )
    grayscale: Annotated[bool, _COLOURS] = Field(
        False, description="Remove the colour. The image keeps three equal channels."
    )
    random_resized_crop: Annotated[bool, _RANDOM] = Field(
        False,
        description="Crop a random part with an aspect ratio of 3:4 to 4:3 and resize it to a "
        "square.",
    )
    random_size: Annotated[_Pixels, _RANDOM, ShownWhen("random_resized_crop")] = Field(
        256, gt=0, le=MAX_SIZE, description="Edge of the square."
    )
    smallest_part: Annotated[_PartOfImage, AddedLater()] = Field(
        0.08,
        gt=0,
        le=1,
        description="Minimum share of the area in the part. 0.08 suits large sets of "
        "photographs; 0.6 suits small sets, and images whose object fills them.",
    )
    random_crop: Annotated[bool, _RANDOM] = Field(
        False, description="Crop a square at a random position."
    )
    random_crop_size: Annotated[_Pixels, _RANDOM, ShownWhen("random_crop")] = Field(
        224,
        gt=0,
        le=MAX_SIZE,
        description="Edge of the square. Black is added where the image is smaller.",
    )
    random_horizontal_flip: Annotated[bool, _RANDOM] = Field(
        True, description="Mirror left and right."
    )
    horizontal_flip_probability: Annotated[_Probability, ShownWhen("random_horizontal_flip")] = 0.5
    random_vertical_flip: Annotated[bool, _RANDOM] = Field(
        False, description="Mirror top and bottom."
    )
    vertical_flip_probability: Annotated[_Probability, ShownWhen("random_vertical_flip")] = 0.5
    random_rotation: Annotated[bool, _RANDOM] = Field(
        False, description="Rotate by a random angle. Corners become black."
    )
    random_rotation_degrees: Annotated[_Degrees, ShownWhen("random_rotation")] = 0.0
    random_affine: Annotated[bool, _RANDOM] = Field(
        False,
        description="Rotate by a random angle around the centre, like torchvision's RandomAffine.",
    )
    random_affine_degrees: Annotated[_Degrees, ShownWhen("random_affine")] = 0.0
    random_grayscale: Annotated[bool, _RANDOM] = Field(
        False, description="Remove the colour of some images."
    )
    grayscale_probability: Annotated[_Probability, ShownWhen("random_grayscale")] = 0.1
    random_perspective: Annotated[bool, _RANDOM] = Field(
        False, description="Apply a random perspective distortion."
    )
    perspective_probability: Annotated[_Probability, ShownWhen("random_perspective")] = 0.5
    random_erasing: Annotated[bool, _RANDOM] = Field(
        False, description="Cover 2-33 % of the area with the mean colour."
    )
    erasing_probability: Annotated[_Probability, ShownWhen("random_erasing")] = 0.5
    rand_augment: Annotated[bool, _POLICIES] = Field(
        False,
        title="RandAugment",
        description="Two random changes of medium strength (Cubuk et al. 2019).",
    )
    trivial_augment: Annotated[bool, _POLICIES] = Field(
        False,
        title="TrivialAugment",
        description="One random change of random strength (Mueller and Hutter 2021).",
    )
    mixup_alpha: Annotated[float, _POLICIES] = Field(
        0.0,
        ge=0,
        le=10,
        title="MixUp alpha",
        description="Blend pairs of images and their labels. 0 turns it off; 0.2 is common.",
    )
    cutmix_alpha: Annotated[float, _POLICIES] = Field(
        0.0,
        ge=0,
        le=10,
        title="CutMix alpha",
        description="Paste part of one image into another and mix labels in proportion. 0 turns "
        "it off; 1 is common. If MixUp is on too, each batch uses one of the two.",
    )


class InitImageTransformationOutputs(NamedTuple):
    output_image_transformation: Annotated[
        ImageTransformation, PortDoc("The operations, for Apply Image Transformation.")
    ]


def operations_of(parameters: InitImageTransformationParameters) -> tuple[Operation, ...]:
    """Return the active operations in the order of application.

    The order is that of the original; the policies come last among operations on single 8-bit
    images, followed by erasing and the mixtures.
    """
    return tuple(operation for is_on, operation in _switches(parameters) if is_on)


def _switches(p: InitImageTransformationParameters) -> Iterable[tuple[bool, Operation]]:
    jitter = {
        "brightness": p.brightness,
        "contrast": p.contrast,
        "saturation": p.saturation,
        "hue": p.hue,
    }
    yield p.resize, _operation("resize", size=p.size)
    yield p.center_crop, _operation("center_crop", size=p.crop_size)
    yield p.pad and p.padding > 0, _operation("pad", padding=p.padding)
    yield p.color_jitter, _operation("color_jitter", **jitter)
    yield p.grayscale, _operation("grayscale")
    yield (
        p.random_resized_crop,
        _operation(
            "random_resized_crop",
            size=p.random_size,
            scale=[p.smallest_part, 1.0],
            ratio=[3 / 4, 4 / 3],
        ),
    )
    yield p.random_crop, _operation("random_crop", size=p.random_crop_size)
    yield (
        p.random_horizontal_flip,
        _operation("random_horizontal_flip", p=p.horizontal_flip_probability),
    )
    yield p.random_vertical_flip, _operation("random_vertical_flip", p=p.vertical_flip_probability)
    yield (
        p.random_rotation and p.random_rotation_degrees > 0,
        _operation("random_rotation", degrees=p.random_rotation_degrees),
    )
    yield (
        p.random_affine and p.random_affine_degrees > 0,
        _operation("random_affine", degrees=p.random_affine_degrees),
    )
    yield p.random_grayscale, _operation("random_grayscale", p=p.grayscale_probability)
    yield (
        p.random_perspective,
        _operation("random_perspective", p=p.perspective_probability, distortion_scale=0.5),
    )
    yield p.rand_augment, _operation("rand_augment", num_ops=2, magnitude=9)
    yield p.trivial_augment, _operation("trivial_augment")
    yield (
        p.random_erasing,
        _operation("random_erasing", p=p.erasing_probability, scale=[0.02, 0.33], ratio=[0.3, 3.3]),
    )
    yield p.mixup_alpha > 0, _operation("mixup", alpha=p.mixup_alpha)
    yield p.cutmix_alpha > 0, _operation("cutmix", alpha=p.cutmix_alpha)


def _operation(name: str, **arguments: Any) -> Operation:
    return {"operation": name, **arguments}


def _check(p: InitImageTransformationParameters) -> Iterable[ParameterFinding]:
    yield from _check_idle_switches(p)
    if p.random_resized_crop and p.random_crop:
        yield ParameterFinding.of("random_crop", say.CROPPED_TWICE)
    if p.rand_augment and p.trivial_augment:
        yield ParameterFinding.of("trivial_augment", say.TWO_POLICIES)
    if p.grayscale and p.random_grayscale:
        yield ParameterFinding.of("random_grayscale", say.GREY_ALREADY)
    yield from _check_sizes(p)


def _check_idle_switches(p: InitImageTransformationParameters) -> Iterable[ParameterFinding]:
    for name, degrees in (
        ("random_rotation", p.random_rotation_degrees),
        ("random_affine", p.random_affine_degrees),
    ):
        if getattr(p, name) and degrees == 0:
            title = name.replace("_", " ").capitalize()
            yield ParameterFinding.of(f"{name}_degrees", say.NO_DEGREES, title=title)
    if p.pad and p.padding == 0:
        yield ParameterFinding.of("padding", say.NO_PADDING)


def _check_sizes(p: InitImageTransformationParameters) -> Iterable[ParameterFinding]:
    if p.resize and p.center_crop and p.crop_size > p.size:
        yield ParameterFinding.of("crop_size", say.CROP_TOO_LARGE, crop=p.crop_size, size=p.size)
    operations = operations_of(p)
    without_chance = select(operations, FOR_INFERENCE)
    inference = common_output_size(without_chance)
    training = inference if without_chance == operations else common_output_size(operations)
    edge = p.crop_size if p.center_crop else p.size
    if p.random_crop and not p.random_resized_crop and (p.center_crop or p.resize):
        smaller = edge + 2 * (p.padding if p.pad else 0)
        if p.random_crop_size > smaller:
            yield ParameterFinding.of(
                "random_crop_size", say.RANDOM_CROP_TOO_LARGE, crop=p.random_crop_size, size=smaller
            )
    if inference is None:
        yield ParameterFinding.of("center_crop", say.SIZES_MAY_DIFFER)
    elif training != inference:
        yield ParameterFinding.of(
            "crop_size",
            say.SIZE_OF_INFERENCE_DIFFERS,
            training=_size(training),
            inference=_size(inference),
        )


def _size(size: tuple[int, int] | None) -> Statement:
    if size is None:
        return say.UNEQUAL_SIZE.about({})
    return say.SIZE.about({"width": size[1], "height": size[0]})


def _forecast(
    inputs: Mapping[str, ArtifactForecast],  # noqa: ARG001 - every forecast is given the same three
    parameters: InitImageTransformationParameters,
    context: Context,  # noqa: ARG001
) -> StepForecast:
    foreseen = ArtifactForecast(transformation=operations_of(parameters))
    return StepForecast(outputs={"output_image_transformation": foreseen})


def _random_operations(parameters: InitImageTransformationParameters) -> list[str]:
    names = [str(operation["operation"]) for operation in operations_of(parameters)]
    return [name.replace("_", " ") for name in names if name in RANDOM]


@module(
    title="Init Image Transformation",
    category="Computer Vision/Image Data Transformation",
    summary="Choose how images are resized, cropped and augmented.",
    icon="sliders-horizontal",
    keywords=("augmentation", "resize", "crop", "flip", "rotate", "mixup", "cutmix"),
    check=_check,
    forecast=_forecast,
    augmentation=Augmentation(chosen=_random_operations),
)
def init_image_transformation(
    parameters: InitImageTransformationParameters, context: Context
) -> InitImageTransformationOutputs:
    """Create an ordered list of operations that Apply Image Transformation attaches to images.

    Nothing is computed here. Operations are applied in this order: resize, center crop, pad, color
    jitter, grayscale, random resized crop, random crop, flips, rotation, affine, random grayscale,
    perspective, RandAugment, TrivialAugment, erasing, and MixUp or CutMix on the finished batch.
    """
    operations = operations_of(parameters)
    names = ", ".join(str(operation["operation"]).replace("_", " ") for operation in operations)
    context.summary(say.OPERATIONS, operations=names)
    return InitImageTransformationOutputs(
        ImageTransformation.write(context.new_folder(), operations)
    )
