"""Scripts for Azure Machine Learning's SDK v1 log, tag and keep files; what needs Azure says so."""

from __future__ import annotations

import json
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


OF_THE_DOCUMENTS = """
from azureml.core import Workspace, ScriptRunConfig, Environment, Experiment, Dataset, Datastore
from azureml.core import Model, Run
from azureml.core.workspace import Workspace as Same
from azureml.core.runconfig import MpiConfiguration, PyTorchConfiguration, TensorflowConfiguration
from azureml.core.runconfig import DockerConfiguration, RunConfiguration
from azureml.core.compute import ComputeTarget, AmlCompute
from azureml.core.compute_target import ComputeTargetException
from azureml.core.authentication import InteractiveLoginAuthentication
from azureml.core.conda_dependencies import CondaDependencies
from azureml.core.model import InferenceConfig
from azureml.core.webservice import AciWebservice
from azureml.train.dnn import PyTorch
from azureml.train.hyperdrive import HyperDriveConfig
from azureml.widgets import RunDetails
from azureml.data.dataset_factory import FileDatasetFactory
from azureml.exceptions import UserErrorException
import azureml.core.compute
"""


def test_every_name_of_the_documents_can_be_imported(tmp_path: Path) -> None:
    script = (
        f"{OF_THE_DOCUMENTS}\n"
        "from typing import Optional\n"
        "def of(workspace: Optional[Workspace] = None): return isinstance(workspace, Workspace)\n"
        "try:\n    raise ComputeTargetException('no')\n"
        "except ComputeTargetException as error:\n    print(error, of(), Run.__name__)\n"
    )
    assert said(script, tmp_path).strip() == "no False Run"


@pytest.mark.parametrize(
    ("line", "name", "advice"),
    [
        ("Workspace.from_config()", "azureml.core.Workspace.from_config", "install azureml-core"),
        ("Experiment(None, 'x')", "azureml.core.Experiment", "`designer import FILE.py`"),
        ("PyTorchConfiguration(8, 2)", "runconfig.PyTorchConfiguration", "`designer import"),
        ("ComputeTarget(None, name='x')", "compute.ComputeTarget", "`designer target add`"),
        ("Dataset.get_by_name(None, 'x')", "Dataset.get_by_name", "an input of the node"),
        ("Model.register(None, 'x')", "Model.register", "`designer models register`"),
        ("RunDetails(None)", "azureml.widgets.RunDetails", "needs an Azure"),
    ],
)
def test_what_needs_a_workspace_says_so(tmp_path: Path, line: str, name: str, advice: str) -> None:
    error = run(f"{OF_THE_DOCUMENTS}\n{line}", tmp_path).stderr.splitlines()[-1]
    assert f"{name} needs an Azure Machine Learning workspace" in error
    assert advice in error


@pytest.mark.parametrize("name", ["azureml.opendatasets", "azureml.core.run.nothing"])
def test_a_part_that_is_not_stood_in_for_is_missing(tmp_path: Path, name: str) -> None:
    error = run(f"import {name}", tmp_path).stderr.splitlines()[-1]
    assert error.startswith("ModuleNotFoundError")


def test_a_model_is_registered_by_hand(tmp_path: Path) -> None:
    script = (
        "from azureml.core.run import Run\n"
        "run = Run.get_context()\n"
        "open('model.pt', 'w').write('x')\n"
        "model = run.register_model(model_name='birds', model_path='./model.pt')\n"
        "print(model.name, model.version)\n"
        "run.register_model('birds', 'outputs/none.pt')\n"
    )
    done = run(script, tmp_path, DESIGNER_METRICS=str(tmp_path / "metrics"))
    assert done.stdout.strip() == "birds None"
    assert "FileNotFoundError: There is no outputs/none.pt" in done.stderr
    lines = (tmp_path / "metrics").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"unregistered_model": "birds", "path": "model.pt"}
    ]


def test_an_attribute_of_the_cloud_says_so(tmp_path: Path) -> None:
    script = "from azureml.core import Run\nRun.get_context().experiment"
    assert "AttributeError: Run.experiment needs" in run(script, tmp_path).stderr
