"""Train PyTorch Model, really training: small networks on squares of coloured noise."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from modules.artifacts import ImageDirectory, UntrainedModel
from modules.compute.gemm_convolution import Convolution, may_gain
from modules.compute.precision import Precision
from modules.compute.thread_count import FreeCores
from modules.compute.throughput import LIMIT
from modules.compute.timing import ACTIVITIES
from modules.context import Report
from modules.errors import (
    GreaterThanOrEqualToError,
    InvalidDatasetError,
    InvalidModelDirectoryError,
    LessThanOrEqualToError,
    NotLabeledDatasetError,
    TrainingDivergedError,
)
from modules.training import setup
from modules.training.early_stopping import Patience
from tests.modules.training.noise import noise_squares, untrained
from tests.modules.training.trainings import METRICS, train

SLOW_STEP_SECONDS = 0.1
"""Computing that is not small next to the rest, whatever else the machine does."""
SPEED = ["Images per second", *(f"Time {name}" for name in ACTIVITIES)]
"""What a training tells of itself at its end; the share of the limit only where it is measured."""


class Interrupted(Exception):
    """What a test ends a training with."""


def test_a_training_learns_and_hands_on_all_a_model_needs(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    capsys: pytest.CaptureFixture[str],
) -> None:
    events: list[Report] = []
    trained = train(tmp_path, *squares, events=events, epochs=5, print_frequency=2)
    trained.check()
    assert list(trained.history.columns) == METRICS
    assert len(trained.history) == 5
    assert trained.history["Top-1 validation accuracy"].max() > 0.9
    assert not [event for event in events if str(event.get("name")).startswith("Top-5")]
    described = trained.description
    assert described["classes"] == ["red", "green", "blue"]
    assert described["input_size"] == {"height": 32, "width": 32}
    best = trained.history["Valid loss"].argmin()
    assert described["best_epoch"] == best + 1
    assert described["metrics"] == trained.history.iloc[best].to_dict()
    assert described["training_parameters"]["epochs"] == 5
    assert 0.2 < described["normalisation"]["mean"][0] < 0.5
    metrics = [(event["name"], event["step"]) for event in events if event["kind"] == "metric"]
    assert metrics[: 5 * len(METRICS)] == [
        (name, epoch) for epoch in range(1, 6) for name in METRICS
    ]
    told = [name for name, _ in metrics[5 * len(METRICS) :]]
    assert [name for name in told if name != LIMIT] == SPEED, "its limit where time was left"
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    assert f"best epoch {best + 1} of 5" in summary
    log = capsys.readouterr().out
    assert "effective learning rate 0.02 = 0.02 x 1" in log
    assert "epoch 1/5  iteration 2/6" in log
    assert len(list((tmp_path / "cache" / "costs").iterdir())) == 1, "forecasts load no torch"


def test_the_trained_model_has_the_weights_of_its_best_epoch(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Patience, "improves", lambda patience, _: patience.best_epoch == 0)
    trained = train(tmp_path, *squares, untrained(tmp_path / "recipe", "squeezenet1_1"))
    assert trained.description["best_epoch"] == 1
    first, last = (
        torch.load(path, weights_only=True)["model"]["features.0.weight"]
        for path in sorted((tmp_path / "checkpoints").glob("epoch-*.pt"))
    )
    weights = load_file(trained.weights_path)["features.0.weight"]
    assert torch.equal(weights, first)
    assert not torch.equal(weights, last)


def test_a_training_says_where_its_time_went_and_how_near_the_limit_it_ran(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("modules.training.throughput_limit.LEAST_SECONDS", 20.0)
    monkeypatch.setattr("modules.training.throughput_limit.MOST_SECONDS", 20.0)
    forward = torch.nn.CrossEntropyLoss.forward

    def slow(loss: torch.nn.CrossEntropyLoss, *tensors: torch.Tensor) -> torch.Tensor:
        time.sleep(SLOW_STEP_SECONDS)
        return forward(loss, *tensors)

    monkeypatch.setattr(torch.nn.CrossEntropyLoss, "forward", slow)
    events: list[Report] = []
    train(tmp_path, *squares, events=events, epochs=2)
    told = {each["name"]: each["value"] for each in events if each["kind"] == "metric"}
    assert sum(told[f"Time {name}"] for name in ACTIVITIES) == pytest.approx(1)
    assert told["Time computing"] > 0.2
    assert told["Time communicating"] == 0
    assert told["Time validating"] > 0
    assert 0 < told["Share of this machine's limit"] <= 1
    [work] = [each for each in events if each["kind"] == "work"]
    assert 0 <= work["busy_share"] <= 1
    assert work["num_images"] == 2 * (48 + 12)
    assert work["name"].startswith("resnet18, 32 x 32")
    [summary] = [each["text"] for each in events if each["kind"] == "summary"]
    assert "% of this machine's limit" in summary
    assert "speed: " in capsys.readouterr().out


def test_the_limit_is_that_of_the_network_as_it_is_trained(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    from modules.training.throughput_limit import MOST_STEPS

    compiled = {"graphs": 0, "steps": 0}

    def noted(graph: torch.fx.GraphModule, _: list[torch.Tensor]) -> object:
        compiled["graphs"] += 1

        def run(*given: torch.Tensor) -> object:
            compiled["steps"] += 1
            return graph.forward(*given)

        return run

    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=noted))
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("modules.training.throughput_limit.LEAST_SECONDS", 600.0)
    monkeypatch.setattr("modules.training.throughput_limit.MOST_SECONDS", 600.0)
    events: list[Report] = []
    model = untrained(tmp_path / "recipe", "squeezenet1_1")
    large = noise_squares(tmp_path / "store/large/out", size=(64, 64))
    train(tmp_path, large, large, model, events, epochs=1, compile="on", precision="fp32")
    assert LIMIT in {each["name"] for each in events if each["kind"] == "metric"}
    assert compiled["steps"] == compiled["graphs"] * (24 // 8 + MOST_STEPS)


@pytest.mark.parametrize(
    "architecture",
    [
        pytest.param("resnet18", id="channels first", marks=pytest.mark.full),  # only slower
        pytest.param("mobilenet_v3_small", id="channels last"),
    ],
)
def test_a_resumed_training_equals_an_uninterrupted_one_bit_for_bit(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory], architecture: str
) -> None:
    flip = [{"operation": "random_horizontal_flip", "p": 0.5}, {"operation": "mixup", "alpha": 1.0}]
    training = noise_squares(
        tmp_path / "store/random/out", per_class=12, operations=flip, mode="For training"
    )
    chosen: dict[str, Any] = {"epochs": 3, "reproducible": "on"}
    model = untrained(tmp_path / "recipe", architecture)
    whole = train(tmp_path / "whole", training, squares[1], model, **chosen)

    class Interrupting(list[Report]):
        def append(self, event: Report) -> None:
            if event["kind"] == "metric" and event["step"] == 3:
                raise Interrupted
            super().append(event)

    with pytest.raises(Interrupted):
        train(tmp_path / "parts", training, squares[1], model, Interrupting(), **chosen)
    resumed = train(tmp_path / "parts", training, squares[1], model, **chosen)
    assert resumed.weights_path.read_bytes() == whole.weights_path.read_bytes()
    speed = "Train images per second"
    assert resumed.history.drop(columns=speed).equals(whole.history.drop(columns=speed))


@pytest.mark.parametrize("reproducible", ["off", pytest.param("on", marks=pytest.mark.extended)])
def test_convolutions_race_unless_every_bit_shall_repeat(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    reproducible: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raced: set[Convolution] = set()
    compute = Convolution.__call__

    def spy(way: Convolution, images_NCHW: torch.Tensor) -> torch.Tensor:
        raced.add(way)
        return compute(way, images_NCHW)

    monkeypatch.setattr(Convolution, "__call__", spy)
    model = untrained(tmp_path / "recipe", "resnet18")
    trained = train(tmp_path, *squares, model, reproducible=reproducible)
    is_raced = reproducible == "off" and may_gain() and not torch.cuda.is_available()
    assert len(raced) == (20 if is_raced else 0)
    assert trained.history["Train loss"].iloc[-1] < trained.history["Train loss"].iloc[0]


def test_a_loss_that_is_no_number_names_the_rate_to_try(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    with pytest.raises(TrainingDivergedError, match="learning rate") as caught:
        train(tmp_path, *squares, learning_rate=1e30, precision="fp32")
    assert caught.value.remedy == {"set": {"learning_rate": 0.1}}
    assert "Weights file" not in caught.value.cure, "there are no good weights yet"


@pytest.mark.extended
def test_weights_from_before_the_loss_was_no_number_are_kept_to_go_on_from(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    from torch import nn
    from torch.nn.modules.module import register_module_forward_pre_hook

    def spoil(module: nn.Module, _: object) -> None:
        if isinstance(module, nn.Linear):
            module.weight.data.fill_(float("nan"))

    class AfterOneEpoch(list[Report]):
        def append(self, event: Report) -> None:
            super().append(event)
            if event.get("name") == "Valid loss":
                hooks.append(register_module_forward_pre_hook(spoil))

    hooks: list[Any] = []
    try:
        with pytest.raises(TrainingDivergedError, match="learning rate") as caught:
            train(tmp_path, *squares, epochs=3, events=AfterOneEpoch())
    finally:
        for hook in hooks:
            hook.remove()
    (kept,) = (tmp_path / "checkpoints").glob("best-epoch-000001.safetensors")
    assert str(kept) in caught.value.cure
    folder = tmp_path / "again"
    folder.mkdir()
    recipe = {**UntrainedModel(tmp_path / "recipe").recipe, "weights_path": str(kept)}
    model = UntrainedModel.write(folder, recipe)
    assert len(train(folder, *squares, model, epochs=1).history) == 1


def test_patience_ends_a_training_that_no_longer_improves(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    trained = train(tmp_path, *squares, epochs=40, patience=1, learning_rate=1e-12)
    assert len(trained.history) < 40
    assert "no lower validation loss" in trained.description["ended_early"]


def test_stop_and_keep_hands_on_a_model(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    (tmp_path / "stop").touch()
    trained = train(tmp_path, *squares, epochs=50)
    assert len(trained.history) == 1
    assert trained.description["ended_early"] == "finished early on request"
    trained.check()


def test_the_time_limit_ends_a_training(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    trained = train(tmp_path, *squares, epochs=10_000, time_limit=1 / 60)
    assert trained.description["ended_early"] == "time limit reached"


@pytest.mark.extended
def test_fp16_learns(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a GPU before Ampere, with losses that are scaled; a processor is only slower at it."""
    half = Precision("fp16", "cpu", channels_last=False)
    monkeypatch.setattr(setup, "choose_precision", lambda *_, **__: half)
    model = untrained(tmp_path / "recipe", "squeezenet1_1")
    trained = train(tmp_path, *squares, model, epochs=3, learning_rate=0.005)
    assert trained.description["precision"] == "fp16"
    assert trained.history["Train loss"].iloc[-1] < trained.history["Train loss"].iloc[0]


