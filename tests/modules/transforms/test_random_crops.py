"""Random resized crops beside Resize and Center crop: forecasts, and the cure of unequal sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.catalog import builtin_catalog
from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.models.cost_cache import cost_of
from modules.models.recipe import Recipe
from modules.training.input_spec import InputSpec
from modules.transforms.apply_image_transformation import (
    ApplyImageTransformationParameters,
    apply_image_transformation,
)
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    init_image_transformation,
)
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.forecasting.forecast import forecast

RESNET = Recipe(family="ResNet", architecture="resnet18")
SETTINGS = {"resize": True, "size": 48, "center_crop": True, "crop_size": 48}


class Work:
    """Real modules one after another in one store."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._num_steps = folder, 0

    def context(self) -> Context:
        self._num_steps += 1
        return Context(self._folder / "store" / f"step-{self._num_steps}")

    def images(self) -> ImageDirectory:
        for number, size in enumerate([(60, 80), (90, 70), (64, 64)]):
            for label in "ab":
                path = self._folder / "pictures" / label / f"{number}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                Image.new("RGB", size, (number * 40, 90, 120)).save(path)
        context = self.context()
        folder = AnyDirectory.write(context.new_folder(), self._folder / "pictures")
        output = convert_to_image_directory(folder, ConvertParameters(), context)[0]
        assert isinstance(output, ImageDirectory)
        return output

    def applied(self, images: ImageDirectory, mode: Any, **switches: Any) -> ImageDirectory:
        chosen = InitImageTransformationParameters(**switches)
        [transformation] = init_image_transformation(chosen, self.context())
        parameters = ApplyImageTransformationParameters(mode=mode)
        outputs = apply_image_transformation(transformation, images, parameters, self.context())
        output: ImageDirectory = outputs[0]
        return output


def test_a_random_crop_without_the_others_says_which_switches_to_set(tmp_path: Path) -> None:
    work = Work(tmp_path)
    images = work.images()
    switches = {
        "resize": False,
        "center_crop": False,
        "random_resized_crop": True,
        "random_size": 48,
    }
    training = work.applied(images, "For training", **switches)
    validation = work.applied(images, "For inference", **switches)
    with pytest.raises(InvalidDatasetError) as caught:
        InputSpec.of(training, validation, RESNET)
    error = caught.value
    assert (error.port, error.remedy) == ("validation_dataset", {"set": SETTINGS})
    assert "Turn on Resize and Center crop in their Init Image Transformation" in error.cure
    assert "a second Init Image Transformation" in error.cure
    mended = [work.applied(images, mode, **switches | SETTINGS) for mode in MODES]
    view = InputSpec.of(mended[0], mended[1], RESNET)
    assert view.size == view.input_size == (48, 48)
    own = work.applied(images, "For inference", **SETTINGS)
    assert InputSpec.of(training, own, RESNET).size == (48, 48)


MODES = ("For training", "For inference")


def test_a_resize_without_a_crop_is_not_told_to_add_what_is_there(tmp_path: Path) -> None:
    work = Work(tmp_path)
    resized = work.applied(work.images(), "For training", size=40, center_crop=False)
    with pytest.raises(InvalidDatasetError) as caught:
        InputSpec.of(resized, resized, RESNET)
    assert caught.value.remedy == {"set": {**SETTINGS, "size": 40, "crop_size": 40}}
    assert "Random crops" not in caught.value.cure


def pipeline(**init: Any) -> PipelineDocument:
    """A training whose two data sets go through transformations of their own."""
    nodes = {
        "images": ("import_images", {"source": "sample:shapes?classes=3&images=60&size=300"}),
        "convert": ("convert_to_image_directory", {}),
        "split": ("split_image_directory", {}),
        "init": ("init_image_transformation", init),
        "other": ("init_image_transformation", init),
        "first": ("apply_image_transformation", {"mode": "For training"}),
        "second": ("apply_image_transformation", {}),
        "resnet": ("resnet", {"model_name": "resnet18", "pretrained": False}),
        "train": ("train_pytorch_model", {"batch_size": 8}),
    }
    links = [
        ("images.dataset", "convert.input_dataset"),
        ("convert.output_image_directory", "split.input_image_directory"),
        ("split.output_image_directory1", "first.input_image_directory"),
        ("split.output_image_directory2", "second.input_image_directory"),
        ("init.output_image_transformation", "first.input_image_transformation"),
        ("other.output_image_transformation", "second.input_image_transformation"),
        ("resnet.untrained_model", "train.untrained_model"),
        ("first.output_image_directory", "train.training_dataset"),
        ("second.output_image_directory", "train.validation_dataset"),
    ]
    ends = [[end.split(".") for end in link] for link in links]
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "crops",
            "name": "Crops",
            "nodes": [
                {"id": name, "module": module, "version": 1, "parameters": parameters}
                for name, (module, parameters) in nodes.items()
            ],
            "links": [
                {
                    "from": {"node": start[0], "port": start[1]},
                    "to": {"node": end[0], "port": end[1]},
                }
                for start, end in ends
            ],
        }
    )


def test_a_training_is_foreseen_at_the_size_it_trains_with(tmp_path: Path) -> None:
    document, context = pipeline(random_resized_crop=True), Context(tmp_path)
    nodes = forecast(document, builtin_catalog(), context).model_dump(mode="json")["nodes"]
    train = next(node for node in nodes if node["node"] == "train")
    assert train["image_size"] == [256, 256]
    assert train["outputs"]["trained_model"]["image_height"] == 224, "what the model will take"
    smaller = pipeline(random_resized_crop=True, random_size=224)
    nodes = forecast(smaller, builtin_catalog(), context).model_dump(mode="json")["nodes"]
    less = next(node for node in nodes if node["node"] == "train")
    costs = [cost_of(RESNET.to_json(), 3, edge, edge, None) for edge in (256, 224)]
    more = (costs[0].activation_bytes_per_image - costs[1].activation_bytes_per_image) * 8
    assert train["memory_bytes"] - less["memory_bytes"] == more
