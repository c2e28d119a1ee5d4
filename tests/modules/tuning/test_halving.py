"""Successive halving and the time limit of Tune Model Hyperparameters, really training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.context import Report
from modules.errors import TrainingDivergedError
from modules.sentences import training as say
from modules.training.training_run import train_into
from modules.tuning import search
from modules.tuning.search import Search
from modules.tuning.trial_records import TrialFolder
from tests.modules.training.noise import two_squares
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
LINES = ["learning_rate = 1e-10,0.002,1e-11,0.0019"]
HALVING: dict[str, Any] = {
    "strategy": "grid",
    "metric": "loss",
    "reproducible": "on",
    "stop_early": "halving",
    "halving_factor": 2.0,
    "epochs": 4,
    "patience": 9,
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainedModel, pd.DataFrame]:
    """The search of ``HALVING`` on equal images, without an interruption."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return tune(folder, *two_squares(folder), LINES, **HALVING)


class Ending(list[Report]):
    """Requests the end once this number of trials or parts have reported their result."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder, self._left = folder, count

    def append(self, event: Report) -> None:
        super().append(event)
        if event.get("name") == "Trial validation loss":
            self._left -= 1
            if not self._left:
                (self._folder / "stop").touch()


def epochs_trained(events: list[Report]) -> float:
    """The last progress, of which the unit are epochs of all trials."""
    progress = [event for event in events if event["kind"] == "progress"]
    done = [event["done"] for event in progress]
    assert done == sorted(done)
    assert {event["unit"] for event in progress} == {"epochs"}
    assert all(event["seconds_left"] >= 0 for event in progress)
    return float(done[-1])


def test_the_best_half_continues_and_the_winner_is_that_of_a_training_without_pauses(
    tmp_path: Path, squares: Squares, capsys: pytest.CaptureFixture[str]
) -> None:
    events: list[Report] = []
    model, table = tune(tmp_path, *squares, LINES, events, **HALVING)
    assert list(table["state"]) == ["stopped", "completed", "stopped", "stopped"]
    assert list(table["epochs trained"]) == [1, 4, 1, 2]
    assert list(table["rank"].fillna(0)) == [0, 1, 0, 0]
    is_behind = [
        str(reason).startswith("It was behind other trials at") for reason in table["reason"]
    ]
    assert is_behind == [True, False, True, True]
    assert table["Valid loss"].notna().all(), "the best value so far of those that were stopped"
    settings: dict[str, Any] = {
        "learning_rate": 0.002,
        "reproducible": "on",
        "epochs": 4,
        "patience": 9,
    }
    recipe = UntrainedModel(tmp_path / "recipe")
    alone = train(tmp_path / "alone", *squares, recipe, **settings)
    assert_equal_weights(alone.weights_path, model.weights_path)
    # 4 trials of one epoch, 2 continue for one, 1 for two: no epoch is trained twice
    log = capsys.readouterr().out
    assert "trial 1 paused: after epoch 1" in log
    assert epochs_trained(events) <= 4 + 2 + 2
    parts = points(events, "Trial validation loss")
    assert [step for step, _ in parts] == [1, 2, 3, 4, 5, 6, 7]
    best = [value for _, value in points(events, "Best validation loss")]
    assert best == sorted(best, reverse=True)
    [folder] = (tmp_path / "checkpoints").iterdir()
    assert not list(folder.glob("checkpoints-*"))
    assert not list(folder.glob("curve-*"))


@pytest.mark.parametrize(
    "count",
    [3, *(pytest.param(part, marks=pytest.mark.extended) for part in (1, 5, 6))],
    ids="part {}".format,
)
def test_a_killed_halving_repeats_no_part(
    tmp_path: Path, squares: Squares, undisturbed: tuple[TrainedModel, pd.DataFrame], count: int
) -> None:
    whole, table = undisturbed
    folder = tmp_path / "killed"
    folder.mkdir()
    killed = KilledAt("Trial validation loss", count)  # this part is not stored yet
    with pytest.raises(Killed):
        tune(folder, *squares, LINES, killed, **HALVING)
    events: list[Report] = []
    continued, again = tune(folder, *squares, LINES, events, **HALVING)
    left = [step for step, _ in points(events, "Trial validation loss")]
    assert left == list(range(count, 8))
    assert table.drop(columns="seconds").equals(again.drop(columns="seconds"))
    assert_equal_weights(whole.weights_path, continued.weights_path)


def test_only_trials_that_may_continue_keep_their_checkpoints(
    tmp_path: Path, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    save = TrialFolder.save

    def counted(self: TrialFolder, *arguments: Any) -> None:
        save(self, *arguments)
        kept.append(len(list(self.checkpoints(0).parent.glob("checkpoints-*"))))

    monkeypatch.setattr(TrialFolder, "save", counted)
    lines = ["learning_rate = 0.002,0.001,0.0009,0.0008,0.0007,0.0006"]
    options = {**HALVING, "halving_factor": 3.0, "epochs": 2}
    tune(tmp_path, *squares, lines, **options)
    assert max(kept) <= 6 / 3 + 1


def test_trials_that_fail_at_a_rung_are_replaced_by_the_next_best(
    tmp_path: Path, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, trained = train_into, list[tuple[float, int]]()

    def diverging(folder: Path, inputs: Any, settings: Any, group: Any) -> Any:
        """The best trial diverges after its first pause."""
        mark = int(group.context.pause_path.read_text())
        trained.append((settings.learning_rate, mark))
        if settings.learning_rate == 0.002 and mark > 1:
            raise TrainingDivergedError(say.RATE_BEYOND_REASON, rate=0.002)
        return real(folder, inputs, settings, group)

    monkeypatch.setattr(search, "train_into", diverging)
    options = {**HALVING, "halving_factor": 4.0, "epochs": 4}
    model, table = tune(tmp_path, *squares, LINES, **options)
    assert list(table["state"]) == ["stopped", "failed", "stopped", "completed"]
    assert model.description["training_parameters"]["learning_rate"] == 0.0019
    assert trained[-2:] == [(0.002, 4), (0.0019, 4)]


def test_a_trial_that_is_left_alone_by_failures_is_trained_to_its_end(
    tmp_path: Path, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = train_into

    def diverging(folder: Path, inputs: Any, settings: Any, group: Any) -> Any:
        """The best trial diverges after its second pause, when the others are stopped."""
        mark = group.context.pause_path
        if settings.learning_rate == 0.002 and mark.exists() and int(mark.read_text()) > 2:
            raise TrainingDivergedError(say.RATE_BEYOND_REASON, rate=0.002)
        return real(folder, inputs, settings, group)

    monkeypatch.setattr(search, "train_into", diverging)
    lines = ["learning_rate = 0.002,1e-10"]
    model, table = tune(tmp_path, *squares, lines, **HALVING)
    assert list(table["state"]) == ["failed", "completed"]
    assert table["epochs trained"][1] == 4
    assert model.description["training_parameters"]["learning_rate"] == 1e-10


@pytest.mark.parametrize("count", [2, pytest.param(5, marks=pytest.mark.extended)])
def test_finish_early_while_trials_are_paused(
    tmp_path: Path, squares: Squares, undisturbed: tuple[TrainedModel, pd.DataFrame], count: int
) -> None:
    events = Ending(tmp_path, count)
    context = tuning_context(tmp_path, events)
    model, table = tune(tmp_path, *squares, LINES, context=context, **HALVING)
    assert context.cut_short
    model.check()
    assert model.description["training_parameters"]["learning_rate"] == 0.002
    assert list(table["state"]).count("completed") == 1
    reasons = " ".join(map(str, table["reason"]))
    assert "The search ended before this trial continued." in reasons
    # resumed without the request, it is what it would have been
    (tmp_path / "stop").unlink()
    whole, _ = undisturbed
    continued, again = tune(tmp_path, *squares, LINES, **HALVING)
    assert_equal_weights(whole.weights_path, continued.weights_path)
    assert list(again["epochs trained"]) == [1, 4, 1, 2]


def test_a_time_limit_ends_the_search_with_the_best_model_so_far(
    tmp_path: Path, squares: Squares
) -> None:
    events: list[Report] = []
    context = tuning_context(tmp_path, events)
    options: dict[str, Any] = {"trials": 400, "epochs": 400, "patience": 400, "strategy": "random"}
    options["search_time_limit"] = 4 / 60
    lines = ["learning_rate = 1e-4..1e-2:log"]
    model, table = tune(tmp_path, *squares, lines, context=context, **options)
    model.check()
    assert not context.cut_short, "the result is that of these settings, and is reused"
    assert len(table) == 1
    assert 0 < table["epochs trained"][0] < 400
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    assert "time limit reached" in summary


def test_a_time_limit_of_halving_gives_the_best_paused_trial_its_model(
    tmp_path: Path, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[Search] = []
    start_clock = Search._start_clock

    def started(self: Search) -> None:
        start_clock(self)
        searches.append(self)

    class Slow(list[Report]):
        """Lets the time pass once two trials have paused."""

        def append(self, event: Report) -> None:
            super().append(event)
            if len(points(self, "Trial validation loss")) == 2:
                searches[0]._end_time = 0.0

    monkeypatch.setattr(Search, "_start_clock", started)
    model, table = tune(tmp_path, *squares, LINES, Slow(), **HALVING, search_time_limit=60.0)
    model.check()
    assert model.description["training_parameters"]["learning_rate"] == 0.002
    assert list(table["state"]) == ["stopped", "completed"]
    assert table["reason"][0] == "The search ended before this trial continued."
