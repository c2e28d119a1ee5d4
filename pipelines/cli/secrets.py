"""``designer secrets``: values for steps that are never shown."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import RefusedError
from pipelines.sentences import _, refusals

app = typer.Typer(
    help="Manage secrets: values for steps that are never shown.", no_args_is_help=True
)
NameArgument = Annotated[
    str, typer.Argument(help="Name of the secret and of its environment variable.")
]


@app.command("set")
@command
def set_secret(context: CommandContext, name: NameArgument) -> Answer:
    """Set a secret. The value is read from a prompt or from standard input."""
    from pipelines.document.checks.run_settings import is_reserved

    if is_reserved(name):
        raise RefusedError(refusals.NO_SECRET_NAME, text=name[:80])
    value = _typed() if sys.stdin.isatty() else sys.stdin.read().rstrip("\r\n")
    version = context.session.secrets.set(name, value)
    content = {"name": name, "version": version}
    return Answer(
        content,
        _(
            "Saved {name}, version {version}. Only this user can read it.",
            name=name,
            version=version,
        ),
    )


def _typed() -> str:
    return str(typer.prompt(_("Value"), hide_input=True, err=True))


@app.command("list")
@command
def list_secrets(context: CommandContext) -> Answer:
    """List the names and versions of secrets, without values."""
    versions = context.session.secrets.versions()
    empty = _("No secrets yet. Add one with `designer secrets set NAME`.")
    rows = sorted(versions.items())
    return Answer(
        {"secrets": versions}, partial(print_table, (_("Secret"), _("Version")), rows, empty)
    )


@app.command()
@command
def remove(context: CommandContext, name: NameArgument) -> Answer:
    """Remove a secret."""
    context.session.secrets.remove(name)
    return Answer({"removed": name}, _("Removed {name}.", name=name))
