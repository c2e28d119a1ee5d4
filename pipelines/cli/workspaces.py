"""``designer workspace``: move data to the configured database and object store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.errors import RefusedError
from pipelines.sentences import places

if TYPE_CHECKING:
    from pipelines.store.artifacts.moving import MovedOutputs
    from pipelines.store.database.connections import Database
    from pipelines.store.database.moving import MovedTable
    from pipelines.workspace import Workspace

app = typer.Typer(help="Manage the storage of a workspace.", no_args_is_help=True)


@app.callback()
def workspace() -> None:
    """Manage the storage of a workspace."""


@app.command()
@command
def move(
    context: CommandContext,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the effect without moving anything.")
    ] = False,
    outputs: Annotated[
        bool, typer.Option("--outputs", help="Move only outputs, no database rows.")
    ] = False,
) -> Answer:
    """Move database rows and outputs to the PostgreSQL and object store in designer.toml.

    If designer.toml no longer names an object store, outputs are moved back to the workspace.
    """
    place = context.workspace
    tables: list[MovedTable] = []
    there = ""
    if not outputs and (_has_rows_to_move(place) or not _has_object_store(place)):
        tables, there = _move_rows(place, dry_run)
    moved = _move_outputs(place, dry_run)
    answer = {"dry_run": dry_run, "tables": [asdict(each) for each in tables]}
    said = _said_of_rows(tables, there, dry_run) if there else []
    said += _said_of_outputs(moved, dry_run) if moved else []
    said = said or ["The workspace has no object store. Its outputs are in its folder."]
    return Answer({**answer, "outputs": asdict(moved) if moved else None}, "\n".join(said))


def _has_rows_to_move(place: Workspace) -> bool:
    return (place.root / "designer.db").is_file() and not place.database_url.startswith("sqlite")


def _has_object_store(place: Workspace) -> bool:
    from pipelines.store.artifacts.artifact_store import ArtifactStore
    from pipelines.store.database.connections import Database
    from pipelines.workspace_settings import artifacts_address

    is_made = (place.root / "designer.db").is_file() or not place.database_url.startswith("sqlite")
    if not is_made and artifacts_address(place.root) is None:
        return False  # nor is a workspace made by asking
    with closing(Database.open(place)) as database:
        return ArtifactStore(place, database).remote is not None


def _move_rows(place: Workspace, dry_run: bool) -> tuple[list[MovedTable], str]:
    source, target = _databases(place)
    with closing(source), closing(target), _alone(place, target):
        return _moved(source, target, dry_run), target.place


def _move_outputs(place: Workspace, dry_run: bool) -> MovedOutputs | None:
    from pipelines.store.artifacts.artifact_store import ArtifactStore
    from pipelines.store.artifacts.moving import move_outputs
    from pipelines.store.database.connections import Database

    with closing(Database.open(place)) as database, _alone(place, database):
        return move_outputs(ArtifactStore(place, database), _tell, dry_run=dry_run)


@contextmanager
def _alone(place: Workspace, database: Database) -> Iterator[None]:
    """Lock out runners on all machines."""
    from pipelines.execution.runner_lock import try_lock
    from pipelines.store.database.leadership import vacant

    locks = [try_lock(path) for path in {place.root / "runner.lock", place.runner_lock_path}]
    try:
        with vacant(database) as nobody_leads:
            if None in locks or not nobody_leads:
                raise RefusedError(places.MOVED_WHILE_RUNNING)
            yield
    finally:
        for lock in locks:
            if lock is not None:
                lock.close()


def _databases(place: Workspace) -> tuple[Database, Database]:
    from pipelines.store.database.connections import Database
    from pipelines.workspace_settings import file_url

    if not (place.root / "designer.db").is_file():
        raise RefusedError(places.MOVED_FROM_NOTHING, root=place.root)
    if place.database_url.startswith("sqlite"):
        raise RefusedError(places.MOVED_TO_NOTHING, root=place.root)
    return Database.open(place, file_url(place.root)), Database.open(place)


def _moved(source: Database, target: Database, dry_run: bool) -> list[MovedTable]:
    from pipelines.store.database.moving import move as move_rows
    from pipelines.store.database.moving import survey

    return survey(source, target) if dry_run else move_rows(source, target, _tell)


def _tell(name: str) -> None:
    console(error=True).print(name, markup=False)


def _said_of_rows(moved: list[MovedTable], place: str, dry_run: bool) -> list[str]:
    count = sum(each.num_rows for each in moved)
    there = sum(each.num_there for each in moved)
    verb = "Would move" if dry_run else "Moved"
    return [
        f"{verb} {count - there:,} rows to {place}; {there:,} already existed. designer.db is kept."
    ]


def _said_of_outputs(moved: MovedOutputs, dry_run: bool) -> list[str]:
    verb = "Would move" if dry_run else "Moved"
    way = "back from" if moved.is_back else "to"
    said = (
        f"{verb} {moved.num_outputs:,} outputs ({format_bytes(moved.num_bytes)}) {way} "
        f"{moved.place}; {moved.num_there:,} already existed."
    )
    bad = f"{moved.num_damaged:,} are damaged. Run their pipelines again."
    return [said, bad] if moved.num_damaged else [said]
