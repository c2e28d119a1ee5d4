"""Score Image Model on small networks and squares of coloured noise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from modules.artifacts import ImageDirectory, ScoredImages, TrainedModel, read_json, write_json
from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.precision import Precision
from modules.compute.throughput import LIMIT, RATE
from modules.compute.timing import WAITING, Stopwatch
from modules.context import Context, Report
from modules.errors import InvalidDatasetError, InvalidModelDirectoryError
from modules.formatting import percent
from modules.scoring import inference
from modules.scoring.backend_selection import TOLERANCES, BackendChoice, BackendSelector
from modules.scoring.backends import TorchRuntime, installed_runtimes
from modules.scoring.misclassified import PICTURES_FILE
from modules.scoring.score_image_model import score_image_model
from tests.modules.compute.ranks import run_ranks
from tests.modules.scoring.small import CLASSES, Switching, opened, random_model, small_scorer
from tests.modules.training.noise import ROUNDING, noise_squares


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return random_model(tmp_path_factory.mktemp("model"))


def _score(
    folder: Path, model: TrainedModel, dataset: ImageDirectory, events: list[Report] | None = None
) -> ScoredImages:
    emit: Any = (events if events is not None else []).append
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=1, emit=emit)
    scored = score_image_model(model, dataset, context).scored_dataset
    assert isinstance(scored, ScoredImages)
    return scored


def test_the_columns_and_what_they_mean(tmp_path: Path, model: TrainedModel) -> None:
    events: list[Report] = []
    dataset = noise_squares(tmp_path / "store/a/out")
    scored = _score(tmp_path, model, dataset, events)
    scored.check()
    rows = scored.rows
    names = [f"Scored Probabilities_{name}" for name in CLASSES]
    columns = ["path", "category", "Scored Labels", *names, "confidence", "margin", "loss"]
    assert list(rows.columns) == [*columns, "sha256"]
    assert list(rows["sha256"]) == list(dataset.images["sha256"])
    assert list(rows["path"]) == list(dataset.images["path"])
    assert list(rows["category"]) == list(dataset.images["label"])
    probabilities = rows[names].to_numpy()
    assert probabilities.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert list(rows["Scored Labels"]) == [CLASSES[index] for index in probabilities.argmax(axis=1)]
    assert rows["confidence"].to_numpy() == pytest.approx(probabilities.max(axis=1))
    top = np.sort(probabilities, axis=1)
    assert rows["margin"].to_numpy() == pytest.approx(top[:, -1] - top[:, -2], abs=1e-6)
    own = [row[CLASSES.index(c)] for row, c in zip(probabilities, rows["category"], strict=True)]
    assert rows["loss"].to_numpy(dtype=float) == pytest.approx(-np.log(own), rel=1e-4)
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    accuracy = percent(float((rows["category"] == rows["Scored Labels"]).mean()))
    assert summary.startswith(f"{accuracy:.1f} % correct, ")  # the footer has room for the first
    wrong = rows[rows["category"] != rows["Scored Labels"]]
    pictures = pd.read_parquet(scored.path / PICTURES_FILE)
    assert set(pictures["path"]) == set(wrong["path"])
    assert all(picture.startswith(b"\xff\xd8\xff") for picture in pictures["picture"])
    assert len(list((tmp_path / "cache" / "costs").iterdir())) == 1, "forecasts load no torch"


def test_the_models_transformation_makes_unequal_images_equal(
    tmp_path: Path, model: TrainedModel
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((40, 64), (33, 32)))
    assert len(_score(tmp_path, model, dataset).rows) == 24


def test_an_attached_transformation_goes_first_without_its_chance(
    tmp_path: Path, model: TrainedModel
) -> None:
    operations = [
        {"operation": "resize", "size": 48},
        {"operation": "random_vertical_flip", "p": 1.0},
    ]
    events: list[Report] = []
    dataset = noise_squares(
        tmp_path / "store/a/out", operations=operations, mode="For training", size=(80, 64)
    )
    first = _score(tmp_path / "1", model, dataset, events).rows
    assert first.equals(_score(tmp_path / "2", model, dataset).rows)
    [warning] = [event["message"] for event in events if event["kind"] == "warning"]
    assert "images of 32 x 32 pixels, but these have 60 x 48" in warning


def test_every_batch_is_reported_with_the_time_left(
    tmp_path: Path, model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "LARGEST_BATCH", 4)
    monkeypatch.setattr(inference, "SMALLEST_BATCH", 4)
    monkeypatch.setattr(inference, "PROGRESS_SECONDS", -1.0)
    events: list[Report] = []
    _score(tmp_path, model, noise_squares(tmp_path / "store/a/out"), events)
    reported = [event for event in events if "images_per_second" in event]
    assert [event["done"] for event in reported] == [4, 8, 12, 16, 20, 24]
    assert {event["total"] for event in reported} == {24}
    assert reported[0]["seconds_left"] > 0
    assert reported[-1]["seconds_left"] == 0


def test_unlabelled_images_have_neither_category_nor_loss(
    tmp_path: Path, model: TrainedModel
) -> None:
    rows = _score(tmp_path, model, noise_squares(tmp_path / "store/a/out", labeled=False)).rows
    assert "category" not in rows.columns
    assert rows["loss"].isna().all()


def test_classes_the_model_does_not_know_are_warned_of(tmp_path: Path, model: TrainedModel) -> None:
    events: list[Report] = []
    dataset = noise_squares(tmp_path / "store/a/out", ["red", "mauve"])
    rows = _score(tmp_path, model, dataset, events).rows
    assert "mauve" in next(e["message"] for e in events if e["kind"] == "warning")
    assert rows["loss"].isna().tolist() == (rows["category"] == "mauve").tolist()


def test_unequal_sizes_are_refused_where_nothing_makes_them_equal(
    tmp_path: Path, model: TrainedModel
) -> None:
    resize = [{"operation": "resize", "size": 32}]
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((32, 32), (64, 32)), operations=resize)
    with pytest.raises(InvalidDatasetError) as caught:
        _score(tmp_path, model, dataset)
    assert caught.value.port == "dataset"
    assert caught.value.remedy


def test_images_too_small_for_the_network_are_refused(tmp_path: Path) -> None:
    tiny = noise_squares(tmp_path / "store/a/out", size=(8, 8), operations=[])
    path = random_model(tmp_path / "model").path / "model.json"
    description = read_json(path)
    description["recipe"]["architecture"] = "densenet121"
    write_json(path, description)
    with pytest.raises(InvalidDatasetError) as caught:
        _score(tmp_path, TrainedModel(path.parent), tiny)
    assert caught.value.port == "dataset"
    assert "8 x 8" in str(caught.value)


def test_an_untrained_model_is_refused(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    (tmp_path / "m").mkdir()
    write_json(tmp_path / "m/model.json", {"role": "untrained", "recipe": {}})
    with pytest.raises(InvalidModelDirectoryError):
        _score(tmp_path, TrainedModel(tmp_path / "m"), dataset)


def test_the_scoring_tells_where_its_time_went_and_how_near_the_limit(
    tmp_path: Path, model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "LIMIT_SECONDS", 20.0)  # a batch may take long on a busy machine
    events: list[Report] = []
    _score(tmp_path, model, noise_squares(tmp_path / "store/a/out"), events)
    metrics = {each["name"]: each["value"] for each in events if each["kind"] == "metric"}
    shares = {name: value for name, value in metrics.items() if name.startswith("Time ")}
    assert sum(shares.values()) == pytest.approx(1, abs=1e-6)
    assert shares["Time computing"] > 0
    assert shares["Time waiting for data"] > 0
    assert 0 < metrics[LIMIT] <= 1
    [work] = [each for each in events if each["kind"] == "work"]
    assert 0 <= work["busy_share"] <= 1
    assert metrics[RATE] == pytest.approx(work["num_images"] / work["seconds"])
    assert "of this machine's limit" in next(e["text"] for e in events if e["kind"] == "summary")


class _Waiting(Stopwatch):
    """A watch that sees a minute go by whenever it begins to count an activity."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(lambda: self.now)

    @contextmanager
    def during(self, activity: str) -> Iterator[None]:
        with super().during(activity):
            self.now += 60.0
            yield


