"""Execute Python Script with another Python: the same values in and out, and the same errors."""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from modules.artifacts import ImageDirectory, Table
from modules.context import Context, ScriptEnvironment
from modules.errors import FailedToEvaluateScriptError
from modules.models.state_dict import state_dict_of
from modules.scripts.execute_python_script import (
    ExecutePythonScriptOutputs,
    ExecutePythonScriptParameters,
    execute_python_script,
)
from tests.modules.conftest import Workplace
from tests.modules.scoring.small import random_model
from tests.modules.training.noise import noise_squares

pytestmark = pytest.mark.extended

OWN = ScriptEnvironment("own@1", "0" * 64, Path(sys.executable), Path(sys.executable).parent)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> ScriptEnvironment:
    """A Python without any package."""
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, symlinks=True)
    folder = root / ("Scripts" if os.name == "nt" else "bin")
    return ScriptEnvironment("bare@1", "1" * 64, folder / "python", folder)


@pytest.fixture(scope="module")
def without_parquet(tmp_path_factory: pytest.TempPathFactory) -> ScriptEnvironment:
    """A Python with pandas and without pyarrow."""
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, symlinks=True)
    folder = root / ("Scripts" if os.name == "nt" else "bin")
    [own] = root.rglob("site-packages")
    names = ("pandas", "numpy", "numpy.libs", "dateutil", "six.py", "pytz", "tzdata")
    places = [Path(pd.__file__).parents[1] / name for name in names]
    for place in places:
        if place.exists():
            (own / place.name).symlink_to(place)
    return ScriptEnvironment("pandas@1", "2" * 64, folder / "python", folder)


@pytest.fixture
def images(workplace: Workplace) -> ImageDirectory:
    return noise_squares(workplace.root / "store/a/out")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    (tmp_path / "table").mkdir()
    rows = pd.DataFrame({"x": [1, 2, 3], "when": pd.date_range("2024-02-28", periods=3)})
    return Table.write(tmp_path / "table", rows)


def run(
    workplace: Workplace,
    environment: ScriptEnvironment,
    code: str,
    settings: dict[str, Any] | None = None,
    **inputs: Any,
) -> ExecutePythonScriptOutputs:
    context: Context = workplace.context()
    context.environment = environment
    context.node_dir = workplace.root
    for name, value in (settings or {}).items():
        setattr(context, name, value)
    outputs = execute_python_script(ExecutePythonScriptParameters(code=code), context, **inputs)
    assert isinstance(outputs, ExecutePythonScriptOutputs)
    return outputs


def failure(
    workplace: Workplace, environment: ScriptEnvironment, code: str, **inputs: Any
) -> FailedToEvaluateScriptError:
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        run(workplace, environment, code, **inputs)
    return caught.value


def test_the_default_hands_on_what_came_in(
    workplace: Workplace, images: ImageDirectory, table: Table
) -> None:
    code = ExecutePythonScriptParameters().code
    outputs = run(workplace, OWN, code, images1=images, table1=table)
    expected = images.images.assign(source=images.reference)
    assert outputs.images.images.equals(expected)
    assert all(path.is_file() for path in outputs.images.file_paths())
    assert outputs.table.rows.equals(table.rows)
    assert outputs.model.description["files"] == []
    assert list((workplace.root / "cache").glob("**/told.json")) == []


def test_it_has_the_python_the_packages_and_the_variables_of_the_environment(
    workplace: Workplace, bare: ScriptEnvironment
) -> None:
    code = """
import importlib.util, os, sys

def designer_main():
    rank = "RANK" in os.environ
    row = {"python": sys.executable, "torch": importlib.util.find_spec("torch") is not None}
    print("printed by the script")
    return [{**row, "own": os.environ["OWN"], "rank": rank}]
"""
    error = failure(workplace, bare, code.replace('os.environ["OWN"]', '"-"'))
    assert "of type dict" in error.message or "of type list" in error.message

    code = code.replace("return [", 'return {"table": [').replace(
        '"rank": rank}]', '"rank": rank}]}'
    )
    outputs = run(workplace, bare, code, {"variables": {"OWN": "word"}})
    [row] = outputs.table.rows.to_dict("records")
    assert row == {"python": str(bare.python), "torch": False, "own": "word", "rank": False}
    log = (workplace.root / "70_driver_log_0.txt").read_text(encoding="utf-8")
    assert "printed by the script" in log


def test_rows_of_images_are_mappings_where_there_is_no_pandas(
    workplace: Workplace, bare: ScriptEnvironment, images: ImageDirectory
) -> None:
    code = """
def designer_main(images1):
    assert all(open(path, "rb").read(4) == b"\\x89PNG" for path in images1.file_paths())
    rows = [dict(row, label="warm") for row in images1.images if row["label"] == "red"]
    return {"images": rows}
"""
    made = run(workplace, bare, code, images1=images).images
    assert set(made.labels) == {"warm"}
    assert len(made.images) == 8
    assert made.classes == ("green", "blue", "warm")
    assert all(path.is_file() for path in made.file_paths())


NUMBERS = {
    "small": [1e-12, float("nan"), 5e-324],
    "digits": [0.1234567890123456, 1 / 3, 2.0],
    "endless": [float("inf"), float("-inf"), 1e300],
    "single": pd.array([1e-20, 0.1, 3], dtype="float32"),
    "large": pd.array([2**60 + 1, None, 3], dtype="Int64"),
    "label": ["cat", None, "dog"],
}


AS_PANDAS_2 = pytest.param("0", id="as pandas 2")
AS_PANDAS_3 = pytest.param("1", id="as pandas 3")


