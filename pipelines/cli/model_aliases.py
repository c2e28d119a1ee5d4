"""``designer models alias``, ``rule`` and ``moves``: aliases, their rules and their history."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table, time_text
from pipelines.errors import RefusedError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pipelines.inspection.alias_moves import AliasMoves
    from pipelines.registry.model_report import AliasMoveEntry

Reason = Annotated[str, typer.Option(help="Why, for the history of the alias.")]


@command
def alias(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME@VERSION, or NAME with --remove.")],
    word: Annotated[str, typer.Argument(help="The alias, for example best or production.")],
    remove: Annotated[bool, typer.Option("--remove", help="Remove the alias.")] = False,
    reason: Reason = "",
    force: Annotated[
        bool, typer.Option("--force", help="Change it against its rule, which is recorded.")
    ] = False,
) -> Answer:
    """Set or remove an alias of a model version.

    If the alias has a rule, the version is compared with the current one on the golden images, and
    rejected if it is worse.
    """
    from pipelines.inspection.alias_moves import mover

    registered = context.session.models.find(model)
    number = None if remove else registered.version.version
    by = mover("cli", reason)
    changed = _moves(context).move(registered.model.name, word, number, by, force=force)
    return Answer(
        {"name": changed.name, "aliases": changed.aliases},
        f"{changed.name}: {listed(changed.aliases) or _('no aliases')}.",
    )


@command
def rule(
    context: CommandContext,
    model: Annotated[str, typer.Argument(help="NAME of the model.")],
    word: Annotated[str, typer.Argument(help="The alias, for example production.")],
    golden: Annotated[
        str | None,
        typer.Option(
            help="Golden images: a folder with one folder for each class, or dataset:NAME@VERSION."
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the rule.")] = False,
    reason: Reason = "",
) -> Answer:
    """Let an alias move only to versions that are not worse than the current one.

    A version is worse if its accuracy on the golden images is below the 95 % interval of the
    current version's.
    """
    from pipelines.inspection.alias_moves import mover
    from pipelines.registry.models import GOLDEN_SET

    if remove == (golden is not None):
        raise RefusedError(refusals.GOLDEN_OR_REMOVE)
    name = context.session.models.find(model).model.name
    changed = _moves(context).set_rule(name, word, golden, mover("cli", reason))
    rules = {known: str(content.get(GOLDEN_SET)) for known, content in changed.rules.items()}
    return Answer(
        {"name": name, "rules": rules},
        _("The rule of {alias} was removed.", alias=word)
        if remove
        else _(
            "{alias} moves only to versions that are not worse on {golden}.",
            alias=word,
            golden=rules[word],
        ),
    )


@command
def moves(
    context: CommandContext, model: Annotated[str, typer.Argument(help="NAME of the model.")]
) -> Answer:
    """List the changes of a model's aliases: who made them, when and why."""
    from pipelines.registry.model_report import move_entries

    entries = move_entries(context.session.models, model)
    return Answer({"moves": entries}, partial(_print, entries))


def _print(entries: Sequence[AliasMoveEntry]) -> None:
    rows = (
        (time_text(entry.moved), entry.alias, entry.change, entry.author, entry.reason)
        for entry in entries
    )
    columns = (_("Time"), _("Alias"), _("Change"), _("By"), _("Reason"))
    print_table(columns, rows, _("No alias was set yet."))


def _moves(context: CommandContext) -> AliasMoves:
    from pipelines.inspection.alias_moves import AliasMoves, compare_here

    return AliasMoves(context.session.models, context.workspace, compare_here)


def listed(aliases: dict[str, int]) -> str:
    """Return aliases and their versions as text."""
    return ", ".join(f"{alias} = {version}" for alias, version in aliases.items())
