"""Execute Python Script: tables, images and models in and out, and errors where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from modules.artifacts import AttachedTransformation, ImageDirectory, Table
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


@pytest.fixture
def images(workplace: Workplace) -> ImageDirectory:
    operations = [{"operation": "resize", "size": 32}]
    return noise_squares(workplace.root / "store/a/out", operations=operations)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    (tmp_path / "table").mkdir()
    return Table.write(tmp_path / "table", pd.DataFrame({"x": [1, 2, 3]}))


def run(workplace: Workplace, code: str, **inputs: Any) -> ExecutePythonScriptOutputs:
    context = workplace.context()
    outputs = execute_python_script(ExecutePythonScriptParameters(code=code), context, **inputs)
    assert isinstance(outputs, ExecutePythonScriptOutputs)
    return outputs


def failure(workplace: Workplace, code: str, **inputs: Any) -> FailedToEvaluateScriptError:
    with pytest.raises(FailedToEvaluateScriptError) as caught:
        run(workplace, code, **inputs)
    assert caught.value.parameter == "code"
    return caught.value


def findings(code: str) -> list[tuple[str, Any, Any]]:
    assert execute_python_script.check is not None
    found = execute_python_script.check(ExecutePythonScriptParameters(code=code))
    return [(each.reason, each.facts.get("line"), each.facts.get("column")) for each in found]


def test_the_default_hands_on_what_came_in(
    workplace: Workplace, images: ImageDirectory, table: Table
) -> None:
    outputs = run(workplace, ExecutePythonScriptParameters().code, images1=images, table1=table)
    assert list(outputs.images.images["sha256"]) == list(images.images["sha256"])
    assert all(path.is_file() for path in outputs.images.file_paths())
    assert outputs.table.rows.equals(table.rows)
    assert outputs.model.description["files"] == []
    assert workplace.summary == "24 images, 3 rows, 1 columns"
    assert findings(ExecutePythonScriptParameters().code) == []


def test_rows_of_two_directories_are_relabelled_and_keep_their_files(
    workplace: Workplace, images: ImageDirectory
) -> None:
    more = noise_squares(workplace.root / "store/b/out", ["mauve"], seed=4)
    code = """
import pandas as pd

def designer_main(images1, images2):
    rows = pd.concat([images1.images.head(4), images2.images.head(2)])
    return {"images": rows.assign(label=rows["label"].replace("mauve", "violet"))}
"""
    made = run(workplace, code, images1=images, images2=more).images
    assert made.classes == ("red", "green", "blue", "violet")
    assert made.labels == ["red", "green", "blue", "red", "violet", "violet"]
    assert [path.parent.parent.parent.name for path in made.file_paths()] == [*"aaaa", *"bb"]
    assert all(path.is_file() for path in made.file_paths())
    assert isinstance(made.transformation, AttachedTransformation)


def test_pictures_that_the_script_writes(workplace: Workplace) -> None:
    code = """
import hashlib

import pandas as pd
from PIL import Image

from modules import ImageDirectory

def designer_main(context):
    folder = context.new_folder()
    (folder / "images").mkdir()
    path = folder / "images" / "one.png"
    Image.new("RGB", (8, 6), "red").save(path)
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    row = ["one.png", "red", 8, 6, len(content), digest, ""]
    rows = pd.DataFrame([row], columns=ImageDirectory.COLUMNS)
    return ImageDirectory.write(folder, rows, ["red"])
"""
    made = run(workplace, code).images
    assert [path.name for path in made.file_paths() if path.is_file()] == ["one.png"]


def test_azureml_main_is_taken_as_it_is(workplace: Workplace, table: Table) -> None:
    code = """
def azureml_main(dataframe1=None, dataframe2=None):
    dataframe1["y"] = dataframe1["x"] * 2
    return dataframe1, dataframe1
"""
    assert list(run(workplace, code, table1=table).table.rows["y"]) == [2, 4, 6]
    assert len(workplace.warnings) == 1


MODELS = {
    "a module": "import torch\ndef designer_main():\n    return torch.nn.Linear(2, 3)\n",
    "a state dict": "import torch\ndef designer_main():\n"
    "    return {'model': torch.nn.Linear(2, 3).state_dict()}\n",
}


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_models_go_out_as_tensors(workplace: Workplace, kind: str) -> None:
    path, stored = state_dict_of(run(workplace, MODELS[kind]).model, None)
    assert path.name == "model.safetensors"
    assert {name: tuple(each.shape) for name, each in stored.tensors.items()} == {
        "weight": (3, 2),
        "bias": (3,),
    }


def test_a_model_comes_in_as_what_it_is(workplace: Workplace, tmp_path: Path) -> None:
    trained = random_model(tmp_path / "model")
    code = "def designer_main(model):\n    assert len(model.classes) == 3\n    return model\n"
    outputs = run(workplace, code, model=trained)
    assert outputs.model.main_path.read_bytes() == trained.weights_path.read_bytes()


def test_nothing_given_is_empty(workplace: Workplace) -> None:
    outputs = run(workplace, "def designer_main():\n    print('done')\n")
    assert outputs.images.images.empty
    assert outputs.table.rows.empty
    assert workplace.summary == "no outputs"


def test_a_result_that_is_not_an_output_is_rejected_with_the_right_form(
    workplace: Workplace,
) -> None:
    error = failure(workplace, "def designer_main():\n    return 5\n")
    assert error.message == "The script returned an object of type int."
    assert error.cure == "Return a mapping with images, table and model, or one of them."


def test_an_error_names_its_line_and_columns(workplace: Workplace, table: Table) -> None:
    code = "def designer_main(table1):\n    é = 'é' + table1['nope']['y']\n"
    error = failure(workplace, code, table1=table)
    assert error.message == "Line 2 raised KeyError: 'nope'."
    assert {name: error.facts[name] for name in ("line", "column", "end_column")} == {
        "line": 2,
        "column": 15,
        "end_column": 29,
    }


def test_an_error_at_the_top_of_the_script_is_told_the_same_way(workplace: Workplace) -> None:
    error = failure(workplace, "x = 1\ny = x / 0\n\ndef designer_main():\n    pass\n")
    assert (error.facts["line"], error.facts["column"]) == (2, 5)


SYNTAX = "def designer_main()\n    return 1\n"


def test_what_is_no_python_is_found_without_running(workplace: Workplace) -> None:
    assert findings(SYNTAX) == [("no_python", 1, 20)]
    assert failure(workplace, SYNTAX).facts["line"] == 1
    assert findings("raise SystemExit\x00")[0][0] == "no_python"
    assert findings("open('ran', 'w')") == [("no_main", None, None)]
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import sys; sys.exit(3)", "script_ended_itself"),
        ("return 5", "no_result_type"),
        ("return {'pictures': 1}", "unknown_script_outputs"),
        ("import pandas; return pandas.DataFrame(), pandas.DataFrame()", "two_of_a_kind"),
        ("import pandas; return {'images': pandas.DataFrame({'path': []})}", "no_image_rows"),
        ("import pandas; return pandas.DataFrame({'x': [1, 'a']})", "no_column_type"),
        ("return {'model': {'x': 1}}", "no_output_type"),
    ],
)
def test_what_cannot_go_on_says_so(workplace: Workplace, body: str, reason: str) -> None:
    assert failure(workplace, f"def designer_main():\n    {body}\n").reason == reason


def test_a_script_without_a_function_is_refused(workplace: Workplace) -> None:
    assert failure(workplace, "designer_main = None\n").reason == "no_main"
