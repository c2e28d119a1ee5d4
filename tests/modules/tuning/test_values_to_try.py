"""The lines of values to try, and the mistakes in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from modules.context import Context
from modules.errors import InvalidSearchSpaceError
from modules.forecast import ArtifactForecast
from modules.search.spaces import Space
from modules.training.forecast import forecast_training
from modules.tuning import search_plan
from modules.tuning.forecast import forecast_tuning
from modules.tuning.parameters import TuneParameters
from modules.tuning.search_plan import check_search, read_plan
from modules.tuning.trial_progress import planned_epochs


def parameters(*lines: str, **others: Any) -> TuneParameters:
    return TuneParameters(values_to_try=list(lines), **others)


def test_each_line_is_the_space_of_a_parameter() -> None:
    lines = ("Learning rate=1e-3..1e-1:log", " optimizer = sgd, adamw", "", "patience = 1..4:int")
    plan = read_plan(parameters(*lines, epochs=7))
    assert plan.spaces == {
        "learning_rate": Space("log", (), 1e-3, 1e-1),
        "optimizer": Space("choices", ("sgd", "adamw")),
        "patience": Space("integer", (), 1, 4),
    }
    settings = plan.settings({"optimizer": "adamw", "patience": 2})
    assert (settings.optimizer, settings.patience, settings.epochs) == ("adamw", 2, 7)
    assert plan.num_trials == 10


def test_the_number_of_trials_is_limited_by_the_combinations() -> None:
    lines = ("batch_size = 4,8", "patience = 1..3:int")
    assert read_plan(parameters(*lines)).num_trials == 6
    assert read_plan(parameters(*lines, trials=4)).num_trials == 4
    assert read_plan(parameters(*lines, trials=4, strategy="grid")).num_trials == 6


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "No values to try are given"),
        (["", "  "], "No values to try are given"),
        (["learning_rate"], "'learning_rate' does not set a space"),
        (["= 1,2"], "does not set a space"),
        (["learning_rate = fast"], "does not set a space"),
        (["learning_rate = 0.1.."], "does not set a space"),
        (["learning_rate = ..0.1"], "does not set a space"),
        (["learning_rate = 0.1..1e999"], "does not set a space"),
        (["learning_rate = -Infinity,1"], "does not set a space"),
        (["learning_rate = [0.1"], "does not set a space"),
        (["learning_rate = " + "[" * 5000], "does not set a space"),
        (["learning_rate ="], "no values for learning_rate"),
        (["learning_rate = []"], "no values for learning_rate"),
        (["learning_rate = 0.1,0.1"], "the value 0.1 for learning_rate twice"),
        (["learning_rate = 0.1..0.01"], "0.1 is not below 0.01"),
        (["learning_rate = 0..0.01:log"], "starts at 0"),
        (["patience = 1..2.5:int"], "ends at 2.5"),
        (["patience = 1..2"], "takes whole numbers"),
        (["patience = 0,1"], "patience cannot be 0"),
        (["learning_rate = 1e999,1"], "learning_rate cannot be inf"),
        (["optimizer = sgd,best"], "optimizer cannot be best"),
        (["learning_rate = {}"], "learning_rate cannot be {}"),
        (["rate = 1,2"], "no parameter 'rate'"),
        (["batchsize = 1,2"], "Use one of: batch_size, "),
        (["learning_rate = 1,2", "Learning rate = 3"], "two lines"),
    ],
)
def test_faulty_lines_are_refused(lines: list[str], says: str) -> None:
    with pytest.raises(InvalidSearchSpaceError, match=re.escape(says)) as caught:
        read_plan(parameters(*lines))
    assert (caught.value.parameter, caught.value.code) == ("values_to_try", "3106")
    assert caught.value.cure
    [finding] = check_search(parameters(*lines))
    assert (finding.parameter, finding.severity) == ("values_to_try", "error")


def test_strategies_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidSearchSpaceError, match="grid needs single values"):
        read_plan(parameters("momentum = 0.1..0.9", strategy="grid"))
    lines = ("patience = 1..100:int", "epochs = 1..100:int")
    with pytest.raises(InvalidSearchSpaceError, match="10,000 combinations"):
        read_plan(parameters(*lines, strategy="grid"))
    monkeypatch.setattr(search_plan, "has_tpe", lambda: False)
    with pytest.raises(InvalidSearchSpaceError, match="Optuna") as caught:
        read_plan(parameters("momentum = 0.1..0.9", strategy="tpe"))
    assert caught.value.parameter == "strategy"


def test_halving_needs_equal_epochs_and_a_pause_before_the_last_one() -> None:
    halving: dict[str, Any] = {"stop_early": "halving"}
    with pytest.raises(InvalidSearchSpaceError, match="needs equal epochs"):
        read_plan(parameters("epochs = 3,9", **halving))
    assert list(check_search(parameters("momentum = 0.8,0.9", **halving, epochs=2))) == []
    [finding] = check_search(parameters("momentum = 0.8,0.9", **halving, epochs=1))
    assert (finding.parameter, finding.severity) == ("first_compared_epoch", "warning")
    assert "compared from epoch 1, and trainings have 1" in finding.message
    with pytest.raises(ValidationError):
        parameters("momentum = 0.8,0.9", **halving, halving_factor=1.5)
    with pytest.raises(ValidationError):
        parameters("momentum = 0.8,0.9", search_time_limit=-1.0)


def test_a_forecast_counts_the_epochs_of_halving() -> None:
    lines = ("learning_rate = 1e-4..1e-1:log",)
    halving = parameters(*lines, stop_early="halving", epochs=9, trials=9)
    plan = read_plan(halving)
    assert halving.halving is not None
    assert planned_epochs(plan.num_trials, halving.halving, 9) == 9 + 3 * 2 + 1 * 6
    halves = parameters(*lines, stop_early="halving", halving_factor=2.0, epochs=4, trials=4)
    assert halves.halving is not None
    assert planned_epochs(4, halves.halving, 4) == 4 + 2 * 1 + 1 * 2


@pytest.mark.parametrize(("freeze", "times"), [("all but the head", 1), ("none", 2)])
def test_a_forecast_counts_stored_features_once_for_all_trials(
    tmp_path: Path, freeze: str, times: int
) -> None:
    recipe = {"architecture": "shufflenet_v2_x0_5", "freeze": freeze}
    images = ArtifactForecast(num_images=20, num_classes=2)  # few: their views are stored as well
    inputs = {
        "untrained_model": ArtifactForecast(recipe=recipe),
        "training_dataset": images,
        "validation_dataset": images,
    }
    settings, context = parameters("batch_size = 4,8"), Context(tmp_path)
    one = forecast_training(inputs, settings.training, context).images_processed
    whole = forecast_tuning(inputs, settings, context).images_processed
    assert one is not None
    assert whole == times * one


def test_settings_that_are_not_tried_are_checked_like_those_of_a_training() -> None:
    [finding] = check_search(parameters("momentum = 0.8,0.9", learning_rate=5.0))
    assert finding.parameter == "learning_rate"
    assert list(check_search(parameters("learning_rate = 0.01,0.1", learning_rate=5.0))) == []
