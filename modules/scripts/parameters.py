"""Parameters of a training script."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from modules.parameters import Code, Group, LocalPath, Parameters, Runs, SecretNames

DATASET = "dataset:"
TYPED_SCRIPT = "script.py"
"""File name of a script that is typed in the node."""
MAX_TYPED = 64 * 1024
ADVANCED = Group("Advanced", folded=True)

Words = Annotated[str, Field(max_length=8_192)]


def _as_text(value: object) -> object:
    """Return a number as the text of an argument; everything else unchanged."""
    return str(value) if isinstance(value, int | float) else value


Argument = Annotated[str, Field(max_length=8_192), BeforeValidator(_as_text)]
OutputsOf = Literal["first process", "every process", "all processes together"]


class ScriptParameters(Parameters):
    source_folder: Annotated[str | None, LocalPath(apart_from=(DATASET,)), Runs()] = Field(
        None,
        max_length=4096,
        description="Folder with the script and all files that it needs: a folder, one .py file "
        "or an archive on this server, or dataset:NAME for an uploaded one. Files listed in "
        ".amlignore or .gitignore are excluded.",
    )
    typed_script: Annotated[str | None, Code()] = Field(
        None,
        max_length=MAX_TYPED,
        description=f"A script written here, in place of a source folder; it is called "
        f"{TYPED_SCRIPT}.",
    )
    script: Annotated[str | None, Runs(only_with_others=True)] = Field(
        None,
        max_length=1024,
        description="File to run, as a path in the source folder. If empty: train.py or main.py, "
        "or the only file.",
    )
    arguments: Annotated[list[Argument], Runs(only_with_others=True)] = Field(
        [],
        max_length=1000,
        description="Arguments of the script, one per line. {{inputs.images}} is the path of an "
        "input, {{outputs.model}} that of an output, {{parameters.random_seed}} a parameter, "
        "$LOCAL_RANK a variable of the process; ${{inputs.images}} is accepted, too. No shell is "
        "used.",
    )
    command: Annotated[str | None, Runs()] = Field(
        None,
        max_length=8_192,
        description="Command that replaces the script, for example: python -m my_package.train. "
        "With one process on each machine, it starts the others itself. No shell is used, except "
        "with sh -c.",
    )
    model_file: str | None = Field(
        "outputs/model.pt",
        max_length=1024,
        description="File or folder of the model, as a path in the working folder. The step fails "
        "if it is not written. If empty, the script produces no model.",
    )
    declared_outputs: list[Words] = Field(
        [],
        max_length=200,
        description="Further outputs that the script must write, one per line, such as "
        "outputs/*.csv. The step fails if one is missing.",
    )
    outputs_of: OutputsOf = Field(
        "first process",
        description="Processes whose outputs are kept. With every process, each has its own "
        "working folder. With all processes together, all share one folder, even across machines; "
        "scripts need this if all write a checkpoint or another one reads it (Lightning). "
        "Otherwise, the processes of one machine share one.",
    )
    log_patterns: Annotated[list[Words], ADVANCED] = Field(
        [],
        title="Metrics from the log",
        max_length=100,
        description="Patterns for metrics in the output, one per line. In loss = Loss ([0-9.]+), "
        "the first group is the value of the metric loss. Logged metrics need no pattern.",
    )
    random_seed: Annotated[int | None, ADVANCED] = Field(
        None,
        ge=0,
        le=2**32 - 1,
        description="Seed of Python (PYTHONHASHSEED), and {{parameters.random_seed}} in arguments.",
    )
    secrets: Annotated[list[Words], ADVANCED, SecretNames(), Runs(only_with_others=True)] = Field(
        [],
        max_length=100,
        description="Names of secrets that the script gets as variables, one per line. Their "
        "values are stored outside of pipelines (designer secrets set) and never shown.",
    )
    network: Annotated[Literal["allowed", "none"], ADVANCED, Runs(only_with_others=True)] = Field(
        "allowed",
        description="none blocks all network access of the script, if bubblewrap is installed. "
        "Metrics logged with MLflow then stay in its working folder; other ways of logging still "
        "work.",
    )
    give_pytorch_names: Annotated[bool, ADVANCED] = Field(
        True,
        title="Give PyTorch's names too",
        description="With the launcher MPI: also set RANK, WORLD_SIZE, LOCAL_RANK and the others, "
        "in addition to those of Open MPI.",
    )
