"""``designer reference``: the reference, generated from the program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.reference.pages import CommandFacts


class Section(str, Enum):
    """Sections of the reference."""

    MODULES = "modules"
    ERRORS = "errors"
    COMMANDS = "commands"
    FILES = "files"


@command
def reference(
    context: CommandContext,
    program: typer.Context,
    section: Annotated[Section | None, typer.Argument(help="One section. Default: all.")] = None,
) -> Answer:
    """Print the reference of modules, errors, commands and files as Markdown."""
    from pipelines.reference.pages import SECTIONS
    from pipelines.reference.pages import reference as written
    from pipelines.user_modules.workspace_catalog import load_catalog

    catalog = load_catalog(context.workspace)
    commands = list(command_facts(program.find_root().command, "designer"))
    chosen = SECTIONS if section is None else (section.value,)
    write = partial(written, catalog, commands, weights_dir=context.workspace.weights_dir)
    return Answer(
        lambda: {name: write(section=name) for name in chosen},
        lambda: sys.stdout.write(write(section=section and section.value)),
    )


def command_facts(command: Any, words: str) -> Iterator[CommandFacts]:
    """Yield the facts of a click command, or of all commands in a group."""
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from command_facts(child, f"{words} {name}")
    if not hasattr(command, "commands"):
        yield _facts_of(command, words)


def _facts_of(command: Any, words: str) -> CommandFacts:
    from pipelines.reference.pages import CommandFacts

    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    options = [parameter for parameter in shown if parameter.param_type_name == "option"]
    return CommandFacts(
        words=" ".join([words, *map(_argument_name, arguments)]),
        help=command.help or "",
        arguments=tuple(map(_argument_row, arguments)),
        options=tuple(map(_option_row, options)),
    )


def _argument_name(argument: Any) -> str:
    name = str(argument.metavar or argument.name).upper()
    return name if argument.required else f"[{name}]"


def _argument_row(argument: Any) -> tuple[str, str, str]:
    name = str(argument.metavar or argument.name).upper()
    return f"`{name}`", _("required") if argument.required else _("optional"), argument.help or ""


def _option_row(option: Any) -> tuple[str, str, str]:
    takes = "" if option.is_flag else f" {option.metavar or option.name.strip('_').upper()}"
    spellings = " / ".join(
        f"`{spelling}{takes}`" for spelling in (*option.opts, *option.secondary_opts)
    )
    default = _("required") if option.required else ""
    if option.default not in (None, False) and not option.required:
        default = f"`{str(option.default).lower() if option.is_flag else option.default}`"
    return spellings, default, option.help or ""
