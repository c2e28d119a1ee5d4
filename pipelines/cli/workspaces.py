"""``designer workspace move``: from the SQLite file to the database that the workspace names."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.errors import RefusedError
from pipelines.sentences import places

if TYPE_CHECKING:
    from pipelines.store.database import Database
    from pipelines.store.moving import MovedTable
    from pipelines.workspace import Workspace

app = typer.Typer(help="What a workspace is kept in.", no_args_is_help=True)


@app.callback()
def workspace() -> None:
    """What a workspace is kept in."""


@app.command()
@command
def move(
    context: CommandContext,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> Answer:
    """Take all rows from designer.db to the PostgreSQL that designer.toml names."""
    from pipelines.execution.runner_lock import try_lock
    from pipelines.store.leadership import vacant

    place = context.workspace
    source, target = _databases(place)
    lock = try_lock(place.root / "runner.lock")
    try:
        with vacant(target) as nobody_leads:
            if lock is None or not nobody_leads:
                raise RefusedError(places.MOVED_WHILE_RUNNING)
            moved = _moved(source, target, dry_run)
    finally:
        if lock is not None:
            lock.close()
        source.close()
        target.close()
    return _answer(moved, target.place, dry_run)


def _databases(place: Workspace) -> tuple[Database, Database]:
    from pipelines.store.database import Database
    from pipelines.workspace_settings import file_url

    if not (place.root / "designer.db").is_file():
        raise RefusedError(places.MOVED_FROM_NOTHING, root=place.root)
    place.make()  # it may be read only: that is said first
    if place.database_url.startswith("sqlite"):
        raise RefusedError(places.MOVED_TO_NOTHING, root=place.root)
    return Database.open(place, file_url(place.root)), Database.open(place)


def _moved(source: Database, target: Database, dry_run: bool) -> list[MovedTable]:
    from pipelines.store.moving import move as move_rows
    from pipelines.store.moving import survey

    if dry_run:
        return survey(source, target)
    return move_rows(source, target, lambda name: console(error=True).print(name, markup=False))


def _answer(moved: list[MovedTable], place: str, dry_run: bool) -> Answer:
    count = sum(each.num_rows for each in moved)
    there = sum(each.num_there for each in moved)
    verb = "Would move" if dry_run else "Moved"
    said = f"{verb} {count - there:,} rows to {place}; {there:,} were there. designer.db stays."
    return Answer({"dry_run": dry_run, "tables": [asdict(each) for each in moved]}, said)
