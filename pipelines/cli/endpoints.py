"""``designer endpoints``: the keys of programs that call endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table, time_text
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.registry.caller_keys import CallerKeys, KeyEntry

app = typer.Typer(help="Manage endpoints and the keys of their callers.", no_args_is_help=True)
EndpointArgument = Annotated[str, typer.Argument(help="The endpoint's name.")]
SlotArgument = Annotated[int, typer.Argument(help="Key 1 or 2.")]


def keys_of(context: CommandContext, kind: str, name: str) -> CallerKeys:
    """Return the keys of an endpoint or a published pipeline."""
    from pipelines.registry.caller_keys import CallerKeys

    return CallerKeys(context.session.database, f"{kind}:{name}")


def print_keys(keys: Sequence[KeyEntry]) -> None:
    """Print the stored keys without their secret."""
    rows = ((key.slot, time_text(key.created), key.digest_start) for key in keys)
    columns = (_("Key"), _("Created"), _("Hash starts with"))
    print_table(columns, rows, _("No keys yet."))


def new_key_answer(name: str, slot: int, key: str) -> Answer:
    """Return the answer with a new key, the only one that shows it."""
    text = _("Key {slot} of {name}: {key}", slot=slot, name=name, key=key)
    notice = _("It is shown only once. Callers send it as Authorization: Bearer KEY.")
    return Answer({"name": name, "slot": slot, "key": key}, f"{text}\n{notice}")


@app.command("keys")
@command
def list_keys(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """List the keys of an endpoint, without their secret."""
    keys = keys_of(context, "endpoint", endpoint).all()
    return Answer({"name": endpoint, "keys": keys}, partial(print_keys, keys))


@app.command()
@command
def rotate(context: CommandContext, endpoint: EndpointArgument, slot: SlotArgument) -> Answer:
    """Create or replace a key of an endpoint. Callers with the other key are not affected.

    A running endpoint notices within a second.
    """
    key = keys_of(context, "endpoint", endpoint).rotate(slot)
    return new_key_answer(endpoint, slot, key)


@app.command()
@command
def revoke(context: CommandContext, endpoint: EndpointArgument, slot: SlotArgument) -> Answer:
    """Remove a key of an endpoint."""
    keys_of(context, "endpoint", endpoint).remove(slot)
    return Answer(
        {"name": endpoint, "slot": slot, "revoked": True},
        _("Key {slot} of {name} was removed.", slot=slot, name=endpoint),
    )
