"""What can be set about a training script."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from modules.parameters import Code, Group, LocalPath, Parameters, Runs, SecretNames

DATASET = "dataset:"
TYPED_SCRIPT = "script.py"
"""What a script that is typed in the node is called."""
MAX_TYPED = 64 * 1024
ADVANCED = Group("Advanced", folded=True)

Words = Annotated[str, Field(max_length=8_192)]


def _as_text(value: object) -> object:
    """Return a number as the text that a script is called with; all else as it is."""
    return str(value) if isinstance(value, int | float) else value


Argument = Annotated[str, Field(max_length=8_192), BeforeValidator(_as_text)]
OutputsOf = Literal["first process", "every process", "all processes together"]


class ScriptParameters(Parameters):
    source_folder: Annotated[str | None, LocalPath(apart_from=(DATASET,)), Runs()] = Field(
        None,
        title="Source folder",
        max_length=4096,
        description="The folder with the script and all that it needs of its own: a folder, one "
        ".py file or an archive on this server, or dataset:NAME for one that was uploaded. What "
        ".amlignore or .gitignore leave out stays out.",
    )
    typed_script: Annotated[str | None, Code()] = Field(
        None,
        title="Typed script",
        max_length=MAX_TYPED,
        description=f"A script written here, in place of a source folder; it is called "
        f"{TYPED_SCRIPT}.",
    )
    script: Annotated[str | None, Runs(only_with_others=True)] = Field(
        None,
        title="Script",
        max_length=1024,
        description="The file that is run, as a path in the source folder. Empty: train.py or "
        "main.py, or the only one there is.",
    )
    arguments: Annotated[list[Argument], Runs(only_with_others=True)] = Field(
        [],
        title="Arguments",
        max_length=1000,
        description="What the script is called with, a line each. {{inputs.images}} is the path "
        "of an input, {{outputs.model}} that of an output, {{parameters.random_seed}} a parameter, "
        "$LOCAL_RANK a variable of the process; ${{inputs.images}} is read as well. No shell "
        "reads them.",
    )
    command: Annotated[str | None, Runs()] = Field(
        None,
        title="Command",
        max_length=8_192,
        description="In place of the script, for example: python -m my_package.train. With one "
        "process on each machine it starts the others itself. No shell runs it but sh -c.",
    )
    model_file: str | None = Field(
        "outputs/model.pt",
        title="Model file",
        max_length=1024,
        description="The file or folder that is the model, as a path in the working folder. The "
        "step fails where it is not written. Empty: the script makes no model.",
    )
    declared_outputs: list[Words] = Field(
        [],
        title="Declared outputs",
        max_length=200,
        description="What else the script must have written, a line each, such as "
        "outputs/*.csv: the step fails where one is not there.",
    )
    outputs_of: OutputsOf = Field(
        "first process",
        title="Outputs of",
        description="Whose outputs are kept. With those of every process each has a working "
        "folder of its own; all processes together share one, whatever machines they are on, as "
        "is expected where a checkpoint is written by all or read by another one (Lightning). "
        "Else the processes of one machine share one.",
    )
    log_patterns: Annotated[list[Words], ADVANCED] = Field(
        [],
        title="Metrics from the log",
        max_length=100,
        description="Patterns that find metrics in printed lines, a line each: in loss = Loss "
        "([0-9.]+) the first group is the value of the metric loss. Metrics that are logged need "
        "none.",
    )
    random_seed: Annotated[int | None, ADVANCED] = Field(
        None,
        title="Random seed",
        ge=0,
        le=2**32 - 1,
        description="Python's own (PYTHONHASHSEED), and {{parameters.random_seed}} in arguments.",
    )
    secrets: Annotated[list[Words], ADVANCED, SecretNames(), Runs(only_with_others=True)] = Field(
        [],
        title="Secrets",
        max_length=100,
        description="Names of secrets that the script finds as variables, a line each. Their "
        "values are kept outside of pipelines (designer secrets set) and shown nowhere.",
    )
    network: Annotated[Literal["allowed", "none"], ADVANCED, Runs(only_with_others=True)] = Field(
        "allowed",
        title="Network",
        description="none shuts the script off from every network, where bubblewrap is installed. "
        "What it logs by MLflow then stays in its working folder; other ways to log work as ever.",
    )
    give_pytorch_names: Annotated[bool, ADVANCED] = Field(
        True,
        title="Give PyTorch's names too",
        description="With the launcher MPI: RANK, WORLD_SIZE, LOCAL_RANK and the others beside "
        "those of Open MPI.",
    )
