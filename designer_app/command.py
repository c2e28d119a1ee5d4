"""Command ``designer``: the commands of the pipelines, ``designer app`` and ``designer serve``.

Pipelines must not depend on the app, so the app adds its commands here. Their dependencies are
imported when they are called.
"""

from __future__ import annotations

from typing import Annotated

import typer

import designer_app.translation  # noqa: F401 - adds the catalogs of the app
from designer_app.serve_command import serve
from modules.operating_system.standard_streams import print_utf8
from pipelines.cli import app as designer
from pipelines.cli.help_texts import run_program
from pipelines.cli.output import WorkspaceOption, fail

__all__ = ["designer", "main"]


@designer.command("app")
def app(
    workspace: WorkspaceOption = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="By default 8501, or the next free port."),
    ] = None,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser/--no-browser",
            help="Open a browser. Other browsers sign in with the address in the first line of "
            "output.",
        ),
    ] = True,
) -> None:
    """Start the designer in the browser: build, check, run and follow pipelines."""
    from designer_app.server.server import PortTakenError
    from designer_app.server.server import serve as serve_app
    from pipelines.errors import WorkspaceError
    from pipelines.workspace import Workspace

    try:
        serve_app(Workspace.at(workspace).make(), port, open_browser=browser)
    except (PortTakenError, WorkspaceError) as error:
        fail(str(error))


designer.command("serve")(serve)


def main() -> None:
    """Run the command line."""
    print_utf8()
    run_program(designer)


def start_app() -> None:
    """Run ``designer app`` alone, with the same options and messages."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command()(app)
    print_utf8()
    run_program(alone, "python -m designer_app")


if __name__ == "__main__":
    main()
