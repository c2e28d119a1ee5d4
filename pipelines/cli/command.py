"""What every command shares: what it opens, how its errors are told, how its answer is printed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    told,
)

if TYPE_CHECKING:
    from pipelines.errors import DatabaseDamagedError
    from pipelines.runs.run_service import RunService
    from pipelines.session import WorkspaceSession
    from pipelines.workspace import Workspace

Given = ParamSpec("Given")


@dataclass(frozen=True)
class CommandContext:
    """Where a command works and who asks; what it needs is opened when it is first used."""

    folder: Path | None
    as_json: bool

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace that was named, by the option or around the command."""
        from pipelines.workspace import Workspace

        return Workspace.at(self.folder)

    @cached_property
    def session(self) -> WorkspaceSession:
        """Everything there is in the workspace."""
        from pipelines.session import WorkspaceSession

        return WorkspaceSession(self.workspace)

    def damage(self) -> DatabaseDamagedError | None:
        """Check the database if it was opened; None if it is whole."""
        opened: WorkspaceSession | None = self.__dict__.get("session")
        return None if opened is None else opened.database.damage()

    @property
    def runs(self) -> RunService:
        """The runs of the workspace as they were last written down."""
        return self.session.runs

    @cached_property
    def refreshed_session(self) -> WorkspaceSession:
        """The same, its runs as they truly stand."""
        self.session.runner.refresh()
        return self.session

    @property
    def refreshed_runs(self) -> RunService:
        """The runs of the workspace as they truly stand."""
        return self.refreshed_session.runs


@dataclass(frozen=True)
class Answer:
    """What a command has to say.

    ``json`` is for programs, or a function that gives it; ``text`` is for people: sentences, or
    a function that prints. Only the one that is asked for is called.
    """

    json: object
    text: str | Callable[[], object]
    exit_code: int = 0

    def print(self, *, as_json: bool) -> None:
        """Say it on standard output, to whom it is for."""
        if as_json:
            print_json(self.json() if callable(self.json) else self.json)
        elif callable(self.text):
            self.text()
        else:
            console().print(self.text, markup=False)


def command(function: Callable[Concatenate[CommandContext, Given], Answer]) -> Callable[..., None]:
    """A command from a function that takes a context and its own arguments and gives an answer.

    It gets the options ``--workspace`` and ``--json``. What a user can cause ends in a message
    and exit code 1 (``told``)::

        @app.command()
        @command
        def stop(context: CommandContext) -> Answer:
            stopped = context.session.runner.stop()
            return Answer({"stopped": stopped}, "The runner has ended.")
    """

    @wraps(function)
    def answered(*, workspace: Path | None, as_json: bool, **given: Any) -> None:
        context = CommandContext(workspace, as_json)
        with told(as_json=as_json), damage_told(context):
            answer = function(context, **given)  # type: ignore[call-arg]
        with damage_told(context):
            answer.print(as_json=as_json)
        if answer.exit_code:
            raise typer.Exit(answer.exit_code)

    parameters = [*_own_parameters(function), *SHARED]
    answered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    answered.__annotations__ = {each.name: each.annotation for each in parameters}
    return answered


@contextmanager
def damage_told(context: CommandContext) -> Iterator[None]:
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
    return [_keyword(each.name, each.annotation, each.default) for each in own]
