"""``designer sweep``: run, list, show, stop, resume."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import dump_document
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.sweeps.conftest import curve, curve_workspace


@pytest.fixture(scope="module")
def runs() -> Iterator[RunService]:
    with curve_workspace() as service:
        yield service


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    path = tmp_path / "curve.json"
    path.write_text(dump_document(curve()))
    return path


def answer(runs: RunService, *arguments: str | Path) -> dict[str, Any]:
    result = designer(runs, "sweep", *arguments, "--json")
    assert result.exit_code == 0, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def test_a_sweep_from_the_start_to_its_table(runs: RunService, pipeline: Path) -> None:
    options = ("--param", "curve.x=1,3,8", "--metric", "curve.score", "--parallel", "2")
    ran = answer(runs, "run", pipeline, *options)
    assert (ran["state"], ran["best"]) == ("completed", 1)
    trials = [(trial["number"], trial["state"], trial["values"]) for trial in ran["trials"]]
    assert trials == [(n, "completed", {"curve.x": x}) for n, x in enumerate((1, 3, 8))]
    assert [trial["objective"] for trial in ran["trials"]] == [6, 10, -15]
    assert all(runs.store.record(trial["run"]) for trial in ran["trials"])
    assert answer(runs, "show", "last") == ran
    listed = answer(runs, "list")["sweeps"]
    assert [(entry["sweep"], entry["num_trials"]) for entry in listed] == [(ran["sweep"], 3)]
    shown = designer(runs, "sweep", "show", ran["sweep"])
    assert "Best: trial 1. Use its values: --set curve.x=3" in shown.output
    assert ran["sweep"] in designer(runs, "sweep", "list").output
    for verb, says in (("stop", "is not running"), ("resume", "has run all of its trials")):
        refused = designer(runs, "sweep", verb, "last")
        assert refused.exit_code == 1
        assert says in refused.output


def test_runs_are_listed_by_their_sweep(runs: RunService, pipeline: Path) -> None:
    options = ("--param", "curve.x=2,7", "--metric", "curve.score")
    sweeps = [answer(runs, "run", pipeline, *options) for _ in range(2)]
    for asked, sweep in ((sweeps[0]["sweep"], sweeps[0]), ("last", sweeps[1])):
        result = designer(runs, "runs", "list", "--sweep", asked, "--json")
        listed = json.loads(result.stdout)
        ids = {trial["run"] for trial in sweep["trials"]}
        assert {run["run_id"] for run in listed["runs"]} == ids
        assert listed["total"] == 2
    refused = designer(runs, "runs", "list", "--sweep", "nowhere")
    assert refused.exit_code == 1
    assert "nowhere" in refused.output


def test_the_best_trials_are_repeated(runs: RunService, pipeline: Path) -> None:
    options = ("--param", "curve.x=1,3,8", "--metric", "curve.score", "--set", "curve.noise=0.5")
    ran = answer(runs, "run", pipeline, *options)
    assert ran["repeated"] == []
    repeated = answer(runs, "repeat", "last", "--seeds", "2")
    assert (repeated["state"], repeated["best"]) == ("completed", ran["best"])
    assert len(repeated["trials"]) == 9
    assert [len(one["objectives"]) for one in repeated["repeated"]] == [3, 3, 3]
    assert repeated["repeated"][0]["trial"] == 1
    assert repeated["repeated"][0]["spread"] > 0
    shown = designer(runs, "sweep", "show", "last").output
    assert "Standard deviation" in shown
    [entry] = [one for one in answer(runs, "list")["sweeps"] if one["sweep"] == ran["sweep"]]
    assert entry["num_trials"] == 3
    refused = designer(runs, "sweep", "repeat", "last", "--seeds", "0")
    assert refused.exit_code == 1
    assert "must be 1 to 20" in refused.output


def test_the_goal_follows_from_the_name_of_the_metric(runs: RunService, pipeline: Path) -> None:
    options = ("--param", "curve.x=1..5:int", "--trials", "2", "--strategy", "random")
    ran = answer(runs, "run", pipeline, *options, "--metric", "curve.error")
    assert ran["settings"]["objective"]["goal"] == "minimize"
    best = min(ran["trials"], key=lambda trial: trial["objective"])
    assert ran["best"] == best["number"]
    assert len(ran["trials"]) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "varies no parameter"),
        (["--param", "curve.x"], "Invalid space 'curve.x'"),
        (["--param", "curve.z=1,2"], "has no parameter 'z'"),
        (["--param", "curve.x=1..99"], "X cannot be 99"),
        (["--param", "curve.x=1,2", "--trials", "0"], "Invalid value of max_trials"),
        (["--param", "curve.x=1,2", "--parallel", "101"], "Invalid value of parallel"),
        (["--param", "curve.x=1,2", "--metric", "score"], "Invalid metric 'score'"),
        (["--param", "curve.x=1,2", "--metric", "nobody.score"], "'nobody'"),
        (["--param", "curve.x=1,2", "--goal", "minimize"], "--goal needs a metric"),
        (["--param", "curve.x=1,2", "--stop-early", "median"], "needs a metric"),
        (["--param", "curve.x=1,2", "--strategy", "guess"], "Invalid value of strategy"),
        (["--param", "curve.x=1..2", "--strategy", "grid"], "needs single values"),
    ],
)
def test_refusals(runs: RunService, pipeline: Path, options: list[str], says: str) -> None:
    result = designer(runs, "sweep", "run", pipeline, *options)
    assert result.exit_code == 1
    assert says in " ".join(result.output.split())


def test_a_stopped_sweep_is_resumed(runs: RunService, pipeline: Path) -> None:
    spaces = ("--param", "curve.x=1,2", "--param", "curve.seconds=0.5", "--param", "curve.epochs=4")
    started = answer(runs, "run", pipeline, *spaces, "--metric", "curve.score", "--detach")
    assert started["state"] == "running"
    stopped = designer(runs, "sweep", "stop", started["sweep"], "--json")
    assert json.loads(stopped.stdout)["state"] == "stopped"
    assert answer(runs, "resume", started["sweep"])["state"] == "completed"
