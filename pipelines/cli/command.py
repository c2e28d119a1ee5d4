"""Context, error handling and output that all commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    console,
    is_expected,
    print_json,
    reported_errors,
)

if TYPE_CHECKING:
    from pipelines.errors import DatabaseDamagedError
    from pipelines.runs.run_service import RunService
    from pipelines.session import WorkspaceSession
    from pipelines.workspace import Workspace

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class CommandContext:
    """Workspace and output format of a command; resources are opened on first use."""

    folder: Path | None
    as_json: bool

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace from the option or the environment."""
        from pipelines.workspace import Workspace

        return Workspace.at(self.folder)

    @cached_property
    def session(self) -> WorkspaceSession:
        """The open workspace."""
        from pipelines.session import WorkspaceSession

        return WorkspaceSession(self.workspace)

    @property
    def _opened(self) -> WorkspaceSession | None:
        opened: WorkspaceSession | None = self.__dict__.get("session")
        return opened

    def damage(self) -> DatabaseDamagedError | None:
        """Check the database if it was opened; None if it is whole."""
        return None if self._opened is None else self._opened.database.damage()

    def close(self) -> None:
        """Close what was opened."""
        if self._opened is not None:
            self._opened.close()

    @property
    def runs(self) -> RunService:
        """The runs of the workspace with their last stored status."""
        return self.session.runs

    @cached_property
    def refreshed_session(self) -> WorkspaceSession:
        """The session after the status of its runs was refreshed."""
        self.session.runner.refresh()
        return self.session

    @property
    def refreshed_runs(self) -> RunService:
        """The runs of the workspace with their current status."""
        return self.refreshed_session.runs


@dataclass(frozen=True)
class Answer:
    """Output of a command.

    ``json`` (content, or a function that returns it) is for programs. ``text`` (sentences, or a
    function that prints) is for people. Only the requested one is called.
    """

    json: object
    text: str | Callable[[], object]
    exit_code: int = 0

    def print(self, *, as_json: bool) -> None:
        """Print JSON or text on standard output."""
        if as_json:
            print_json(self.json() if callable(self.json) else self.json)
        elif callable(self.text):
            self.text()
        else:
            console().print(self.text, markup=False)


def command(
    function: Callable[Concatenate[CommandContext, Arguments], Answer],
) -> Callable[..., None]:
    """Create a command from a function that accepts a context and its own arguments.

    Add the options ``--workspace`` and ``--json``. Errors that a user can cause exit with a
    message and code 1 (``reported_errors``)::

        @app.command()
        @command
        def stop(context: CommandContext) -> Answer:
            stopped = context.session.runner.stop()
            return Answer({"stopped": stopped}, "The runner has ended.")
    """

    @wraps(function)
    def answered(*, workspace: Path | None, as_json: bool, **arguments: Any) -> None:
        context = CommandContext(workspace, as_json)
        with closing(context):
            with reported_errors(as_json=as_json), reported_damage(context):
                answer = function(context, **arguments)  # type: ignore[call-arg]
            with reported_damage(context):
                answer.print(as_json=as_json)
        if answer.exit_code:
            raise typer.Exit(answer.exit_code)

    parameters = [*_own_parameters(function), *SHARED]
    answered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    answered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return answered


@contextmanager
def reported_damage(context: CommandContext) -> Iterator[None]:
    """Raise ``DatabaseDamagedError`` for an error that damage of the database explains.

    Damaged rows end in errors of any kind, so the whole database is checked after one.
    """
    try:
        yield
    except Exception as error:
        damage = None if is_expected(error) else context.damage()
        if damage is None:
            raise
        raise damage from error


def _keyword(name: str, annotation: Any, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


SHARED = (
    _keyword("workspace", WorkspaceOption, None),
    _keyword("as_json", JsonOption, False),
)


def _own_parameters(function: Callable[..., Answer]) -> list[inspect.Parameter]:
    """The parameters after the context, with the annotations that typer reads."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    return [_keyword(parameter.name, parameter.annotation, parameter.default) for parameter in own]
