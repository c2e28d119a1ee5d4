"""``designer start``: a folder of images is all that a first result needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer

SHADES = {"ant": (200, 30, 30), "bee": (30, 30, 200)}


def pictures(folder: Path, *classes: str) -> Path:
    """Ten pictures of one colour a class."""
    for name in classes:
        (folder / name).mkdir(parents=True)
        for number in range(10):
            shade = tuple(min(255, channel + 5 * number) for channel in SHADES[name])
            Image.new("RGB", (60, 60), shade).save(folder / name / f"{number}.png")
    return folder


@pytest.mark.extended
def test_it_prints_the_accuracy_and_the_images_behind_it(runs: RunService, tmp_path: Path) -> None:
    done = designer(runs, "start", pictures(tmp_path / "mine", "ant", "bee"), "--json")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert list(facts) == ["pipeline", "run", "state", "accuracy", "images", "seconds"]
    assert (facts["state"], facts["accuracy"], facts["images"]) == ("completed", 1.0, 4)
    assert RunHistory(runs).row(facts["run"]).pipeline_id == facts["pipeline"]


def test_one_class_is_refused_before_anything_runs(runs: RunService, tmp_path: Path) -> None:
    done = designer(runs, "start", pictures(tmp_path / "mine", "ant"), "--json")
    assert done.exit_code == 1
    assert "separate folder" in done.stdout
    assert runs.store.unfinished() == []


def test_a_folder_that_is_not_there_is_named(runs: RunService, tmp_path: Path) -> None:
    done = designer(runs, "start", tmp_path / "nowhere")
    assert done.exit_code == 1
    assert "nowhere" in done.output