@pytest.mark.parametrize("optimizer", ["adamw", pytest.param("muon", marks=pytest.mark.extended)])
def test_other_optimizers_learn(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory], optimizer: str
) -> None:
    model = untrained(tmp_path / "recipe", "shufflenet_v2_x0_5")
    chosen: dict[str, Any] = {"epochs": 5, "optimizer": optimizer, "learning_rate": 0.01}
    trained = train(tmp_path, *squares, model, **chosen)
    assert trained.history["Train loss"].iloc[-1] < trained.history["Train loss"].iloc[0]


def test_images_of_unequal_size_train_where_a_random_crop_makes_them_equal(tmp_path: Path) -> None:
    crop = {"operation": "random_resized_crop", "size": 32, "scale": [0.3, 1], "ratio": [0.8, 1.2]}
    sizes = ((40, 32), (50, 61), (32, 32))
    training = noise_squares(
        tmp_path / "store/a/out", sizes=sizes, operations=[crop], mode="For training"
    )
    centre = [{"operation": "resize", "size": 32}, {"operation": "center_crop", "size": 32}]
    validation = noise_squares(tmp_path / "store/b/out", sizes=sizes, seed=3, operations=centre)
    trained = train(tmp_path, training, validation, class_weights="balanced", label_smoothing=0.1)
    assert trained.description["inference_transformation"] == centre


