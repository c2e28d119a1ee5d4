"""``designer dataset check``: how a dataset is read, before anything runs."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from pipelines.runs.run_service import RunService
from tests.modules.conftest import zipped
from tests.pipelines.cli.commands import designer


def images(folder: Path, *paths: str) -> Path:
    for number, path in enumerate(paths):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (number, 0, 0)).save(file)
    return folder


def test_it_shows_parts_and_where_labels_come_from(runs: RunService, tmp_path: Path) -> None:
    folder = images(tmp_path / "pets", "train/0.png", "train/1.png", "test/2.png")
    (folder / "labels.csv").write_text("id,breed\n0,pug\n1,collie\n", encoding="utf-8")
    shown = designer(runs, "dataset", "check", folder)
    assert shown.exit_code == 0
    text = " ".join(shown.stdout.split())
    assert "Part train: labels.csv labels 2 of 2 images, 2 classes (columns id and breed)." in text
    assert "Part test: 1 image without labels." in text
    content = json.loads(designer(runs, "dataset", "check", folder, "--json").stdout)
    assert [part["part"] for part in content["parts"]] == ["train", "test"]
    assert content["classes"] == {"collie": 1, "pug": 1}


def test_a_question_has_exit_code_1(runs: RunService, tmp_path: Path) -> None:
    folder = images(tmp_path / "pets", "cat.0.png", "cat.1.png", "dog.0.png", "dog.1.png")
    shown = designer(runs, "dataset", "check", folder)
    assert shown.exit_code == 1
    assert "can be read in several ways" in " ".join(shown.stdout.split())


def test_a_registered_dataset_is_checked_by_its_name(runs: RunService, tmp_path: Path) -> None:
    folder = images(tmp_path / "pets", "a/0.png", "b/1.png")
    assert designer(runs, "dataset", "import", folder).exit_code == 0
    shown = designer(runs, "dataset", "check", "dataset:pets")
    assert (shown.exit_code, shown.stdout.splitlines()[0]) == (
        0,
        "Read as: 2 class folders with 2 images.",
    )


def test_an_archive_is_read_like_the_folder_in_it(runs: RunService, tmp_path: Path) -> None:
    folder = images(tmp_path / "pets", "train/0.png", "train/1.png", "test/2.png")
    (folder / "labels.csv").write_text("id,breed\n0,pug\n1,collie\n", encoding="utf-8")
    shown = [designer(runs, "dataset", "check", source) for source in (folder, zipped(folder))]
    assert shown[0].stdout == shown[1].stdout
    assert not any(runs.workspace.datasets_dir.glob("*"))


@pytest.mark.parametrize("name", ["../a/0.png", "cut off"])
def test_an_unsafe_or_damaged_archive_is_refused(
    name: str, runs: RunService, tmp_path: Path
) -> None:
    images(tmp_path, "0.png")
    archive = tmp_path / "pets.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(tmp_path / "0.png", name)
    if name == "cut off":
        archive.write_bytes(archive.read_bytes()[:-30])
    shown = designer(runs, "dataset", "check", archive)
    assert shown.exit_code == 1
    assert ("is not safe" if ".." in name else "is damaged or truncated") in shown.output
