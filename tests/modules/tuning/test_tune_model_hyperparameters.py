"""Tune Model Hyperparameters, really training: small networks on squares of coloured noise."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory, UntrainedModel
from modules.context import Report
from modules.errors import InvalidSearchSpaceError, TrialsFailedError
from modules.files.json_files import write_whole
from modules.operating_system.signals import KILL
from modules.scoring.score_image_model import score_image_model
from modules.tuning import trial_reports
from tests.modules.training.trainings import train
from tests.modules.tuning.tunings import (
    Killed,
    KilledAt,
    assert_equal_weights,
    points,
    tune,
    tuning_context,
)

Squares = tuple[ImageDirectory, ImageDirectory]
RATES = ["learning_rate = 0.0001,0.002,0.0005"]


OPTIONS: dict[str, Any] = {"strategy": "grid", "reproducible": "on", "metric": "loss"}


def test_the_best_of_a_grid_is_the_model_that_train_pytorch_model_gives(
    tmp_path: Path, squares: Squares, capsys: pytest.CaptureFixture[str]
) -> None:
    events: list[Report] = []
    options: dict[str, Any] = {"strategy": "grid", "metric": "loss", "reproducible": "on"}
    model, table = tune(tmp_path, *squares, RATES, events, **options)
    model.check()
    assert list(table["learning_rate"]) == [0.0001, 0.002, 0.0005]
    assert list(table["state"]) == 3 * ["completed"]
    losses = list(table["Valid loss"])
    best = losses.index(min(losses))
    assert table["rank"][best] == 1
    assert sorted(table["rank"]) == [1, 2, 3]
    rate = table["learning_rate"][best]
    assert model.description["training_parameters"]["learning_rate"] == rate
    recipe = UntrainedModel(tmp_path / "recipe")
    settings = {"learning_rate": rate, "reproducible": "on"}
    alone = train(tmp_path / "alone", *squares, recipe, **settings)
    assert_equal_weights(alone.weights_path, model.weights_path)
    # the curves of the best trial are those of the node
    assert points(events, "Valid loss") == [
        (epoch, value) for epoch, value in enumerate(model.history["Valid loss"], start=1)
    ]
    assert points(events, "Trial validation loss") == list(enumerate(losses, start=1))
    assert points(events, "Best validation loss")[-1] == (3, min(losses))
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    assert f" % with learning rate {rate:.4g}, best of 3 trials" in summary
    log = capsys.readouterr().out
    assert "trial 1/3: learning_rate 0.0001" in log
    scored = score_image_model(model, squares[1], tuning_context(tmp_path / "score", []))
    assert len(scored.scored_dataset.rows) == len(squares[1].images)


def test_progress_counts_trials_and_never_goes_back(tmp_path: Path, squares: Squares) -> None:
    events: list[Report] = []
    tune(tmp_path, *squares, ["batch_size = 4,16"], events, strategy="grid", epochs=3)
    progress = [event for event in events if event["kind"] == "progress"]
    assert progress
    assert {(event["unit"], event["total"]) for event in progress} == {("trials", 2)}
    done = [event["done"] for event in progress]
    assert done == sorted(done)
    assert 0 < done[0] <= 1 < done[-1] <= 2
    assert all(event["seconds_left"] >= 0 for event in progress)


def test_equal_seeds_give_equal_searches_and_others_differ(
    tmp_path: Path, squares: Squares
) -> None:
    lines = ["learning_rate = 1e-3..1e-1:log", "momentum = 0.5..0.9"]
    options: dict[str, Any] = {"trials": 2, "epochs": 1, "reproducible": "on", "search_seed": 4}
    first, table = tune(tmp_path / "first", *squares, lines, **options)
    second, again = tune(tmp_path / "second", *squares, lines, **options)
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))
    assert_equal_weights(first.weights_path, second.weights_path)
    _, others = tune(tmp_path / "third", *squares, lines, **{**options, "search_seed": 5})
    assert list(others["momentum"]) != list(table["momentum"])


def test_a_search_that_was_killed_repeats_no_ended_trial(tmp_path: Path, squares: Squares) -> None:
    options: dict[str, Any] = {"strategy": "grid", "reproducible": "on", "metric": "loss"}
    whole, table = tune(tmp_path / "whole", *squares, RATES, **options)
    folder = tmp_path / "killed"
    folder.mkdir()
    killed = KilledAt("Trial validation loss", 2)  # the second trial is not stored yet
    with pytest.raises(Killed):
        tune(folder, *squares, RATES, killed, **options)
    events: list[Report] = []
    continued, again = tune(folder, *squares, RATES, events, **options)
    assert [step for step, _ in points(events, "Trial validation loss")] == [2, 3]
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))
    assert_equal_weights(whole.weights_path, continued.weights_path)
    # a search with other settings does not take these trials for its own
    fresh: list[Report] = []
    tune(folder, *squares, RATES, fresh, **{**options, "epochs": 1})
    assert [step for step, _ in points(fresh, "Trial validation loss")] == [1, 2, 3]


def after_second_epoch_of_second_trial(kill: Callable[[], None]) -> Callable[..., None]:
    """What writes curves, and kills after this one; reports of progress are too rare for it."""

    def write(path: Path, curve: dict[int, float]) -> None:
        write_whole(path, curve)
        if path.name == "curve-0001.json" and len(curve) == 2:
            kill()

    return write


def killed_in_its_second_trial(folder: Path, store: Path) -> None:
    """Kill this process without warning in the second epoch of the second trial."""
    kill = partial(os.kill, os.getpid(), KILL)
    write = after_second_epoch_of_second_trial(kill)
    pytest.MonkeyPatch().setattr(trial_reports, "write_whole", write)
    squares = ImageDirectory(store / "training/out"), ImageDirectory(store / "validation/out")
    tune(folder, *squares, RATES, **OPTIONS)


@pytest.mark.extended
def test_after_sigkill_ended_trials_are_kept_and_the_one_that_ran_is_resumed(
    tmp_path: Path, squares: Squares
) -> None:
    whole, table = tune(tmp_path / "whole", *squares, RATES, **OPTIONS)
    folder = tmp_path / "killed"
    folder.mkdir()
    program = (
        "from pathlib import Path\n"
        f"from {__name__} import killed_in_its_second_trial\n"
        f"killed_in_its_second_trial(Path({str(folder)!r}), Path({str(tmp_path / 'store')!r}))"
    )
    root = Path(__file__).parents[3]
    killed = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True)
    assert killed.returncode == -KILL, killed.stderr.decode()
    events: list[Report] = []
    continued, again = tune(folder, *squares, RATES, events, **OPTIONS)
    assert [step for step, _ in points(events, "Trial validation loss")] == [2, 3]
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))
    assert_equal_weights(whole.weights_path, continued.weights_path)


@pytest.mark.parametrize("damage", ["record", "weights", "model"])
def test_damaged_results_are_trained_again(tmp_path: Path, squares: Squares, damage: str) -> None:
    options: dict[str, Any] = {"strategy": "grid", "reproducible": "on", "epochs": 1}
    _, table = tune(tmp_path, *squares, RATES, **options)
    best = list(table["rank"]).index(1)
    [folder] = (tmp_path / "checkpoints").iterdir()
    model = folder / f"model-{best:04d}"
    if damage == "record":
        (folder / f"trial-{best:04d}.json").write_text('{"number": 0')
    elif damage == "weights":
        (model / "model.safetensors").write_bytes(b"0" * 100)
    else:
        shutil.rmtree(model)
    shutil.rmtree(tmp_path / "staging")
    events: list[Report] = []
    repaired, again = tune(tmp_path, *squares, RATES, events, **options)
    warned = [event["message"] for event in events if event["kind"] == "warning"]
    assert [text for text in warned if f"trial {best + 1} is damaged" in text]
    assert [step for step, _ in points(events, "Trial validation accuracy")] == [best + 1]
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))
    assert repaired.weights_path.exists()


def test_trials_that_fail_do_not_end_the_search(tmp_path: Path, squares: Squares) -> None:
    lines = ["batch_size = 4096,8", "learning_rate = 0.002,1e30"]
    model, table = tune(tmp_path, *squares, lines, strategy="grid", epochs=1)
    assert list(table["state"]) == ["failed", "failed", "completed", "failed"]
    assert "exceeds the number of training images" in table["reason"][0]
    assert "learning rate of 1e+30" in table["reason"][3] or "implausible" in table["reason"][3]
    assert list(table["rank"].isna()) == [True, True, False, True]
    assert model.description["training_parameters"]["batch_size"] == 8


def test_a_search_fails_if_its_first_trials_do(tmp_path: Path, squares: Squares) -> None:
    lines = ["batch_size = 1000..2000:int"]
    with pytest.raises(TrialsFailedError, match="All of the first 5 trials failed") as caught:
        tune(tmp_path, *squares, lines, trials=50)
    assert "Change Values to try" in caught.value.cure
    with pytest.raises(TrialsFailedError, match="The trial failed"):
        tune(tmp_path / "one", *squares, ["batch_size = 1000"])
    with pytest.raises(InvalidSearchSpaceError):
        tune(tmp_path / "none", *squares, [])


def test_poor_trials_are_stopped(tmp_path: Path, squares: Squares) -> None:
    options: dict[str, Any] = {"strategy": "grid", "metric": "loss"}
    lines = ["learning_rate = 0.002,0.0019,0.0018,1e-12"]
    events: list[Report] = []
    options |= {"stop_early": "median", "first_compared_epoch": 2, "epochs": 5}
    model, table = tune(tmp_path, *squares, lines, events, **options)
    assert list(table["state"]) == [*3 * ["completed"], "stopped"]
    assert 2 <= table["epochs trained"][3] < 5
    assert "behind other trials at epoch" in table["reason"][3]
    assert model.description["training_parameters"]["learning_rate"] > 1e-4
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    assert "1 stopped early" in summary


@pytest.mark.extended
def test_a_stopped_trial_that_was_killed_is_judged_by_its_whole_curve(
    tmp_path: Path, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["learning_rate = 0.002,1e-12"]
    options: dict[str, Any] = {"strategy": "grid", "stop_early": "bandit", "slack": 1e-9}
    options |= {"first_compared_epoch": 2, "epochs": 4, "reproducible": "on", "metric": "loss"}
    _, table = tune(tmp_path / "whole", *squares, lines, **options)
    assert list(table["state"]) == ["completed", "stopped"]
    folder = tmp_path / "killed"
    folder.mkdir()

    def kill() -> None:
        raise Killed

    monkeypatch.setattr(trial_reports, "write_whole", after_second_epoch_of_second_trial(kill))
    with pytest.raises(Killed):
        tune(folder, *squares, lines, **options)
    monkeypatch.undo()
    _, again = tune(folder, *squares, lines, **options)
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))


def test_finish_early_outputs_the_best_model_so_far(tmp_path: Path, squares: Squares) -> None:
    class Finishing(list[Report]):
        def append(self, event: Report) -> None:
            super().append(event)
            if event.get("name") == "Trial validation accuracy":
                (tmp_path / "stop").touch()

    events = Finishing()
    context = tuning_context(tmp_path, events)
    model, table = tune(tmp_path, *squares, RATES, context=context, strategy="grid")
    assert len(table) == 1
    assert context.cut_short
    model.check()
    assert "finished early" in next(e["text"] for e in events if e["kind"] == "summary")
    # at once: the first trial ends within its first epoch, with a model
    other = tmp_path / "other"
    other.mkdir()
    (other / "stop").touch()
    model, table = tune(other, *squares, RATES, strategy="grid")
    assert len(table) == 1
    model.check()
    (other / "stop").unlink()
    _, table = tune(other, *squares, RATES, strategy="grid")
    assert list(table["epochs trained"]) == [2, 2, 2]  # the one cut short is trained again


def test_without_a_folder_for_checkpoints_nothing_remains(tmp_path: Path, squares: Squares) -> None:
    context = tuning_context(tmp_path, [])
    context.checkpoint_dir = None
    tune(tmp_path, *squares, ["momentum = 0.8,0.9"], context=context, epochs=1)
    assert sorted(path.name for path in (tmp_path / "staging").iterdir()) == ["0", "1"]


def test_tpe_learns_from_the_trials_before(tmp_path: Path, squares: Squares) -> None:
    pytest.importorskip("optuna")
    options: dict[str, Any] = {"strategy": "tpe", "trials": 7, "epochs": 1, "reproducible": "on"}
    _, table = tune(tmp_path, *squares, ["learning_rate = 1e-5..1e-1:log"], **options)
    assert len(set(table["learning_rate"])) == 7
    [folder] = (tmp_path / "checkpoints").iterdir()
    records = [json.loads(path.read_text()) for path in folder.glob("trial-*.json")]
    assert len(records) == 7
    assert len(list(folder.glob("model-*"))) == 1
    assert not list(folder.glob("checkpoints-*"))