def test_one_image_a_class_is_enough(tmp_path: Path) -> None:
    training = noise_squares(tmp_path / "store/a/out", per_class=1)
    validation = noise_squares(tmp_path / "store/b/out", per_class=1, seed=1)
    train(tmp_path, training, validation, batch_size=3, epochs=1).check()


def test_classes_that_differ_are_told_in_either_direction(tmp_path: Path) -> None:
    three = noise_squares(tmp_path / "store/three/out")
    two = noise_squares(tmp_path / "store/two/out", classes=("red", "green"))
    with pytest.raises(InvalidDatasetError, match="only the training dataset has blue"):
        train(tmp_path / "a", three, two)
    with pytest.raises(InvalidDatasetError, match="only the validation dataset has blue"):
        train(tmp_path / "b", two, three)


def test_lists_of_classes_are_bounded(tmp_path: Path) -> None:
    many = noise_squares(tmp_path / "store/a/out", [f"c{k:03}" for k in range(400)], 1)
    other = noise_squares(tmp_path / "store/b/out", [f"d{k:03}" for k in range(400)], 1)
    with pytest.raises(InvalidDatasetError, match="and 390 more") as caught:
        train(tmp_path, many, other)
    assert len(str(caught.value)) < 500


def test_a_batch_larger_than_the_data_names_the_one_to_try(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    with pytest.raises(LessThanOrEqualToError) as caught:
        train(tmp_path, *squares, batch_size=49)
    assert caught.value.remedy == {"set": {"batch_size": 48}}
    assert caught.value.parameter == "batch_size"


def test_a_batch_of_one_is_refused_where_the_model_normalises_over_it(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    with pytest.raises(GreaterThanOrEqualToError):
        train(tmp_path, *squares, batch_size=1)


def test_labels_are_needed(tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]) -> None:
    unlabeled = noise_squares(tmp_path / "store/u/out", labeled=False)
    with pytest.raises(NotLabeledDatasetError) as caught:
        train(tmp_path, squares[0], unlabeled)
    assert caught.value.port == "validation_dataset"


def test_something_else_than_a_recipe_is_refused(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    (tmp_path / "junk").mkdir()
    with pytest.raises(InvalidModelDirectoryError):
        train(tmp_path, *squares, UntrainedModel(tmp_path / "junk"))


def test_images_too_small_for_the_network_are_refused(tmp_path: Path) -> None:
    tiny = noise_squares(tmp_path / "store/a/out", size=(8, 8))
    model = untrained(tmp_path / "recipe", "densenet121")
    with pytest.raises(InvalidDatasetError) as caught:
        train(tmp_path, tiny, tiny, model)
    assert caught.value.port == "training_dataset"


@pytest.mark.parametrize(("reproducible", "cores"), [("off", [2, 1]), ("on", [2])])
def test_threads_are_given_up_to_other_work_unless_results_are_to_stay_the_same(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
    reproducible: str,
    cores: list[int],
) -> None:
    free = iter([2.0])  # before the first step; then others want all of it
    monkeypatch.setattr(FreeCores, "look", lambda _: next(free, 0.0))
    monkeypatch.setattr("modules.compute.thread_count.LOOK_SECONDS", 0.0)
    events: list[Report] = []
    train(tmp_path, *squares, events=events, threads=2, reproducible=reproducible)
    told = [each for each in events if each["kind"] == "phase"]
    assert [each["cores"] for each in told] == cores
    assert (told[-1]["least_cores"], told[-1]["most_cores"]) == (cores[-1], 2)
    assert torch.get_num_threads() == cores[-1]
