"""``designer secrets``: values that steps get and nobody is shown."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import RefusedError
from pipelines.sentences import refusals

app = typer.Typer(help="Secrets: values that steps get and nobody is shown.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="The variable that a step finds it in.")]


@app.command("set")
@command
def set_secret(context: CommandContext, name: NameArgument) -> Answer:
    """Keep a value: what is typed, or what comes in on standard input."""
    from pipelines.validation.run_settings import is_reserved

    if is_reserved(name):
        raise RefusedError(refusals.NO_SECRET_NAME, text=name[:80])
    value = _typed() if sys.stdin.isatty() else sys.stdin.read().rstrip("\r\n")
    version = context.session.secrets.set(name, value)
    told = {"name": name, "version": version}
    return Answer(told, f"Keeps {name}, version {version}, for this user alone.")


def _typed() -> str:
    return str(typer.prompt("Value", hide_input=True, err=True))


@app.command("list")
@command
def list_secrets(context: CommandContext) -> Answer:
    """The names there are, and how often each was set; never a value."""
    versions = context.session.secrets.versions()
    empty = "There are no secrets: designer secrets set NAME."
    rows = sorted(versions.items())
    return Answer({"secrets": versions}, partial(print_table, ("Secret", "Version"), rows, empty))


@app.command()
@command
def remove(context: CommandContext, name: NameArgument) -> Answer:
    """Forget a value."""
    context.session.secrets.remove(name)
    return Answer({"removed": name}, f"{name} is forgotten.")
