"""Weights files made here are gone on from as they were left, wherever the file came from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from modules.artifacts import TrainedModel
from modules.models.origin import MODEL_KEY, WeightsOrigin
from modules.models.weights_header import read_texts
from pipelines.document.document import PipelineDocument
from pipelines.registry.model_export import export
from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import failure, node, wired

pytestmark = pytest.mark.extended

SAME = {"epochs": 1, "batch_size": 4, "learning_rate": 1e-12, "precision": "fp32"}
"""What a training keeps as it is; SqueezeNet has no statistics of batches that would move."""


def bright(folder: Path, *names: str, count: int = 6) -> str:
    """A source of bright pictures, nothing like ImageNet's, each class a little darker."""
    for darker, name in enumerate(names):
        (folder / name).mkdir(parents=True)
        for number in range(count):
            level = 235 - 40 * darker + number
            Image.new("RGB", (32, 32), (level, level, 250)).save(folder / name / f"{number}.png")
    return f"file:{folder}"


def training(source: str, model: dict[str, Any], **settings: Any) -> PipelineDocument:
    """SqueezeNet, trained and validated on the same pictures."""
    chosen = {"model_name": "squeezenet1_1", "pretrained": False, **model}
    return wired(
        [
            node("import", "import_images", source=source),
            node("convert", "convert_to_image_directory"),
            node("model", "image_model", **chosen),
            node("train", "train_pytorch_model", **{**SAME, **settings}),
        ],
        "import.dataset -> convert.input_dataset",
        "model.untrained_model -> train.untrained_model",
        "convert.output_image_directory -> train.training_dataset",
        "convert.output_image_directory -> train.validation_dataset",
    )


def trained(runs: RunService, document: PipelineDocument) -> TrainedModel:
    _, state = run(runs, document)
    assert state.status == "completed", state.problem
    return TrainedModel(Path(runs.artifacts.outputs(state.steps["train"])["trained_model"]))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bright(tmp_path_factory.mktemp("bright"), "no", "yes")


@pytest.fixture(scope="module")
def first(source: str, shared_runs: RunService) -> TrainedModel:
    return trained(shared_runs, training(source, {}, epochs=4, learning_rate=0.01))


def loss(model: TrainedModel) -> float:
    return float(model.history["Valid loss"].min())


