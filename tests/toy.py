"""A catalog of tiny arithmetic modules: what tests of rules, plans and runs are made with.

``CATALOG`` holds them. The same file is a user's module file: ``install(folder)`` puts it into a
workspace's ``modules/`` folder, where ``pipelines.user_modules.workspace_catalog`` finds it.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Self

from modules import (
    Artifact,
    Context,
    Field,
    Module,
    ModuleError,
    Parameters,
    PortDoc,
    SecretNames,
    Unit,
    module,
    read_json,
    write_json,
)
from modules.catalog import Catalog

CATEGORY = "Arithmetic"
First = PortDoc("The first operand.")
Second = PortDoc("The second operand.")


class Number(Artifact):
    """``number.json``: one number."""

    colour = "green"

    @classmethod
    def write(cls, folder: Path, value: float) -> Self:
        write_json(folder / "number.json", value)
        return cls(folder)

    @property
    def value(self) -> float:
        return float(read_json(self.path / "number.json"))


class WholeNumber(Number):
    """A number without a fraction: fits wherever a number does."""

    colour = "violet"


class ConstantParameters(Parameters):
    value: float = Field(1.0, ge=-1e9, le=1e9, title="Value", description="The number to give.")


@module(title="Constant", category=CATEGORY, summary="Give a number.", icon="hash")
def constant(parameters: ConstantParameters, context: Context) -> Number:
    """Give the number of its parameter."""
    return Number.write(context.new_folder(), parameters.value)


@module(title="Add", category=CATEGORY, summary="Add two numbers.", icon="plus")
def add(a: Annotated[Number, First], b: Annotated[Number, Second], context: Context) -> Number:
    """Give the sum of the two operands."""
    return Number.write(context.new_folder(), a.value + b.value)


@module(title="Multiply", category=CATEGORY, summary="Multiply two numbers.", icon="x")
def multiply(a: Annotated[Number, First], b: Annotated[Number, Second], context: Context) -> Number:
    """Give the product of the two operands."""
    return Number.write(context.new_folder(), a.value * b.value)


class FailParameters(Parameters):
    message: str = Field(
        "It failed.", min_length=1, max_length=200, title="Message", description="What it says."
    )


@module(title="Fail", category=CATEGORY, summary="Fail with a message.", icon="bomb")
def fail(
    parameters: FailParameters, context: Context, a: Annotated[Number | None, First] = None
) -> Number:
    """Raise the error of its parameter, whatever comes in."""
    given = "" if a is None else f" after {a.value:g} in {context.staging_dir.name}"
    raise ModuleError(
        parameters.message + given, cure="Remove the Fail module.", parameter="message"
    )


class SleepParameters(Parameters):
    seconds: Annotated[float, Unit("seconds")] = Field(
        0.1, ge=0, le=600, title="Seconds", description="How long to sleep."
    )


@module(
    title="Sleep",
    category=CATEGORY,
    summary="Pass a number on, later.",
    icon="moon",
    stoppable=True,
)
def sleep(a: Annotated[Number, First], parameters: SleepParameters, context: Context) -> Number:
    """Give the number that came in after some time, or as soon as that is asked for."""
    end = time.monotonic() + parameters.seconds
    while (left := end - time.monotonic()) > 0 and not context.stop_requested:
        time.sleep(min(left, 0.05))
    context.cut_short = left > 0
    return Number.write(context.new_folder(), a.value)


@module(title="Round", category=CATEGORY, summary="Cut the fraction off.", icon="circle")
def whole(a: Annotated[Number, First], context: Context) -> WholeNumber:
    """Give the whole number nearest to the one that came in."""
    return WholeNumber.write(context.new_folder(), round(a.value))


@module(title="Factorial", category=CATEGORY, summary="Multiply 1 to n.", icon="circle-alert")
def factorial(n: Annotated[WholeNumber, First], context: Context) -> WholeNumber:
    """Give n factorial."""
    return WholeNumber.write(context.new_folder(), math.factorial(int(n.value)))


class LaunchParameters(Parameters):
    secrets: Annotated[list[str], SecretNames()] = Field(
        [], title="Secrets", description="Names of secrets that each process gets."
    )
    code: str = Field(
        "print('here')", title="Code", max_length=10_000, description="What each process runs."
    )


@module(title="Launch", category=CATEGORY, summary="Run code.", icon="rocket", launches=True)
def launch(parameters: LaunchParameters, context: Context) -> WholeNumber:
    """Run Python code in the processes that the run settings ask for; gives how many there were."""
    ranks = range(context.node_count * context.process_count_per_node)
    context.phase("running", processes=len(ranks))
    processes = [_start(parameters.code, rank, context) for rank in ranks]
    codes = [each.wait() for each in processes]
    if any(codes):
        raise ModuleError(f"The processes ended with {codes}.", cure="Correct the code.")
    return WholeNumber.write(context.new_folder(), len(codes))


def _start(code: str, rank: int, context: Context) -> subprocess.Popen[bytes]:
    python = context.environment.python if context.environment else sys.executable
    variables = {"PATH": os.environ["PATH"], "RANK": str(rank)}
    variables |= {**context.variables, **context.secrets}
    with context.log_path(rank).open("ab") as log:
        return subprocess.Popen([python, "-c", code], env=variables, stdout=log, stderr=log)


MODULES: tuple[Module, ...] = (constant, add, multiply, fail, sleep, whole, factorial, launch)
CATALOG = Catalog.of(MODULES)


def install(folder: Path) -> Path:
    """Put these modules into a workspace's ``modules/`` folder as a user's file."""
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(__file__, folder / "toy.py"))
