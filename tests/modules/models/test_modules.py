"""DenseNet, ResNet and Image Model, called as the functions they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import save_file

from modules.artifacts import UntrainedModel
from modules.catalog_spec import module_spec
from modules.context import Context
from modules.errors import InvalidModelDirectoryError, SourceNotAllowedError
from modules.models.architectures import IMAGE_MODELS
from modules.models.build import seeded_network
from modules.models.densenet import densenet
from modules.models.image_model import ImageModelParameters, image_model
from modules.models.recipe import checked_recipe, recipe_of
from modules.models.resnet import ResNetParameters, resnet
from modules.spec import Module
from tests.json_values import as_json

SQUEEZENET = {"family": "Image Model", "architecture": "squeezenet1_1"}
MODULES: list[Module] = [densenet, resnet, image_model]


def run(module: Module, folder: Path, **settings: Any) -> UntrainedModel:
    parameters = module.parameters_type(**settings)
    outputs = module.run({}, parameters, Context(folder))
    model = outputs["untrained_model"]
    assert isinstance(model, UntrainedModel)
    return model


def findings(module: Module, **settings: Any) -> list[tuple[str, str]]:
    assert module.check is not None
    found = module.check(module.parameters_type(**settings))
    return [(each.parameter, each.severity) for each in found]


def test_defaults_are_the_originals(tmp_path: Path) -> None:
    first = recipe_of(run(densenet, tmp_path / "a"))
    second = recipe_of(run(resnet, tmp_path / "b"))

    assert (first.family, first.architecture, first.pretrained) == ("DenseNet", "densenet201", True)
    assert first.arguments == {"memory_efficient": False}
    assert (second.family, second.architecture) == ("ResNet", "resnext101_32x8d")
    assert second.arguments == {"zero_init_residual": False}
    assert first.freeze == second.freeze == "none"


def test_every_setting_is_in_the_recipe(tmp_path: Path) -> None:
    weights = tmp_path / "w.safetensors"
    save_file(seeded_network(checked_recipe(SQUEEZENET), 5, seed=0).state_dict(), weights)
    recipe = recipe_of(
        run(
            image_model,
            tmp_path,
            model_name="squeezenet1_1",
            pretrained=False,
            weights_path=str(weights),
            freeze="first stages",
            frozen_stages=3,
        )
    )

    assert recipe.to_json() == {
        "family": "Image Model",
        "architecture": "squeezenet1_1",
        "arguments": {},
        "pretrained": False,
        "weights_path": str(weights),
        "freeze": "first stages",
        "frozen_stages": 3,
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda each: str(each.id))
def test_the_forecast_knows_the_recipe_that_is_made(module: Module, tmp_path: Path) -> None:
    assert module.forecast is not None
    foreseen = module.forecast({}, module.parameters_type(), Context(tmp_path / "f"))

    assert foreseen.outputs["untrained_model"].recipe == run(module, tmp_path).recipe


@pytest.mark.parametrize(
    ("name", "pretrained", "images"),
    [("resnet18", False, 0), ("efficientnet_lite0", True, 0), ("resnet18", True, None)],
)
def test_a_network_without_a_download_takes_the_time_of_a_start(
    name: str, pretrained: bool, images: int | None, tmp_path: Path
) -> None:
    assert image_model.forecast is not None
    settings: dict[str, Any] = {"model_name": name, "pretrained": pretrained}
    parameters = image_model.parameters_type(**settings)
    assert image_model.forecast({}, parameters, Context(tmp_path)).images_processed == images


def test_settings_that_cannot_be_meant_are_found() -> None:
    assert findings(densenet) == findings(resnet) == findings(image_model) == []
    assert findings(resnet, pretrained=False, freeze="all but the head") == [("freeze", "warning")]
    assert findings(resnet, freeze="first stages", frozen_stages=5) == [("frozen_stages", "error")]
    assert findings(image_model, model_name="restnet18") == [("model_name", "error")]


def test_a_weights_file_must_be_there_and_allowed(tmp_path: Path) -> None:
    path = tmp_path / "w.pth"
    parameters = ResNetParameters(weights_path=str(path))
    with pytest.raises(InvalidModelDirectoryError, match="was not found"):
        resnet(parameters, Context(tmp_path / "a"))
    path.write_bytes(b"1")
    allowed = Context(tmp_path / "b", allowed_roots=(tmp_path / "other",))
    with pytest.raises(SourceNotAllowedError):
        resnet(parameters, allowed)


def test_the_contents_of_a_weights_file_enter_the_key(tmp_path: Path) -> None:
    path = tmp_path / "w.pth"
    parameters = ResNetParameters(weights_path=str(path))
    assert resnet.fingerprint is not None
    prints = []
    for content in (b"1", b"2", b"1"):
        path.write_bytes(content)
        prints.append(resnet.fingerprint(parameters, Context(tmp_path)))

    assert prints[0] == prints[2] != prints[1]
    assert resnet.fingerprint(ResNetParameters(), Context(tmp_path)) == ""


def test_an_unknown_name_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelDirectoryError, match="resnet18"):
        image_model(ImageModelParameters(model_name="restnet18"), Context(tmp_path))


def test_the_palette_offers_every_name() -> None:
    parameters = {each["id"]: each for each in as_json(module_spec(image_model))["parameters"]}

    assert parameters["model_name"]["suggestions"] == list(IMAGE_MODELS)
    assert next(iter(parameters)) == "model_name"


@pytest.mark.parametrize(
    "content", ["{}", "[]", "", '{"role": "untrained"}', '{"role": "trained"}']
)
def test_what_is_no_untrained_model_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "model.json").write_text(content)

    with pytest.raises(InvalidModelDirectoryError):
        recipe_of(UntrainedModel(tmp_path))


def test_declarations_forecasts_and_operations_import_nothing_heavy() -> None:
    script = """
import sys
import modules.models.densenet, modules.models.resnet, modules.models.image_model
import modules.models.build, modules.models.weights, modules.models.serialization
import modules.models.network_cost
import modules.models.structure
import modules.transforms.init_image_transformation as init
import modules.transforms.apply_image_transformation, modules.transforms.batch_transform
import modules.transforms.mixup, modules.transforms.policies
import modules.transforms.colour, modules.transforms.geometry
from modules.context import Context
from modules.catalog_spec import module_spec
from pathlib import Path
module = modules.models.resnet.resnet
module.forecast({}, module.parameters_type(), Context(Path(".")))
module_spec(module)
init.operations_of(init.InitImageTransformationParameters())
heavy = {"torch", "torchvision", "pandas", "pyarrow", "sklearn", "PIL", "numpy"} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", script], check=True)
