"""What was forecast for a run, beside what it took: from recorded histories, nothing is timed."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from designer_app.screens.run.header import duration_text as took_on_the_page
from modules.training.forecast import work_name
from modules.training.parameters import TrainParameters
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.overrides import apply_overrides
from pipelines.events import Event
from pipelines.forecasting.other_work import share_in_words, slowdown
from pipelines.forecasting.run_forecast import error_text, forecast_past_run, forecast_run
from pipelines.forecasting.step_timings import modules_of
from pipelines.lessons.lesson import lessons
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from tests.json_values import as_json
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, run
from tests.workspaces import store_without_runner

IMAGES = 1797
BESIDES, PER_IMAGE, OPENING = 4.0, 0.002, 1.0
LIGHT = {"densenet": 0.1, "split": 0.5}
"""Side by side; what is before them is reused."""
LONG_AGO = 10_000.0


def lesson(runs: RunService, *overrides: str) -> PipelineDocument:
    document = next(item.document for item in lessons() if item.slug == "01-digits")
    return apply_overrides(document, list(overrides), runs.catalog)


def name_of_work(runs: RunService, document: PipelineDocument) -> str:
    """What Train PyTorch Model calls its work on the digits of the lesson."""
    by_node = {node["node"]: node for node in as_json(forecast_run(runs, document))["nodes"]}
    recipe = by_node["densenet"]["outputs"]["untrained_model"]["recipe"]
    train = document.node("train")
    assert train is not None
    height, width = by_node["convert"]["image_size"]
    return work_name(recipe, (height, width), TrainParameters.model_validate(train.parameters), 1)


def recorded(
    runs: RunService,
    document: PipelineDocument,
    seconds: dict[str, float],
    work: dict[str, Any] | None = None,
    ago: float = LONG_AGO,
    to_node: str = "train",
) -> str:
    """A run up to a node, its steps one after the other, that started ``ago`` seconds ago."""
    nodes = [node.id for node in document.nodes]
    runs.runner.stop()  # one that another test has left would begin what is only told of
    run_id = store_without_runner(runs).create(
        document.to_json(),
        nodes,
        name="Digits",
        experiment="E",
        options=RunOptions(to_node=to_node),
    )
    now = time.time() - ago
    events = [Event("RunStarted", time=now)]
    for node, took in seconds.items():
        events.append(Event("StepStarted", node, {"attempt": 1}, time=now))
        if node == "train" and work:
            events.append(Event("StepMeasured", node, work, time=now))
        now += took
        events.append(Event("StepFinished", node, {"artifact_id": node, "seconds": took}, time=now))
    ended = Event("RunFinished", data={"status": "completed"}, time=now)
    runs.store.append_to(run_id, [*events, ended])
    return run_id


def trained(
    runs: RunService, document: PipelineDocument, epochs: int, ago: float = LONG_AGO
) -> str:
    """A run whose training took as long as its images, its opening and the rest do."""
    work_seconds = PER_IMAGE * epochs * IMAGES
    work = {
        "name": name_of_work(runs, document),
        "num_images": epochs * IMAGES,
        "seconds": work_seconds,
        "num_opened": IMAGES,
        "opening_seconds": OPENING,
    }
    took = BESIDES + OPENING + work_seconds
    return recorded(runs, document, {**LIGHT, "train": took}, work, ago)


def test_other_epochs_and_seeds_are_forecast_from_one_run(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    again = lesson(runs, "train.epochs=10", "train.random_seed=7", "split.random_seed=7")
    run_id = trained(runs, again, epochs=10, ago=-5)
    past_forecast = forecast_past_run(runs, run_id)
    assert past_forecast is not None
    assert past_forecast.error == pytest.approx(0, abs=0.01), "and far within 25 %"
    state = runs.store.state(run_id)
    assert past_forecast.nodes["train"] == pytest.approx(state.steps["train"].seconds, rel=0.01)
    assert "score" not in past_forecast.nodes, "the run was to go no further than the training"


def test_nothing_of_the_run_itself_counts(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    took = BESIDES + OPENING + PER_IMAGE * 4 * IMAGES
    slow = {**LIGHT, "train": took * 2}
    run_id = recorded(runs, lesson(runs, "train.random_seed=7"), slow, ago=-5)
    recorded(runs, lesson(runs, "train.random_seed=8"), {**LIGHT, "train": 1000.0}, ago=-90)
    past_forecast = forecast_past_run(runs, run_id)
    assert past_forecast is not None
    actual = sum(LIGHT.values()) + 2 * took
    assert past_forecast.seconds == pytest.approx(LIGHT["split"] + took)
    assert past_forecast.error == pytest.approx((LIGHT["split"] + took) / actual - 1)


def test_the_first_run_and_a_resumed_one_are_not_compared(runs: RunService) -> None:
    first = trained(runs, lesson(runs), epochs=4)
    assert forecast_past_run(runs, first) is None
    second = trained(runs, lesson(runs, "train.random_seed=7"), epochs=4, ago=-5)
    nodes = list(runs.store.state(second).steps)
    again = (Event("RunQueued", data={"nodes": nodes}), Event("RunStarted"))
    runs.store.append_to(second, [*again, Event("RunFinished", data={"status": "completed"})])
    assert forecast_past_run(runs, second) is None


def test_nodes_that_no_run_was_to_reach_are_not_estimated(runs: RunService) -> None:
    """The costs of a network that was never measured take seconds, as torch is loaded."""
    for ago in (LONG_AGO, 5):
        run_id = recorded(runs, lesson(runs), {"split": 0.5}, ago=ago, to_node="split")
    past_forecast = forecast_past_run(runs, run_id)
    assert past_forecast is not None
    assert set(past_forecast.nodes) == {"import", "convert", "split"}
    assert not (runs.workspace.cache_dir / "costs").exists()


def test_the_report_of_a_run_tells_its_forecast(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    run_id = trained(runs, lesson(runs, "train.random_seed=7"), epochs=4, ago=-5)
    shown = json.loads(designer(runs, "runs", "show", run_id, "--json").stdout)
    past_forecast = forecast_past_run(runs, run_id)
    assert past_forecast is not None
    assert shown["forecast"] == past_forecast.model_dump()
    text = designer(runs, "runs", "show", run_id).stdout
    assert f"completed in 20 s; forecast 20 s ({error_text(shown['forecast']['error'])})." in text
    assert took_on_the_page(21.4, past_forecast).startswith("took 21 s; forecast 20 s (")


def test_an_error_is_said_in_words() -> None:
    assert error_text(-0.11) == "11 % less"
    assert error_text(0.249) == "25 % more"
    assert error_text(0.004) == "exact"


def test_a_node_is_forecast_from_its_last_time_where_its_work_is_another_one(
    runs: RunService,
) -> None:
    """A larger batch is other work; the two epochs more of it are scaled."""
    run_id = trained(runs, lesson(runs), epochs=4)
    changed = lesson(runs, "train.epochs=8", "train.batch_size=128")
    train = by_node(runs, changed)["train"]
    took = BESIDES + OPENING + PER_IMAGE * 4 * IMAGES
    assert train["basis"] == "scaled"
    assert train["last"]["run_id"] == run_id
    assert train["last"]["seconds"] == pytest.approx(took)
    least, most = train["range_seconds"]
    assert least < train["seconds"] == train["last"]["scaled_seconds"] < most
    assert took < train["seconds"] < 2 * took, "twice the images, but one opening and one start"


def test_a_past_run_is_forecast_from_its_last_time_as_the_command_did(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    changed = lesson(runs, "train.epochs=8", "train.batch_size=128")
    said = by_node(runs, changed)["train"]["seconds"]
    run_id = recorded(runs, changed, {"train": 30.0}, ago=LONG_AGO / 2)
    past = forecast_past_run(runs, run_id)
    assert past is not None
    assert past.nodes["train"] == pytest.approx(said)


def test_machines_share_the_work_of_the_last_time(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    alone = by_node(runs, lesson(runs, "train.batch_size=128"))["train"]
    document = lesson(runs, "train.batch_size=128").to_json()
    train = next(node for node in document["nodes"] if node["id"] == "train")
    train["run_settings"] = {"target": "simulated", "node_count": 2}
    shared = by_node(runs, parse_document(document))["train"]
    assert shared["last"]["seconds"] == alone["last"]["seconds"]
    assert shared["seconds"] < alone["seconds"]


def test_another_pipelines_times_are_not_its_last_time(runs: RunService) -> None:
    trained(runs, lesson(runs), epochs=4)
    other = parse_document(lesson(runs).to_json() | {"id": "another"})
    train = by_node(runs, other)["train"]
    assert train["last"] is None
    assert train["basis"] == "measured", "the same work was done before, elsewhere"


def test_a_run_that_was_made_is_the_last_time_of_the_next(runs: RunService) -> None:
    """The command says it beside the forecast, with a range of what is likely."""
    nodes: dict[str, dict[str, Any]] = {
        "one": {"module": "constant", "value": 1.0},
        "nap": {"module": "sleep"},
    }
    first = build({"nap": {"a": "one"}}, nodes)
    _, state = run(runs, first)
    assert state.status == "completed"
    nodes["one"]["value"] = 2.0
    nap = by_node(runs, build({"nap": {"a": "one"}}, nodes))["nap"]
    assert nap["last"]["seconds"] == pytest.approx(state.steps["nap"].seconds, abs=0.05)


def test_the_command_says_last_times_ranges_and_a_busy_machine(
    runs: RunService, tmp_path: Path
) -> None:
    trained(runs, lesson(runs), epochs=4)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(lesson(runs, "train.batch_size=128").to_json()))
    text = " ".join(designer(runs, "forecast", str(path)).stdout.split())
    assert "Last run" in text
    assert f"{BESIDES + OPENING + PER_IMAGE * 4 * IMAGES:.0f} s" in text
    assert re.search(r"About [0-9.]+ m?i?n?.*s \(.* to .*\) on this machine, 0 reused", text)
    other_work = json.loads(designer(runs, "forecast", str(path), "--json").stdout)["other_work"]
    assert 0 <= other_work["share"] <= 1
    assert other_work["words"] == share_in_words(other_work["share"])


def test_a_run_takes_longer_beside_other_work() -> None:
    assert slowdown(0.1, 2) == 1
    assert slowdown(0.5, 2) == pytest.approx(2**0.5)  # one core is left, and one thread
    assert slowdown(1.0, 2) == pytest.approx(2**0.5 * 3 / 2)  # that shares it with two others
    assert slowdown(0.25, 8) == pytest.approx((8 / 6) ** 0.5)
    assert slowdown(1.0, 1) == pytest.approx(2)


def test_other_work_is_said_in_words() -> None:
    assert share_in_words(0.1) == ""
    assert share_in_words(0.25) == "other processes use a quarter of the cores"
    assert share_in_words(0.5) == "other processes use half the cores"
    assert share_in_words(0.97) == "other processes use nearly all the cores"


def by_node(runs: RunService, document: PipelineDocument) -> dict[str, dict[str, Any]]:
    return {node["node"]: node for node in as_json(forecast_run(runs, document))["nodes"]}


def test_steps_inside_sub_pipelines_are_learnt_from() -> None:
    inner = {"id": "d", "nodes": [{"id": "t", "module": "train_pytorch_model"}]}
    nodes = [{"id": "front", "module": "definition:d"}, {"id": "own", "module": "densenet"}]
    stored = {"format": "pipeline-designer/2", "id": "x", "nodes": nodes, "definitions": [inner]}
    expected = {"front/t": "train_pytorch_model", "own": "densenet"}
    assert modules_of(parse_document(stored).to_json()) == expected
    later = {**stored, "format": "pipeline-designer/99"}
    assert modules_of(later)["own"] == "densenet", "of a newer version of the program"
