"""A workspace and a replay that an earlier version made: opened, gone on with, reused.

``tests/cases/older`` holds what the designer of November 2026, before its packages were redrawn,
left behind: a finished run of lesson 05 on 24 pictures with its model registered as *Shapes*, a
training that was cancelled, a run whose runner was killed at its start, and the first run's replay.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app

pytestmark = pytest.mark.extended

OLDER = Path(__file__).parents[1] / "cases" / "older"
FINISHED, CANCELLED, DETACHED = (
    "20261123-180134-96ea",
    "20261123-180200-50c3",
    "20261123-180201-e314",
)
MADE_WITH = {"torch": "2.15.0", "torchvision": "0.29.2", "pillow": "13.0.0"}
RESULTS_CHANGED = {"score", "evaluate"}
"""Modules that compute other figures from equal inputs since: the AUC comes from logits; JPEG files
are scored at their full size."""
BEFORE_THE_SPLIT = {"import", "convert", "transformation", "apply", "network"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("older") / "workspace"
    with tarfile.open(OLDER / "workspace.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    yield folder
    _designer(folder, "runner", "stop")


def _designer(workspace: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--workspace", str(workspace)])
    assert result.exit_code == 0, result.output
    return result.stdout


def _answer(workspace: Path, *arguments: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(_designer(workspace, *arguments, "--json"))


def _reused(report: dict[str, Any]) -> set[str]:
    return {name for name, node in report["nodes"].items() if node["reused_from"] is not None}


@pytest.fixture
def equal_versions() -> None:
    """Steps made with other versions of the libraries are rightly computed anew."""
    for name, version in MADE_WITH.items():
        if metadata.version(name) != version:
            pytest.skip(f"recorded with {name} {version}: record it anew")


def test_its_runs_are_found_with_what_they_came_to(workspace: Path) -> None:
    # first of all: the run that lost its runner goes on as soon as a command sees to it
    assert "9 of 9 artifacts are intact" in _designer(workspace, "artifacts", "verify")
    listed = _answer(workspace, "runs", "list")["runs"]
    assert {run["run_id"] for run in listed} == {FINISHED, CANCELLED, DETACHED}
    report = _answer(workspace, "runs", "show", FINISHED)
    assert report["status"] == "completed"
    assert "5 images scored, 100.0 % as labelled" in report["nodes"]["score"]["summary"]


def test_its_model_is_registered_and_whole(workspace: Path, tmp_path: Path) -> None:
    model = _answer(workspace, "models", "show", "Shapes")
    assert (model["reference"], model["run_id"]) == ("Shapes@1", FINISHED)
    _designer(workspace, "models", "export", "Shapes", str(tmp_path / "exported"))
    assert (tmp_path / "exported" / "model.safetensors").stat().st_size > 1_000_000


def test_its_replay_plays(workspace: Path) -> None:
    replay = _answer(workspace, "replay", "open", str(OLDER / "run.replay"))
    assert (replay["run_id"], replay["status"]) == (FINISHED, "completed")


@pytest.mark.usefixtures("equal_versions")
def test_a_run_that_lost_its_runner_goes_on_and_computes_only_what_is_new(workspace: Path) -> None:
    report = _answer(workspace, "runs", "follow", DETACHED)
    assert report["status"] == "completed"
    assert _reused(report) == BEFORE_THE_SPLIT
    compared = _answer(workspace, "runs", "compare", FINISHED, DETACHED)
    assert [run["run_id"] for run in compared["runs"]] == [FINISHED, DETACHED]


@pytest.mark.usefixtures("equal_versions")
def test_the_same_pipeline_computes_only_changed_results_again(workspace: Path) -> None:
    report = _answer(workspace, "runs", "resubmit", FINISHED)
    assert report["status"] == "completed"
    assert set(report["nodes"]) - _reused(report) == RESULTS_CHANGED


@pytest.mark.usefixtures("equal_versions")
def test_a_cancelled_training_goes_on(workspace: Path) -> None:
    report = _answer(workspace, "runs", "resume", CANCELLED)
    assert report["status"] == "completed"
    assert report["nodes"]["convert"]["reused_from"] == FINISHED
    assert report["nodes"]["train"]["metrics"]["Top-1 validation accuracy"] == 1.0
