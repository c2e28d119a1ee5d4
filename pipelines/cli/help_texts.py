"""Help of commands in the language of the user.

Help is written in English at the commands, which typer reads when the program starts. Only another
language walks through all commands, so that ``designer --help`` in English stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from modules.sentences.translation import in_language, translations

if TYPE_CHECKING:
    import typer

Commands = Any
"""A click command or group as typer creates it; its classes differ between versions of typer."""


def run_program(program: typer.Typer, name: str | None = None) -> None:
    """Run a command line with its help in the language of the user."""
    if translations() is None:
        program(prog_name=name)
    else:
        in_user_language(program)(prog_name=name)


def in_user_language(program: typer.Typer) -> Commands:
    """Return the commands of a program with their help in the language of the user."""
    from typer.main import get_command

    command = get_command(program)
    if translations() is not None:
        for part in (part for inner in _all_commands(command) for part in _parts_with_help(inner)):
            part.help = in_language(part.help)
    return command


def help_texts(program: typer.Typer) -> Iterator[tuple[str, str]]:
    """Yield the help of every command, argument and option, with the package of its command."""
    from typer.main import get_command

    def package_of(function: Callable[..., object] | None) -> str:
        return "pipelines" if function is None else function.__module__.partition(".")[0]

    for command in _all_commands(get_command(program)):
        for part in _parts_with_help(command):
            yield part.help, package_of(command.callback)


def _parts_with_help(command: Commands) -> list[Any]:
    """Return the command, its arguments and its options, as far as they have help."""
    return [part for part in (command, *command.params) if getattr(part, "help", None)]


def _all_commands(command: Commands) -> Iterator[Commands]:
    """Yield a command and, if it is a group, the commands below it."""
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from _all_commands(inner)
