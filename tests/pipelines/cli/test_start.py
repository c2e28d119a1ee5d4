"""``designer start``: a folder of images is all that a first result needs."""

from __future__ import annotations

import json
import re
import zipfile
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
    assert list(facts) == [
        *["pipeline", "run", "state", "accuracy", "images", "seconds", "problem", "warnings"]
    ]
    assert (facts["problem"], facts["warnings"]) == (None, [])
    assert (facts["state"], facts["accuracy"], facts["images"]) == ("completed", 1.0, 4)
    assert RunHistory(runs).row(facts["run"]).pipeline_id == facts["pipeline"]


@pytest.mark.extended
def test_warnings_of_the_run_are_shown(runs: RunService, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "mine", "ant", "bee")
    (folder / "ant" / "0.png").write_bytes(b"no image")
    facts = json.loads(designer(runs, "start", folder, "--json").stdout)
    [warning] = facts["warnings"]
    assert (facts["state"], warning["node"]) == ("completed", "convert")
    assert "0.png" in warning["message"]
    shown = " ".join(designer(runs, "runs", "show", facts["run"]).stdout.split())
    assert "Warning:" in shown
    assert "0.png" in shown
    assert re.search(r": Accuracy 100\.0 %, likely \d+ to \d+ % \(\d images\)\.$", shown)


def test_json_says_why_a_run_failed(runs: RunService, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "mine", "ant", "bee")
    for picture in folder.rglob("*.png"):
        picture.write_bytes(b"no image")
    done = designer(runs, "start", folder, "--json")
    facts = json.loads(done.stdout)
    assert (done.exit_code, facts["state"], facts["accuracy"]) == (1, "failed", None)
    assert facts["problem"]["node"] == "convert"
    assert "contains no valid images" in facts["problem"]["message"]
    assert facts["problem"]["cure"]


def test_archives_that_cannot_be_unpacked_are_named(runs: RunService, tmp_path: Path) -> None:
    outer = tmp_path / "mine.zip"
    with zipfile.ZipFile(outer, "w") as file:
        file.writestr("data/inner.rar", b"Rar!\x1a\x07\x00" + bytes(512))
    done = designer(runs, "start", outer, "--json")
    error = json.loads(done.stdout)["error"]
    assert done.exit_code == 1
    assert "No images were found, but 1 archive inside: data/inner.rar." in error["message"]
    assert error["cure"] == "Unpack it and choose the folder with the images."


def test_labels_in_an_unsupported_format_are_named(runs: RunService, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "voc", "ant")
    (folder / "ant").rename(folder / "images")
    (folder / "Annotations").mkdir()
    (folder / "Annotations" / "0.xml").write_text("<annotation/>", encoding="utf-8")
    error = json.loads(designer(runs, "start", folder, "--json").stdout)["error"]
    assert "the format of Annotations/0.xml is not supported" in error["message"]


def test_images_in_subfolders_of_the_class_folders_are_named(
    runs: RunService, tmp_path: Path
) -> None:
    for fold in ("fold0", "fold1"):
        pictures(tmp_path / "mine" / fold / "train", "ant", "bee")
    error = json.loads(designer(runs, "start", tmp_path / "mine", "--json").stdout)["error"]
    assert "in subfolders of the class folders, for example fold0/train/" in error["message"]


def test_one_class_is_refused_before_anything_runs(runs: RunService, tmp_path: Path) -> None:
    done = designer(runs, "start", pictures(tmp_path / "mine", "ant"), "--json")
    assert done.exit_code == 1
    assert "separate folder" in done.stdout
    assert runs.store.unfinished() == []


def test_a_folder_that_is_not_there_is_named(runs: RunService, tmp_path: Path) -> None:
    done = designer(runs, "start", tmp_path / "nowhere")
    assert done.exit_code == 1
    assert "nowhere" in done.output
