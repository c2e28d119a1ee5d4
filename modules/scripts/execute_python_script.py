"""Module Execute Python Script: a few lines of Python between two modules."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from modules.artifacts import ImageDirectory, Model, Table
from modules.context import Context
from modules.declare import module
from modules.errors import FailedToEvaluateScriptError
from modules.files.disk import scratch_folder
from modules.foreign_model import ForeignModel
from modules.parameters import Code, Parameters
from modules.scripts.environment_script import EnvironmentScript
from modules.scripts.script_inputs import script_inputs
from modules.scripts.script_outputs import ReturnedOutputs, written
from modules.sentences import own_python as say
from modules.spec import ParameterFinding, PortDoc
from modules.typed_code import MAX_CODE, loaded, syntax_fault, told_by_place

NAME = "designer_script"
MAIN, AZUREML_MAIN = "designer_main", "azureml_main"
DEFAULT = '''\
def designer_main(images1=None, images2=None, table1=None, table2=None, model=None):
    """Tables are pandas DataFrames; images1.images are the rows of images, with their labels."""
    return {"images": images1, "table": table1, "model": model}
'''


class ExecutePythonScriptParameters(Parameters):
    code: Annotated[str, Code("python")] = Field(
        DEFAULT,
        min_length=1,
        max_length=MAX_CODE,
        title="Python script",
        description="Code that defines designer_main. Its parameters may be images1, images2, "
        "table1, table2, model and context, as needed. It returns a mapping with images, table "
        "and model, or one of them. azureml_main(dataframe1, dataframe2) is accepted unchanged.",
    )


class ExecutePythonScriptOutputs(NamedTuple):
    images: Annotated[ImageDirectory, PortDoc("Images returned by the script, else none.")]
    table: Annotated[Table, PortDoc("Table returned by the script, else an empty one.")]
    model: Annotated[
        ForeignModel,
        PortDoc("Tensors of the model returned by the script, for Make Trained Model."),
    ]


def _check(parameters: ExecutePythonScriptParameters) -> Iterable[ParameterFinding]:
    """Check the text without running it."""
    fault = syntax_fault(parameters.code)
    if fault is not None:
        yield ParameterFinding.of("code", fault.sentence, severity="error", **fault.facts)
    elif not _defined(parameters.code) & {MAIN, AZUREML_MAIN}:
        yield ParameterFinding.of("code", say.NO_MAIN, severity="error")


def _defined(code: str) -> set[str]:
    """Return all names that the text assigns or defines."""
    nodes = list(ast.walk(ast.parse(code)))
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}


@module(
    title="Execute Python Script",
    category="Python",
    summary="Run a few lines of Python on tables, images and models.",
    icon="file-code",
    keywords=("code", "custom", "pandas", "own", "azureml_main"),
    libraries=("pandas", "torch", "torchvision"),
    bridges=(),
    takes_environment=True,
    check=_check,
)
def execute_python_script(
    parameters: ExecutePythonScriptParameters,
    context: Context,
    images1: Annotated[ImageDirectory | None, PortDoc("Images, with rows and files.")] = None,
    images2: Annotated[ImageDirectory | None, PortDoc("More images.")] = None,
    table1: Annotated[Table | None, PortDoc("A table, including scored images.")] = None,
    table2: Annotated[Table | None, PortDoc("Another table.")] = None,
    model: Annotated[Model | None, PortDoc("Any model.")] = None,
) -> ExecutePythonScriptOutputs:
    """Run the script's designer_main and output what it returns.

    A table is a pandas DataFrame. Images are an ImageDirectory, or rows of `images1.images` and
    `images2.images`, filtered or with other labels. Their files are `images1.file_paths()`; files
    in tar shards are written for the script while it runs. A model is a torch module, its state
    dict, the path of a file, or the input model: its tensors go to the output, for Make Trained
    Model. Outputs that are not returned are empty. Everything printed is in the log. The script
    runs in a separate process with the permissions of the designer's user.

    With an environment in the run settings, the script uses its Python and packages instead of the
    designer's: images have rows, `classes`, `labels` and `file_paths()`, context has `metric` and
    `warn`, and tables need pandas in the environment. Without pandas, rows are mappings.
    """
    with scratch_folder(context.cache_dir or context.staging_dir) as scratch:
        values = script_inputs(scratch / "files", images1, images2, table1, table2, model)
        result = _result(parameters.code, values, context, scratch)
        outputs, summary = written(result, values, context)
    context.summary(summary)
    return ExecutePythonScriptOutputs(*outputs)


def _result(
    code: str, values: Mapping[str, Any], context: Context, scratch: Path
) -> ReturnedOutputs:
    """Return the result of the script, run in this process or with the Python of an environment."""
    if context.environment is not None:
        return EnvironmentScript(code, context.environment, context).run(scratch, values)
    script = loaded(code, NAME, "code")
    with told_by_place(code, NAME, "code"):
        return _called(script, values, context)


def _called(script: ModuleType, values: Mapping[str, Any], context: Context) -> ReturnedOutputs:
    """Return the result of the script's function, by the names of the outputs."""
    main = getattr(script, MAIN, None)
    if main is not None:
        return ReturnedOutputs.of(main(**_taken(main, {**values, "context": context})))
    main = getattr(script, AZUREML_MAIN, None)
    if main is None:
        raise FailedToEvaluateScriptError(say.NO_MAIN, parameter="code")
    return ReturnedOutputs.of_azureml(main(values["table1"], values["table2"]), context)


def _taken(main: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that the function accepts."""
    arguments = inspect.signature(main).parameters
    if any(argument.kind is argument.VAR_KEYWORD for argument in arguments.values()):
        return dict(values)
    return {name: value for name, value in values.items() if name in arguments}