def without_its_own_words(model: TrainedModel, folder: Path) -> Path:
    """The model as earlier versions wrote it: only ``model.json`` says of its images."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(model.path, folder)
    path = folder / "model.safetensors"
    save_file(load_file(path), path, {"pipeline-designer": "null"})
    return path


@pytest.mark.parametrize(
    ("made", "freeze"),
    [
        ("artifact", "none"),
        ("earlier version", "all but the head"),
        *(
            pytest.param(made, freeze, marks=pytest.mark.full)  # the same by other ways
            for made, freeze in (
                ("artifact", "all but the head"),
                ("weights alone", "none"),
                ("weights alone", "all but the head"),
                ("exported", "none"),
                ("exported", "all but the head"),
                ("earlier version", "none"),
            )
        ),
    ],
)
def test_the_same_weights_have_the_same_loss(
    made: str,
    freeze: str,
    source: str,
    first: TrainedModel,
    shared_runs: RunService,
    tmp_path: Path,
) -> None:
    path = first.weights_path
    if made == "weights alone":
        path = Path(shutil.copy(path, tmp_path / "mine.safetensors"))
    elif made == "exported":
        path = tmp_path / "exported.safetensors"
        export(registered(shared_runs, first), path)
    elif made == "earlier version":
        path = without_its_own_words(first, tmp_path / "old")
    again = trained(shared_runs, training(source, {"weights_path": str(path), "freeze": freeze}))
    assert loss(again) == pytest.approx(loss(first), abs=1e-4)
    assert again.description["normalisation"] == first.description["normalisation"]


def registered(runs: RunService, model: TrainedModel) -> RegisteredVersion:
    registry = ModelRegistry(runs.database, runs.artifacts)
    record = next(item for item in runs.artifacts.index.all() if item.id == model.path.parent.name)
    return registry.register(record.id, "trained_model", "bright")


def test_the_export_of_an_earlier_versions_model_says_what_its_description_says(
    first: TrainedModel, tmp_path: Path
) -> None:
    from pipelines.registry.model_export import weights

    old = TrainedModel(without_its_own_words(first, tmp_path / "old").parent)
    assert MODEL_KEY not in read_texts(old.weights_path)
    path = tmp_path / "alone.safetensors"
    path.write_bytes(weights(old))
    assert WeightsOrigin.of(path) == WeightsOrigin.of(first.weights_path)
    assert tensors(path).keys() == tensors(first.weights_path).keys()
    assert weights(first) == first.weights_path.read_bytes()


def tensors(path: Path) -> dict[str, Any]:
    from safetensors.numpy import load_file

    return dict(load_file(path))


@pytest.mark.full  # contents in the key: tests/modules/models/test_modules
def test_another_description_beside_the_same_weights_is_another_key(
    source: str, first: TrainedModel, shared_runs: RunService, tmp_path: Path
) -> None:
    path = without_its_own_words(first, tmp_path / "old")
    document = training(source, {"weights_path": str(path)})
    trained(shared_runs, document)
    _, state = run(shared_runs, document)
    assert state.steps["train"].status == "reused"
    (path.parent / "model.json").unlink()
    _, state = run(shared_runs, document)
    assert state.steps["train"].status == "completed"


@pytest.mark.parametrize("text", ["", "{", '{"normalisation": {"mean": [0, 0], "std": [1]}}'])
def test_damaged_words_are_refused(
    text: str, source: str, first: TrainedModel, shared_runs: RunService, tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    path = tmp_path / "damaged.safetensors"
    save_file(load_file(first.weights_path), path, {MODEL_KEY: text})
    problem = failure(shared_runs, training(source, {"weights_path": str(path)}), "model")
    assert (problem["code"], problem["parameter"]) == ("0159", "weights_path")


@pytest.mark.full  # kept: test_train_pytorch_model; gone on from: above
def test_the_best_weights_of_a_diverged_training_go_on_as_they_were(
    source: str, shared_runs: RunService
) -> None:
    # One step an epoch: the first is a small one, those behind the warm-up are far too large.
    rates = {"learning_rate": 100.0, "warmup_step_number": 1, "batch_size": 12}
    document = training(source, {}, **rates, epochs=20, patience=20)
    run_id, state = run(shared_runs, document)
    problem = state.steps["train"].problem
    assert problem is not None
    assert problem["code"] == "3101"
    points = shared_runs.store.metrics(run_id, "train")
    best = min(point.value for point in points if point.name == "Valid loss" and point.value)
    path = problem["cure"].split("enter ", 1)[1].split(" as Weights file")[0]
    again = trained(shared_runs, training(source, {"weights_path": path}))
    assert WeightsOrigin.of(Path(path)).classes == ("no", "yes")
    assert loss(again) == pytest.approx(best, abs=1e-4)


def head(model: TrainedModel) -> Any:
    return tensors(model.weights_path)["classifier.1.bias"]


REPEATABLE = {"reproducible": "on", "random_seed": 7}


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("apple", "pear"), marks=pytest.mark.full),  # as where one is the same
        ("apple", "no", "pear"),
    ],
)
def test_a_head_for_classes_of_other_names_is_made_anew(
    names: tuple[str, ...], first: TrainedModel, shared_runs: RunService, tmp_path: Path
) -> None:
    source = bright(tmp_path / "fruit", *names)
    model = {"weights_path": str(first.weights_path)}
    _, state = run(shared_runs, training(source, model, **REPEATABLE))
    assert state.status == "completed", state.problem
    assert any(
        "no, yes" in warning and "apple" in warning for warning in state.steps["train"].warnings
    )
    made = TrainedModel(Path(shared_runs.artifacts.outputs(state.steps["train"])["trained_model"]))
    fresh = trained(shared_runs, training(source, {}, **REPEATABLE))
    assert abs(head(made) - head(fresh)).max() < 1e-6
    own = tensors(made.weights_path)["features.0.weight"]
    assert abs(own - tensors(first.weights_path)["features.0.weight"]).max() < 1e-6


@pytest.mark.full  # as tests/modules/models/test_head
def test_the_same_classes_in_another_order_keep_their_rows_of_the_head(
    source: str, first: TrainedModel, shared_runs: RunService, tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    content = load_file(first.weights_path)
    origin = WeightsOrigin.of(first.weights_path).model_copy(update={"classes": ("yes", "no")})
    turned = {
        name: item.flip(0).contiguous() if name.startswith("classifier.1.") else item
        for name, item in content.items()
    }
    path = tmp_path / "turned.safetensors"
    save_file(turned, path, {MODEL_KEY: origin.model_dump_json()})
    again = trained(shared_runs, training(source, {"weights_path": str(path)}))
    assert loss(again) == pytest.approx(loss(first), abs=1e-4)
    assert abs(head(again) - head(first)).max() < 1e-6


@pytest.mark.full  # as tests/modules/models/test_head
def test_a_head_without_names_is_kept_with_a_warning(
    source: str, first: TrainedModel, shared_runs: RunService, tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    path = tmp_path / "nameless.safetensors"
    save_file(load_file(first.weights_path), path)
    _, state = run(shared_runs, training(source, {"weights_path": str(path)}))
    assert any("unnamed classes" in warning for warning in state.steps["train"].warnings)
    made = TrainedModel(Path(shared_runs.artifacts.outputs(state.steps["train"])["trained_model"]))
    assert abs(head(made) - head(first)).max() < 1e-6
