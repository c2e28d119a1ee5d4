"""Output of commands: tables for people, one JSON object on standard output for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from modules.files.json_files import finite
from modules.formatting import format_seconds
from pipelines.sentences import _

if TYPE_CHECKING:
    from rich.console import Console

    from pipelines.problems import Problem

WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace", help="The workspace folder. Default: $DESIGNER_WORKSPACE, then ./workspace."
    ),
]


def _claim_standard_output(as_json: bool) -> bool:
    """Reserve standard output for the JSON object.

    Other output to descriptor 1, from modules of users and their processes, is redirected to
    standard error.
    """
    if as_json and sys.stdout is sys.__stdout__:
        own = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = os.fdopen(own, "w", encoding="utf-8")
    return as_json


JsonOption = Annotated[
    bool,
    typer.Option("--json", callback=_claim_standard_output, help="Print only one JSON object."),
]


def console(*, error: bool = False) -> Console:
    """Return a console; outside a terminal it is wide enough for tables."""
    from pipelines.cli.safe_console import SafeConsole

    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() else 160
    return SafeConsole(stderr=error, highlight=False, width=width, soft_wrap=not stream.isatty())


def print_json(content: object) -> None:
    """Print the JSON object of a command; NaN and infinity become null."""
    from pydantic_core import to_jsonable_python

    whole = finite(to_jsonable_python(content, by_alias=True, fallback=str))
    text = json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(f"{text}\n")


def print_table(columns: Iterable[str], rows: Iterable[Iterable[object]], empty: str) -> None:
    """Print a table, or ``empty`` if it has no rows."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*("" if cell is None else escape(str(cell)) for cell in row))
    console().print(table if table.row_count else empty)


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems on standard error, one per line."""
    from rich.markup import escape

    terminal = console(error=True)
    for problem in problems:
        style = "red" if problem.severity == "error" else "yellow"
        severity = _("error") if problem.severity == "error" else _("warning")
        terminal.print(f"[{style}]{severity}[/] {escape(problem.sentence)}")


def fail(text: str, content: object = None) -> NoReturn:
    """Print an error message, for programs also as JSON, and exit with code 1."""
    if content is not None:
        print_json(content)
    console(error=True).print(f"{_('error')} {text}", style="red", markup=False)
    raise typer.Exit(1)


def confirm(question: str, *, yes: bool, as_json: bool) -> None:
    """Ask for confirmation of a deletion; programs must pass ``--yes``."""
    if yes:
        return
    if as_json:
        from pipelines.errors import RefusedError
        from pipelines.sentences import refusals

        raise RefusedError(refusals.SAY_YES)
    typer.confirm(question, abort=True)


@contextmanager
def reported_errors(*, as_json: bool = False) -> Iterator[None]:
    """Turn the errors a user can cause into a message and exit code 1."""
    try:
        yield
    except Exception as error:
        _report(error, as_json=as_json)
        raise  # a mistake in the program


def _report(error: Exception, *, as_json: bool) -> None:
    """Exit with a message if a user can have caused the error; imports are deferred, being slow."""
    from modules.errors import ModuleError
    from pipelines.errors import DesignerError
    from pipelines.problems import error_to_json
    from pipelines.sentences import refusals

    problems = problems_of(error)
    if problems is not None:
        print_problems(problems)
        if as_json:
            first = error_to_json(problems[0].name, problems[0])
            print_json({**first, "problems": problems})
        raise typer.Exit(1) from None
    if isinstance(error, ModuleError):
        fail(f"{error} ({error.code})", error_to_json(error.name, error) if as_json else None)
    if isinstance(error, (LookupError, ValueError, OSError)) and not isinstance(
        error, DesignerError
    ):
        text = str(error.args[0] if isinstance(error, LookupError) else error)
        error = DesignerError(refusals.RELAYED, message=text, cure="")
    if isinstance(error, DesignerError):
        fail(str(error), error_to_json(error.code, error) if as_json else None)


def is_expected(error: Exception) -> bool:
    """Return True for errors with a message for users and for those that only end a command."""
    from modules.errors import ModuleError
    from pipelines.errors import DesignerError
    from pipelines.problems import PipelineError

    ending = typer.Abort | typer.BadParameter | typer.Exit
    return isinstance(error, DesignerError | ModuleError | PipelineError | ending)


def problems_of(error: Exception) -> Sequence[Problem] | None:
    """Return the problems of an error, including a full disk under the database."""
    from modules.errors import ModuleOutOfMemoryError
    from pipelines.problems import PipelineError, Problem
    from pipelines.sentences import steps
    from pipelines.store.database.connections import OperationalFailure, is_disk_full

    if isinstance(error, PipelineError):
        return error.problems
    if not isinstance(error, OperationalFailure) or not is_disk_full(error):
        return None
    return [Problem.of(ModuleOutOfMemoryError, steps.WORKSPACE_DISK_FULL)]


def seconds_text(seconds: float | None) -> str:
    """Return a duration as text; empty for None."""
    return "" if seconds is None else format_seconds(seconds)


def time_text(seconds: float | None) -> str:
    """Return a time in local time; empty for None."""
    import time

    return "" if seconds is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def print_facts(pairs: Iterable[tuple[str, Any]]) -> None:
    """Print names and values, one pair per line."""
    terminal = console()
    for name, value in pairs:
        terminal.print(f"[bold]{name}[/]  ", end="")
        terminal.print(str(value), markup=False)
