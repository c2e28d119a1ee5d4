"""Init and Apply Image Transformation, called as the functions they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from modules.artifacts import ImageDirectory, ImageTransformation
from modules.context import Context, Report
from modules.errors import InvalidTransformationDirectoryError
from modules.forecast import ArtifactForecast
from modules.parameters import parameters_in_key
from modules.transforms.apply_image_transformation import (
    ApplyImageTransformationParameters,
    apply_image_transformation,
)
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    init_image_transformation,
    operations_of,
)
from modules.transforms.operations import FOR_INFERENCE, RANDOM, select

EVERYTHING = InitImageTransformationParameters(
    pad=True,
    padding=4,
    color_jitter=True,
    grayscale=True,
    random_resized_crop=True,
    random_crop=True,
    random_vertical_flip=True,
    random_rotation=True,
    random_rotation_degrees=15.0,
    random_affine=True,
    random_affine_degrees=10,
    random_grayscale=True,
    random_perspective=True,
    random_erasing=True,
    rand_augment=True,
    trivial_augment=True,
    mixup_alpha=0.2,
    cutmix_alpha=1.0,
)


def some_images(folder: Path, num: int = 3) -> ImageDirectory:
    folder.mkdir(parents=True)
    rows = pd.DataFrame(
        {
            "path": [f"{n}.png" for n in range(num)],
            "label": "a",
            "width": 40,
            "height": 30,
            "num_bytes": 100,
            "sha256": "0" * 64,
            "source": "",
        }
    )
    return ImageDirectory.write(folder, rows, ["a"])


def some_transformation(folder: Path, **parameters: Any) -> ImageTransformation:
    chosen = InitImageTransformationParameters(**parameters)
    transformation: ImageTransformation = init_image_transformation(chosen, Context(folder))[0]
    return transformation


def findings(**parameters: Any) -> list[str]:
    check = init_image_transformation.check
    assert check is not None
    return [each.parameter for each in check(InitImageTransformationParameters(**parameters))]


def test_defaults_are_the_originals(tmp_path: Path) -> None:
    assert list(some_transformation(tmp_path).operations) == [
        {"operation": "resize", "size": 256},
        {"operation": "center_crop", "size": 224},
        {"operation": "random_horizontal_flip", "p": 0.5},
    ]


def test_operations_come_in_the_documented_order_as_json() -> None:
    operations = operations_of(EVERYTHING)

    assert [each["operation"] for each in operations] == [
        "resize",
        "center_crop",
        "pad",
        "color_jitter",
        "grayscale",
        "random_resized_crop",
        "random_crop",
        "random_horizontal_flip",
        "random_vertical_flip",
        "random_rotation",
        "random_affine",
        "random_grayscale",
        "random_perspective",
        "rand_augment",
        "trivial_augment",
        "random_erasing",
        "mixup",
        "cutmix",
    ]
    assert json.loads(json.dumps(operations)) == list(operations)


def test_inference_leaves_out_everything_random_and_color_jitter() -> None:
    kept = [each["operation"] for each in select(operations_of(EVERYTHING), FOR_INFERENCE)]

    assert kept == ["resize", "center_crop", "pad", "grayscale"]
    assert "color_jitter" in RANDOM


@pytest.mark.parametrize(
    ("parameters", "blamed"),
    [
        ({}, []),
        ({"random_rotation": True}, ["random_rotation_degrees"]),
        ({"random_affine": True}, ["random_affine_degrees"]),
        ({"pad": True}, ["padding"]),
        ({"crop_size": 300}, ["crop_size"]),
        ({"center_crop": False}, ["center_crop"]),
        ({"random_resized_crop": True, "random_size": 224}, []),
        ({"random_resized_crop": True}, ["crop_size"]),
        ({"random_crop": True, "random_crop_size": 240}, ["random_crop_size", "crop_size"]),
        (
            {"random_resized_crop": True, "random_size": 224, "random_crop": True},
            ["random_crop"],
        ),
        ({"rand_augment": True, "trivial_augment": True}, ["trivial_augment"]),
        ({"grayscale": True, "random_grayscale": True}, ["random_grayscale"]),
    ],
)
def test_settings_that_cannot_be_meant_are_warned_about(
    parameters: dict[str, Any], blamed: list[str]
) -> None:
    assert findings(**parameters) == blamed


def test_apply_attaches_and_copies_no_pixels(tmp_path: Path) -> None:
    images = some_images(tmp_path / "converted" / "out")
    transformation = some_transformation(tmp_path / "init")
    parameters = ApplyImageTransformationParameters(mode="For training")
    context = Context(tmp_path / "applied")
    output = apply_image_transformation(transformation, images, parameters, context)[0]

    assert output.transformation is not None
    assert output.transformation.mode == "For training"
    assert output.transformation.operations == transformation.operations
    assert set(output.images["source"]) == {"converted/out"}
    assert not (output.path / "images").exists()


def test_a_second_transformation_replaces_the_first_with_a_warning(tmp_path: Path) -> None:
    events: list[Report] = []
    images = some_images(tmp_path / "converted" / "out")
    first = some_transformation(tmp_path / "one", size=64, crop_size=64)
    second = some_transformation(tmp_path / "two", size=32, crop_size=32)
    parameters = ApplyImageTransformationParameters()
    once = apply_image_transformation(first, images, parameters, Context(tmp_path / "a"))[0]
    context = Context(tmp_path / "b", emit=events.append)
    twice = apply_image_transformation(second, once, parameters, context)[0]

    assert twice.transformation.operations == second.operations
    assert twice.transformation.mode == "For inference"
    assert "warning" in [each["kind"] for each in events]


@pytest.mark.parametrize("content", ["", "{}", '{"operations": [{"size": 3}]}', "[1]"])
def test_what_is_no_transformation_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "transformation.json").write_text(content)
    images = some_images(tmp_path / "converted" / "out")

    with pytest.raises(InvalidTransformationDirectoryError):
        apply_image_transformation(
            ImageTransformation(tmp_path),
            images,
            ApplyImageTransformationParameters(),
            Context(tmp_path / "out"),
        )


def test_a_hundred_thousand_images_are_given_a_transformation(tmp_path: Path) -> None:
    images = some_images(tmp_path / "converted" / "out", 100_000)
    transformation = some_transformation(tmp_path / "init")
    parameters = ApplyImageTransformationParameters()
    output = apply_image_transformation(transformation, images, parameters, Context(tmp_path / "o"))

    assert len(output[0].images) == 100_000


@pytest.mark.parametrize(
    ("images", "size"),
    [
        (ArtifactForecast(num_images=9, image_height=30, image_width=40), (24, 32)),
        (ArtifactForecast(num_images=9), (None, None)),
    ],
)
def test_the_forecast_knows_the_size_of_images(
    images: ArtifactForecast, size: tuple[int | None, int | None], tmp_path: Path
) -> None:
    operations = operations_of(
        InitImageTransformationParameters(size=24, center_crop=False, random_erasing=True)
    )
    forecast = apply_image_transformation.forecast
    assert forecast is not None
    inputs = {
        "input_image_directory": images,
        "input_image_transformation": ArtifactForecast(transformation=operations),
    }
    foreseen = forecast(inputs, ApplyImageTransformationParameters(), Context(tmp_path))
    output = foreseen.outputs["output_image_directory"]

    assert (output.image_height, output.image_width) == size
    assert output.num_images == 9
    assert [each["operation"] for each in output.transformation] == ["resize"]


def test_the_forecast_knows_the_size_behind_a_crop(tmp_path: Path) -> None:
    forecast = apply_image_transformation.forecast
    assert forecast is not None
    operations = operations_of(InitImageTransformationParameters(size=32, crop_size=28))
    inputs = {"input_image_transformation": ArtifactForecast(transformation=operations)}
    foreseen = forecast(inputs, ApplyImageTransformationParameters(), Context(tmp_path))
    output = foreseen.outputs["output_image_directory"]

    assert (output.image_height, output.image_width) == (28, 28)
    assert np.isscalar(output.image_height)


def test_the_smallest_part_of_a_random_crop_is_chosen_without_a_change_of_keys() -> None:
    cropping = InitImageTransformationParameters(random_resized_crop=True)
    assert "smallest_part" not in parameters_in_key(cropping)
    [crop] = [it for it in operations_of(cropping) if it["operation"] == "random_resized_crop"]
    assert crop["scale"] == [0.08, 1.0]
    larger = cropping.model_copy(update={"smallest_part": 0.6})
    [crop] = [it for it in operations_of(larger) if it["operation"] == "random_resized_crop"]
    assert crop["scale"] == [0.6, 1.0]
    with pytest.raises(ValidationError):
        InitImageTransformationParameters(smallest_part=0.0)
