"""Code that runs in a user's environment, whose Python may be 3.6: also run by such Pythons."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.errors import FailedToEvaluateScriptError
from modules.scripts import bootstrap, script_worker
from modules.scripts.execute_python_script import (
    ExecutePythonScriptParameters,
    execute_python_script,
)
from modules.scripts.shims import SHIMS
from tests.modules.scripts.conftest import ScriptStep
from tests.modules.scripts.older_python import older_environment

FILES = [Path(bootstrap.__file__), Path(script_worker.__file__), *sorted(SHIMS.rglob("*.py"))]
OLDEST = (3, 6)
LATER_MODULES = {
    *("__future__", "contextvars", "dataclasses", "graphlib", "tomllib", "zoneinfo"),
    *("importlib.metadata", "importlib.resources", "concurrent.interpreters"),
}
LATER_NAMES = {
    *("nullcontext", "removeprefix", "removesuffix", "time_ns", "perf_counter_ns", "breakpoint"),
    *("fromisoformat", "cached_property", "is_relative_to", "readlink"),
    *("Final", "Literal", "Protocol", "TypedDict", "Self", "Annotated", "ParamSpec", "TypeAlias"),
}
LATER_ARGUMENTS = {"capture_output", "missing_ok", "strict", "dirs_exist_ok", "slots"}
VERSIONS = ("3.6", "3.7")
SCRIPT = """
import os, pathlib, sys
from azureml.core.run import Run
run = Run.get_context()
run.log("rank", int(os.environ["RANK"]))
pathlib.Path("outputs/model.pt").write_text("weights")
with open("outputs/info.txt", "w") as file:
    file.write("%d.%d" % sys.version_info[:2])
print("rank", os.environ["RANK"], sys.argv[1:])
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_needs_a_later_python(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=OLDEST)
    assert set(_imports(tree)).isdisjoint(LATER_MODULES)
    names = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
    names |= {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    names |= set(_imported_names(tree))
    assert names.isdisjoint(LATER_NAMES)
    keywords = {each.arg for each in ast.walk(tree) if isinstance(each, ast.keyword)}
    assert keywords.isdisjoint(LATER_ARGUMENTS)
    functions = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    assert "__getattr__" not in functions, "3.6 asks the class of a module alone"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_annotations_can_be_evaluated_by_an_older_python(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    evaluated = [each for each in _annotations(tree) if not isinstance(each, ast.Constant)]
    assert all(isinstance(each, ast.Name) for each in evaluated), "quote it"


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _imported_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names)


def _annotations(tree: ast.AST, *, is_function: bool = False) -> Iterator[ast.expr]:
    """The annotations that Python evaluates: all but those of local variables."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.AnnAssign) and not is_function:
            yield node.annotation
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.annotation
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield node.returns
        inside = is_function and not isinstance(node, ast.ClassDef)
        yield from _annotations(node, is_function=inside or isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_script_runs_with_an_older_python(step: ScriptStep, version: str) -> None:
    settings = {"environment": older_environment(version), "process_count_per_node": 2}
    outputs, model, metrics = step.run(
        SCRIPT, settings=settings, arguments=["$LOCAL_RANK"], model_file="outputs/model.pt"
    )
    assert (outputs.location / "info.txt").read_text() == version
    assert model.main_path.read_text() == "weights"
    assert metrics.rows[["name", "value"]].to_numpy().tolist() == [["rank", 0.0]]
    assert [step.log(rank).strip() for rank in range(2)] == ["rank 0 ['0']", "rank 1 ['1']"]
    [warning] = step.warnings
    assert "outputs/info.txt, outputs/model.pt" in warning, "both ranks wrote them"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_script_that_fails_with_an_older_python_says_where(
    step: ScriptStep, version: str
) -> None:
    settings = {"environment": older_environment(version)}
    with pytest.raises(FailedToEvaluateScriptError, match="ValueError: no") as caught:
        step.run("def fail():\n    raise ValueError('no')\nfail()", settings=settings)
    assert "bootstrap" not in str(caught.value)
    with pytest.raises(FailedToEvaluateScriptError, match="needs an Azure Machine Learning"):
        step.run("from azureml.core import Model\nModel.list()", settings=settings)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_typed_script_runs_with_an_older_python(step: ScriptStep, version: str) -> None:
    code = (
        "import sys\n"
        "def designer_main(table1=None, context=None):\n"
        "    context.metric('minor', sys.version_info[1])\n"
        "    return {'table': [{'a': 1, 'b': 'x'}]}\n"
    )
    context = step.context(environment=older_environment(version))
    _, table, _ = execute_python_script(ExecutePythonScriptParameters(code=code), context)
    assert table.rows.to_dict("records") == [{"a": 1, "b": "x"}]
    assert [each["value"] for each in step.events if each["kind"] == "metric"] == [
        float(version.partition(".")[2])
    ]