@pytest.mark.parametrize("strings", [AS_PANDAS_2, AS_PANDAS_3])
def test_numbers_and_what_is_missing_are_the_same_without_parquet(
    workplace: Workplace, without_parquet: ScriptEnvironment, tmp_path: Path, strings: str
) -> None:
    code = """
import importlib.util
import pandas

def designer_main(table1):
    assert importlib.util.find_spec("pyarrow") is None
    assert list(table1["label"].isna()) == [False, True, False], table1
    print((table1.dtypes == object)["label"])
    return table1
"""
    (tmp_path / "numbers").mkdir()
    table = Table.write(tmp_path / "numbers", pd.DataFrame(NUMBERS))
    # What makes this pandas take texts for objects, as those before it do.
    settings = {"variables": {"PANDAS_FUTURE_INFER_STRING": strings}}
    made = run(workplace, without_parquet, code, settings, table1=table).table.rows
    pd.testing.assert_frame_equal(
        made, pd.DataFrame(NUMBERS), check_dtype=False, check_exact=True, atol=0, rtol=0
    )
    log = (workplace.root / "70_driver_log_0.txt").read_text(encoding="utf-8")
    assert log.split() == [str(strings == "0")]


@pytest.mark.parametrize(
    "strings",
    [pytest.param("0", id="as pandas 2", marks=pytest.mark.full), AS_PANDAS_3],  # as numbers
)
def test_images_without_a_label_have_none_without_parquet(
    workplace: Workplace, without_parquet: ScriptEnvironment, images: ImageDirectory, strings: str
) -> None:
    code = """
def designer_main(images1):
    images1.images.loc[0, "label"] = None
    return images1
"""
    settings = {"variables": {"PANDAS_FUTURE_INFER_STRING": strings}}
    made = run(workplace, without_parquet, code, settings, images1=images).images
    assert made.classes == images.classes
    assert made.labels == [None, *images.labels[1:]]
    again = run(
        workplace,
        without_parquet,
        "def designer_main(images1):\n    return images1\n",
        settings,
        images1=made,
    ).images
    assert again.labels == made.labels
    assert again.classes == made.classes


def test_azureml_main_is_taken_as_it_is(workplace: Workplace, table: Table) -> None:
    code = """
def azureml_main(dataframe1=None, dataframe2=None):
    assert str(dataframe1["when"].dtype).startswith("datetime64")
    dataframe1["twice"] = 2 * dataframe1["x"]
    return dataframe1, dataframe1
"""
    outputs = run(workplace, OWN, code, table1=table)
    assert list(outputs.table.rows["twice"]) == [2, 4, 6]
    assert "The second one is ignored" in workplace.warnings[-1]


def test_models_go_in_and_out_as_tensors(workplace: Workplace, tmp_path: Path) -> None:
    trained = random_model(tmp_path / "model")
    code = """
import torch

def designer_main(model):
    assert model.description["classes"] == ["red", "green", "blue"]
    return torch.nn.Linear(3, len(model.description["classes"]))
"""
    made = run(workplace, OWN, code, model=trained).model
    _, stored = state_dict_of(made, None)
    assert {name: tuple(each.shape) for name, each in stored.tensors.items()} == {
        "weight": (3, 3),
        "bias": (3,),
    }
    handed_on = run(workplace, OWN, "def designer_main(model):\n    return model\n", model=trained)
    assert handed_on.model.main_path.read_bytes() == trained.weights_path.read_bytes()


def test_what_it_tells_meanwhile_is_told(workplace: Workplace, bare: ScriptEnvironment) -> None:
    code = """
def designer_main(context):
    for step in range(3):
        context.metric("loss", 1 / (step + 1), step)
    context.warn("almost")
"""
    run(workplace, bare, code)
    points = [event for event in workplace.events if event["kind"] == "metric"]
    assert [(each["name"], each["step"]) for each in points] == [
        ("loss", 0),
        ("loss", 1),
        ("loss", 2),
    ]
    assert workplace.warnings == ["almost"]


FAILURES = {
    "raised": (
        "def designer_main():\n    return 1 / 0\n",
        "Line 2 raised ZeroDivisionError: division by zero.",
    ),
    "at import": ("x = nothing\n", "Line 1 raised NameError"),
    "left": ("import sys\ndef designer_main():\n    sys.exit(3)\n", r"Line 3 ended the script"),
    "no main": ("designer_mains = 1\n", "neither designer_main nor azureml_main"),
    "unknown": ("def designer_main():\n    return {'pictures': 1}\n", "returned pictures"),
    "type": ("def designer_main():\n    return 5\n", "returned an object of type int."),
    "killed itself": ("import os\nos._exit(3)\n", "code 3"),
    "silent": ("import os\nos._exit(0)\n", "before it returned a result"),
}


@pytest.mark.parametrize("case", sorted(FAILURES))
def test_failures_are_told_as_those_of_the_designers_own_python(
    workplace: Workplace, bare: ScriptEnvironment, case: str
) -> None:
    code, message = FAILURES[case]
    assert message in failure(workplace, bare, code).message


def test_the_very_expression_is_named(workplace: Workplace, bare: ScriptEnvironment) -> None:
    error = failure(workplace, bare, "def designer_main():\n    return 'ä' + (1 / 0)\n")
    assert (error.facts["line"], error.facts["column"], error.facts["end_column"]) == (2, 19, 24)
    assert error.parameter == "code"


def test_a_missing_package_can_be_added_by_a_button(
    workplace: Workplace, bare: ScriptEnvironment, table: Table
) -> None:
    error = failure(workplace, bare, "import sklearn\n")
    assert error.remedy == {"add_requirement": "scikit-learn", "environment": "bare@1"}
    code = "def designer_main(table1):\n    return table1\n"
    assert "pandas" in str(failure(workplace, bare, code, table1=table).remedy)
