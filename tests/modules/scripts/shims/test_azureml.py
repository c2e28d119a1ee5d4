"""Scripts for Azure Machine Learning's SDK v1 log, tag and keep files; what needs Azure says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.modules.scripts.shims.shim_scripts import logged, run, said

BIRDS = """
from azureml.core.run import Run
run = Run.get_context()
assert run is Run.get_context() and run.id.startswith("OfflineRun")
run.log("lr", 0.001)
for accuracy in (0.5, 0.75):
    run.log("best_val_acc", accuracy)
run.log("note", "a text")
run.log_list("losses", [3, 2])
run.log_row("row", a=1, b=2)
run.log_table("table", {"c": [1, 2], "d": 3})
run.tag("kind", "test")
run.complete()
print(run.get_metrics("lr"), run.get_tags(), run.input_datasets, run.get_status())
"""


def test_what_is_logged_becomes_points(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    printed = said(BIRDS, tmp_path, DESIGNER_METRICS=str(path))
    assert printed.strip() == "{'lr': 0.001} {'kind': 'test'} {} Running"
    assert [(name, value) for name, value, _, _ in logged(path)] == [
        ("lr", 0.001),
        ("best_val_acc", 0.5),
        ("best_val_acc", 0.75),
        ("losses", 3.0),
        ("losses", 2.0),
        ("row/a", 1.0),
        ("row/b", 2.0),
        ("table/c", 1.0),
        ("table/c", 2.0),
        ("table/d", 3.0),
    ]


def test_files_are_kept_below_the_working_folder(tmp_path: Path) -> None:
    script = """
import io
from azureml.core import Run
run = Run.get_context()
open("a.txt", "w").write("a")
run.upload_file("outputs/x/a.txt", "a.txt")
run.upload_file("outputs/b.txt", io.BytesIO(b"b"))
run.upload_folder("logs/all", "outputs")
run.log_image("picture", path="a.txt")
run.download_file("outputs/b.txt", "c.txt")
print(*run.get_file_names(), open("c.txt").read())
"""
    assert said(script, tmp_path).split() == [
        "logs/all/b.txt",
        "logs/all/x/a.txt",
        "outputs/a.txt",
        "outputs/b.txt",
        "outputs/x/a.txt",
        "b",
    ]


@pytest.mark.parametrize("name", ["../outside", "/outside"])
def test_no_file_is_kept_elsewhere(tmp_path: Path, name: str) -> None:
    script = f"""
import io
from azureml.core import Run
Run.get_context().upload_file({name!r}, io.BytesIO(b"x"))
"""
    assert "is not below the working folder" in run(script, tmp_path).stderr


@pytest.mark.parametrize(
    "line",
    [
        "from azureml.core import Workspace",
        "from azureml.core import Run, Model",
        "from azureml.core.model import Model",
        "from azureml.core.workspace import Workspace",
        "from azureml.core.dataset import Dataset",
        "from azureml.core.experiment import Experiment",
        "from azureml.core.environment import Environment",
    ],
)
def test_what_needs_a_workspace_says_so(tmp_path: Path, line: str) -> None:
    error = run(line, tmp_path).stderr.splitlines()[-1]
    assert error.startswith("ImportError: azureml.core")
    assert "needs an Azure Machine Learning workspace" in error
    assert "install azureml-core" in error


def test_an_attribute_of_the_cloud_says_so(tmp_path: Path) -> None:
    script = "from azureml.core import Run\nRun.get_context().experiment"
    assert "AttributeError: Run.experiment needs" in run(script, tmp_path).stderr