def test_decoding_is_waiting_and_measuring_the_limit_is_not(
    tmp_path: Path, model: TrainedModel
) -> None:
    scorer = small_scorer(model, _alone(tmp_path), watch=_Waiting())
    with opened(scorer, noise_squares(tmp_path / "store/a/out")) as images:
        assert scorer.watch.total_seconds == 60.0
        assert scorer.score(images, [0] * len(images)) is not None
    assert scorer.speed is not None
    assert scorer.speed.limit is not None
    # Opened, read, one more read that finds the end, prepared, gathered: a minute each.
    assert scorer.watch.total_seconds == 5 * 60.0
    assert scorer.speed.shares[WAITING] == pytest.approx(4 / 5)
    assert scorer.speed.images_per_second == pytest.approx(24 / 300.0)


def test_a_process_without_images_knows_the_number_of_classes(
    tmp_path: Path, model: TrainedModel
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", ["red"], per_class=1)
    alone = small_scorer(model, _alone(tmp_path))
    second = Context(tmp_path / "staging", rank=1, world_size=2, threads=1)
    scorer = replace(alone, group=ProcessGroup(second, torch.device("cpu")))
    with opened(alone, dataset) as images:
        probabilities_NK, losses_N = scorer._score_share(images, [0])
    assert (probabilities_NK.shape, losses_N.shape) == ((0, len(CLASSES)), (0,))


def test_a_batch_too_large_for_gpu_memory_is_scored_in_halves() -> None:
    class Crowded(torch.nn.Module):
        def __init__(self, most: int) -> None:
            super().__init__()
            self.most = most

        def forward(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            if len(images_NCHW) > self.most:
                raise torch.OutOfMemoryError
            return images_NCHW.mean(dim=(2, 3))

    images_NCHW, fp32 = torch.rand(5, 3, 4, 4), Precision("fp32", "cpu", channels_last=False)
    logits_NK = TorchRuntime(Crowded(1), fp32)(images_NCHW)
    assert torch.allclose(logits_NK, images_NCHW.mean(dim=(2, 3)))
    with pytest.raises(torch.OutOfMemoryError):
        TorchRuntime(Crowded(0), fp32)(images_NCHW)


class _Listening(BackendSelector):
    """Continues with torch, and records the images and the time that is left."""

    def __init__(self) -> None:
        super().__init__(None, {}, 1)
        self.asked: list[tuple[int, float]] = []

    def choose(
        self, torch_runtime: TorchRuntime, images_NCHW: torch.Tensor, seconds_left: float
    ) -> BackendChoice:
        self.asked.append((len(images_NCHW), seconds_left))
        return BackendChoice(torch_runtime)


def test_runtimes_are_chosen_once_after_the_first_batches(
    tmp_path: Path, model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "LARGEST_BATCH", 4)
    monkeypatch.setattr(inference, "SMALLEST_BATCH", 4)
    chooser = _Listening()
    scorer = small_scorer(model, _alone(tmp_path), chooser)
    dataset = noise_squares(tmp_path / "store/a/out")
    with opened(scorer, dataset) as images:
        scorer.score(images, [0] * len(images))
    [(num_images, seconds_left)] = chooser.asked
    assert num_images == 4
    assert 0 < seconds_left < 60


@pytest.mark.extended
@pytest.mark.skipif(not installed_runtimes(), reason="needs the extra onnx or openvino")
def test_a_runtime_that_takes_over_in_the_middle_changes_no_probability(
    tmp_path: Path, model: TrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "LARGEST_BATCH", 4)
    monkeypatch.setattr(inference, "SMALLEST_BATCH", 4)
    dataset, found = noise_squares(tmp_path / "store/a/out"), {}
    for name, chooser in {"torch": None, "other": Switching(None, {}, 1)}.items():
        scorer = small_scorer(model, _alone(tmp_path), chooser)
        with opened(scorer, dataset) as images:
            scores = scorer.score(images, [0] * len(images))
        assert scores is not None
        assert (scorer.choice.runtime.name == "torch") == (name == "torch")
        found[name] = scores[0]
    assert len(dataset.images) > 4 * inference.CHOOSE_AFTER_BATCHES
    assert 0 < np.abs(found["torch"] - found["other"]).max() <= TOLERANCES["fp32"]


def _alone(folder: Path) -> ProcessGroup:
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=1)
    return ProcessGroup(context, torch.device("cpu"))


def score_in_ranks(rank: int, world_size: int, folder: Path) -> None:
    """What each of several processes does; the first one keeps the probabilities."""
    inference.SMALLEST_BATCH = inference.LARGEST_BATCH = 2
    context = Context(
        folder / "staging",
        cache_dir=folder / "cache",
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
        threads=1,
    )
    with process_group(context) as group:
        chooser = Switching(None, {}, 1) if rank == 0 else BackendSelector(None, {}, 1)
        scorer = small_scorer(TrainedModel(folder / "model"), group, chooser)
        with opened(scorer, ImageDirectory(folder / "store/a/out")) as images:
            scores = scorer.score(images, [0] * len(images))
        assert scorer.choice.runtime.name == installed_runtimes()[-1]
        if scores is not None:
            np.save(folder / "scores.npy", scores[0])


@pytest.mark.full  # as test_distributed
@pytest.mark.extended
@pytest.mark.skipif(not installed_runtimes(), reason="needs the extra onnx or openvino")
def test_all_processes_go_on_with_the_runtime_that_the_first_one_chose(tmp_path: Path) -> None:
    model = random_model(tmp_path / "model")
    # The second process has a batch less than the first: both must come to the choice.
    dataset = noise_squares(tmp_path / "store/a/out", per_class=7)
    assert run_ranks(score_in_ranks, 2, tmp_path) == [0, 0]
    rows = _score(tmp_path / "alone", model, dataset).rows
    expected_NK = rows[[f"Scored Probabilities_{name}" for name in CLASSES]].to_numpy()
    assert np.abs(np.load(tmp_path / "scores.npy") - expected_NK).max() <= ROUNDING
