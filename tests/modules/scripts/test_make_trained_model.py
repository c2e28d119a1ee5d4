"""Make Trained Model: what a script wrote scores exactly as it did where it was trained."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.errors import InvalidDatasetError, InvalidModelDirectoryError, NotInRangeValueError
from modules.foreign_model import ForeignModel
from modules.models.build import IMAGENET_MEAN
from modules.models.serialization import load_trained
from modules.scoring.evaluate_model import evaluate_model
from modules.scoring.score_image_model import score_image_model
from modules.scripts.make_trained_model import MakeTrainedModelParameters, make_trained_model
from tests.modules.conftest import Workplace
from tests.modules.training.noise import noise_squares, untrained
from tests.modules.training.trainings import train

CLASSES = ["blue", "green", "red"]
RESIZE = [{"operation": "resize", "size": 32}, {"operation": "random_horizontal_flip", "p": 0.5}]
NETWORK = "shufflenet_v2_x0_5"
Weights = dict[str, torch.Tensor]


def foreign(folder: Path, content: object, name: str = "model.pt") -> ForeignModel:
    """What a script wrote into one file."""
    path = folder / "files" / name
    path.parent.mkdir(parents=True)
    if path.suffix == ".safetensors":
        save_file(content, path)  # type: ignore[arg-type]
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        torch.save(content, path)
    return ForeignModel.write(folder, main=name, framework="pytorch")


def weights_of(recipe: UntrainedModel, num_classes: int = 3) -> Weights:
    from modules.models.build import seeded_network
    from modules.models.recipe import recipe_of

    return seeded_network(recipe_of(recipe), num_classes, seed=5).state_dict()


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    operations = [{"operation": "resize", "size": 32}]
    return noise_squares(tmp_path / "store/images/out", CLASSES, operations=operations)


@pytest.fixture
def network(tmp_path: Path) -> UntrainedModel:
    return untrained(tmp_path / "network", NETWORK)


def make(
    workplace: Workplace,
    network: UntrainedModel,
    model: ForeignModel,
    images: ImageDirectory,
    **settings: Any,
) -> TrainedModel:
    parameters = MakeTrainedModelParameters(**settings)
    made = make_trained_model(network, model, images, parameters, workplace.context())
    trained = made.trained_model
    assert isinstance(trained, TrainedModel)
    return trained


WRAPPED: Mapping[str, tuple[str, Callable[[Weights], object]]] = {
    "plain": ("model.pt", dict),
    "safetensors": ("weights/model.safetensors", dict),
    "distributed": ("model.pth", lambda own: {f"module.{name}": own[name] for name in own}),
    "compiled": ("m.pt", lambda own: {f"module._orig_mod.{name}": own[name] for name in own}),
    "lightning": (
        "last.ckpt",
        lambda own: {"epoch": 3, "state_dict": {f"model.{name}": own[name] for name in own}},
    ),
    "reversed": ("r.pt", lambda own: {f"_orig_mod.module.{name}": own[name] for name in own}),
    "averaged": (
        "a.pt",
        lambda own: {"n_averaged": torch.tensor(2)} | {f"module.{name}": own[name] for name in own},
    ),
    "checkpoint": ("c.pt", lambda own: {"model": dict(own), "optimizer": {"lr": 0.1}}),
}


@pytest.mark.parametrize("kind", sorted(WRAPPED))
def test_tensors_are_found_under_what_wraps_them(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory, kind: str
) -> None:
    own = weights_of(network)
    name, wrap = WRAPPED[kind]
    trained = make(workplace, network, foreign(tmp_path / "f", wrap(own), name), images)

    made = load_trained(trained).state_dict()
    assert made.keys() == own.keys()
    assert all(torch.equal(made[name], own[name]) for name in own)
    assert trained.classes == tuple(CLASSES)
    assert trained.description["normalisation"]["mean"] == list(IMAGENET_MEAN)
    assert workplace.summary == "3 classes, 344,867 parameters, 32 x 32 pixels"


def test_it_scores_and_is_evaluated_as_the_training_would_have_had_it(
    workplace: Workplace, tmp_path: Path
) -> None:
    squares = noise_squares(tmp_path / "store/a/out", CLASSES, per_class=16, operations=RESIZE)
    network = untrained(tmp_path / "network", "resnet18")
    trained = train(tmp_path / "training", squares, squares, network, precision="fp32")
    statistics = trained.description["normalisation"]
    model = foreign(tmp_path / "f", dict(load_file(trained.weights_path)))
    made = make(
        workplace,
        network,
        model,
        squares,
        normalisation="own numbers",
        mean=", ".join(map(repr, statistics["mean"])),
        standard_deviation=", ".join(map(repr, statistics["std"])),
    )

    scored = [
        score_image_model(each, squares, workplace.context()).scored_dataset
        for each in (trained, made)
    ]
    assert scored[0].rows.equals(scored[1].rows)
    results = evaluate_model(scored[1], context=workplace.context())
    of_training = trained.description["metrics"]["Top-1 validation accuracy"]
    assert results.evaluation_results.metrics["Overall_Accuracy"] == pytest.approx(of_training)
    operations = made.description["inference_transformation"]
    assert [each["operation"] for each in operations] == ["resize"]


def test_nothing_is_said_of_a_training_that_was_not_seen(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    made = make(workplace, network, foreign(tmp_path / "f", weights_of(network)), images)
    assert made.history.empty
    assert made.description["made_from"] == {"file": "model.pt", "framework": "pytorch"}
    assert "best_epoch" not in made.description


@pytest.mark.parametrize(
    ("normalisation", "mean"),
    [("none", 0.0), ("of the images", (220 + 40 + 50) / 3 / 255), ("own numbers", 0.5)],
)
def test_pixels_are_normalised_as_chosen(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    normalisation: str,
    mean: float,
) -> None:
    model = foreign(tmp_path / "f", weights_of(network))
    made = make(workplace, network, model, images, normalisation=normalisation)
    assert made.description["normalisation"]["mean"][0] == pytest.approx(mean, abs=0.01)


def test_a_whole_pickled_model_is_refused_and_none_of_its_code_is_run(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = tmp_path / "ran"

    class Net:
        def __setstate__(self, state: object) -> None:
            ran.touch()

    Net.__module__, Net.__qualname__ = "their_script", "Net"
    script = types.ModuleType("their_script")
    vars(script)["Net"] = Net
    monkeypatch.setitem(sys.modules, "their_script", script)
    whole = Net()
    vars(whole)["weight"] = torch.zeros(3)
    model = foreign(tmp_path / "f", whole)

    with pytest.raises(InvalidModelDirectoryError, match=r"model\.state_dict") as caught:
        make(workplace, network, model, images)
    assert "their_script.Net" in caught.value.message
    assert caught.value.parameter == "state_dict"
    assert not ran.exists()
    assert model.main_path.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no weights", "contains no readable tensors"),
        ({"accuracy": 0.5}, "a mapping of names to tensors"),
    ],
)
def test_files_without_tensors_are_refused(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    content: object,
    message: str,
) -> None:
    with pytest.raises(InvalidModelDirectoryError, match=message):
        make(workplace, network, foreign(tmp_path / "f", content), images)


def test_tensors_of_another_network_are_named_ten_at_most(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    model = foreign(tmp_path / "f", weights_of(untrained(tmp_path / "other", "resnet18")))
    with pytest.raises(InvalidModelDirectoryError, match="do not match shufflenet") as caught:
        make(workplace, network, model, images)
    assert caught.value.facts["names"]["count"] > 10
    assert len(caught.value.facts["names"]["first"]) == 10


def test_a_tensor_of_another_shape_is_named_with_both(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    own = weights_of(network)
    own["conv1.0.weight"] = torch.zeros(24, 1, 3, 3)
    with pytest.raises(InvalidModelDirectoryError) as caught:
        make(workplace, network, foreign(tmp_path / "f", own), images)
    assert "conv1.0.weight (24, 1, 3, 3) instead of (24, 3, 3, 3)" in caught.value.message


def test_a_head_for_other_classes_names_both_counts(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    model = foreign(tmp_path / "f", weights_of(network, num_classes=10))
    with pytest.raises(InvalidModelDirectoryError, match="has 10 classes") as caught:
        make(workplace, network, model, images)
    assert caught.value.port == "images"
    assert "the images have 3: blue, green, red" in caught.value.message


def test_a_file_that_is_not_there_names_those_that_are(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    model = foreign(tmp_path / "f", weights_of(network))
    with pytest.raises(InvalidModelDirectoryError, match=r"Available files: model\.pt"):
        make(workplace, network, model, images, state_dict="../model.json")


def test_a_script_that_wrote_no_model_is_told_how(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    (tmp_path / "f").mkdir()
    empty = ForeignModel.write(tmp_path / "f", main="", framework="")
    with pytest.raises(InvalidModelDirectoryError, match=r"torch\.save") as caught:
        make(workplace, network, empty, images)
    assert caught.value.port == "model"


def test_images_without_classes_are_refused(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel
) -> None:
    nameless = noise_squares(tmp_path / "store/n/out", [], per_class=0)
    with pytest.raises(InvalidDatasetError, match="have no classes"):
        make(workplace, network, foreign(tmp_path / "f", weights_of(network)), nameless)


@pytest.mark.parametrize("settings", [{"mean": "1, 2"}, {"standard_deviation": "1, 0, 1"}])
def test_numbers_that_cannot_be_meant_are_found_before_the_run(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    settings: dict[str, Any],
) -> None:
    chosen: dict[str, Any] = {"normalisation": "own numbers", **settings}
    assert make_trained_model.check is not None
    found = list(make_trained_model.check(MakeTrainedModelParameters(**chosen)))
    assert [each.parameter for each in found] == list(settings)
    assert not list(make_trained_model.check(MakeTrainedModelParameters(**settings)))
    with pytest.raises(NotInRangeValueError):
        make(workplace, network, foreign(tmp_path / "f", weights_of(network)), images, **chosen)


def test_a_class_whose_folder_the_script_did_not_find_has_no_output(
    workplace: Workplace, tmp_path: Path, network: UntrainedModel, images: ImageDirectory
) -> None:
    (tmp_path / "store/part/out").mkdir(parents=True)
    rows = images.images[images.images["label"] != "green"]
    part = images.derive(tmp_path / "store/part/out", rows)
    of_two = foreign(tmp_path / "two", weights_of(network, num_classes=2))
    assert make(workplace, network, of_two, part).classes == ("blue", "red")
    of_all = foreign(tmp_path / "all", weights_of(network))
    assert make(workplace, network, of_all, part).classes == tuple(CLASSES)
