"""The command ``designer``: thin commands over the functions of ``pipelines``.

Commands import their dependencies when they are called, so that ``designer --help`` is fast.
"""

from __future__ import annotations

from typing import Annotated

import typer

from modules.operating_system.standard_streams import print_utf8
from pipelines.cli import (
    artifacts,
    code,
    comparison,
    datasets,
    difference,
    documents,
    endpoints,
    environments,
    history,
    importing,
    improve,
    inference,
    machine,
    models,
    published,
    reference,
    replay,
    rerun,
    restore,
    run,
    runs,
    schedules,
    score,
    secrets,
    start,
    step_files,
    sweeps,
    targets,
    workspaces,
)
from pipelines.cli.help_texts import run_program

app = typer.Typer(
    name="designer",
    help="Build, run, compare and replay image-classification pipelines.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(value: bool) -> None:
    """Print the version of the installed package and exit."""
    if value:
        from pipelines.store.artifacts.cache_keys import library_version

        typer.echo(library_version("pipeline-designer"))
        raise typer.Exit


@app.callback()
def _program(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Options of the program itself; commands are the functions below."""


app.command("run")(run.run)
app.command("start")(start.start)
app.command("improve")(improve.improve)
app.command("validate")(documents.validate)
app.command("forecast")(documents.forecast)
app.command("modules")(documents.modules)
app.command("diff")(difference.diff)
app.command("import")(importing.import_file)
app.command("inference")(inference.inference)
app.command("score")(score.score)
app.add_typer(code.app, name="code")
for command in history.COMMANDS:
    runs.app.command(command.__name__.removesuffix("_runs"))(command)
runs.app.command()(comparison.compare)
runs.app.command()(step_files.files)
runs.app.command()(step_files.download)
app.add_typer(runs.app, name="runs")
replay.app.command()(rerun.rerun)
app.add_typer(replay.app, name="replay")
app.add_typer(artifacts.app, name="artifacts")
app.command("gc")(artifacts.gc)
app.add_typer(datasets.app, name="dataset")
app.add_typer(models.app, name="models", no_args_is_help=True)
app.add_typer(published.app, name="published")
app.add_typer(schedules.app, name="schedules")
app.add_typer(sweeps.app, name="sweep")
app.add_typer(endpoints.app, name="endpoints")
app.add_typer(targets.app, name="target")
app.add_typer(environments.app, name="environments")
app.add_typer(secrets.app, name="secrets")
workspaces.app.command()(restore.restore)
app.add_typer(workspaces.app, name="workspace")
app.add_typer(machine.runner_app, name="runner")
app.command("doctor")(machine.doctor)
app.command("reference")(reference.reference)


def main() -> None:
    """Run the command line."""
    print_utf8()
    run_program(app)
