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
from pipelines.sentences import _, places

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
    workspace = context.workspace
    tables: list[MovedTable] = []
    destination = ""
    if not outputs and (_has_rows_to_move(workspace) or not _has_object_store(workspace)):
        tables, destination = _move_rows(workspace, dry_run)
    moved = _move_outputs(workspace, dry_run)
    answer = {"dry_run": dry_run, "tables": [asdict(table) for table in tables]}
    lines = _rows_text(tables, destination, dry_run) if destination else []
    lines += _outputs_text(moved, dry_run) if moved else []
    lines = lines or [_("The workspace has no object store. Its outputs are in its folder.")]
    return Answer({**answer, "outputs": asdict(moved) if moved else None}, "\n".join(lines))


def _has_rows_to_move(workspace: Workspace) -> bool:
    return (workspace.root / "designer.db").is_file() and not workspace.database_url.startswith(
        "sqlite"
    )


def _has_object_store(workspace: Workspace) -> bool:
    from pipelines.store.artifacts.artifact_store import ArtifactStore
    from pipelines.store.database.connections import Database
    from pipelines.workspace_settings import artifacts_address

    is_made = (workspace.root / "designer.db").is_file() or not workspace.database_url.startswith(
        "sqlite"
    )
    if not is_made and artifacts_address(workspace.root) is None:
        return False  # nor is a workspace made by asking
    with closing(Database.open(workspace)) as database:
        return ArtifactStore(workspace, database).remote is not None


def _move_rows(workspace: Workspace, dry_run: bool) -> tuple[list[MovedTable], str]:
    source, target = _databases(workspace)
    with closing(source), closing(target), _alone(workspace, target):
        return _moved(source, target, dry_run), target.place


def _move_outputs(workspace: Workspace, dry_run: bool) -> MovedOutputs | None:
    from pipelines.store.artifacts.artifact_store import ArtifactStore
    from pipelines.store.artifacts.moving import move_outputs
    from pipelines.store.database.connections import Database

    with closing(Database.open(workspace)) as database, _alone(workspace, database):
        return move_outputs(ArtifactStore(workspace, database), _print_name, dry_run=dry_run)


@contextmanager
def _alone(workspace: Workspace, database: Database) -> Iterator[None]:
    """Lock out runners on all machines."""
    from pipelines.execution.runner_lock import try_lock
    from pipelines.store.database.leadership import vacant

    locks = [
        try_lock(path) for path in {workspace.root / "runner.lock", workspace.runner_lock_path}
    ]
    try:
        with vacant(database) as nobody_leads:
            if None in locks or not nobody_leads:
                raise RefusedError(places.MOVED_WHILE_RUNNING)
            yield
    finally:
        for lock in locks:
            if lock is not None:
                lock.close()


def _databases(workspace: Workspace) -> tuple[Database, Database]:
    from pipelines.store.database.connections import Database
    from pipelines.workspace_settings import file_url

    if not (workspace.root / "designer.db").is_file():
        raise RefusedError(places.MOVED_FROM_NOTHING, root=workspace.root)
    if workspace.database_url.startswith("sqlite"):
        raise RefusedError(places.MOVED_TO_NOTHING, root=workspace.root)
    return Database.open(workspace, file_url(workspace.root)), Database.open(workspace)


def _moved(source: Database, target: Database, dry_run: bool) -> list[MovedTable]:
    from pipelines.store.database.moving import move as move_rows
    from pipelines.store.database.moving import survey

    return survey(source, target) if dry_run else move_rows(source, target, _print_name)


def _print_name(name: str) -> None:
    console(error=True).print(name, markup=False)


def _rows_text(moved: list[MovedTable], destination: str, dry_run: bool) -> list[str]:
    count = sum(table.num_rows for table in moved)
    num_present = sum(table.num_there for table in moved)
    facts = {"count": count - num_present, "place": destination, "present": num_present}
    if dry_run:
        return [
            _(
                "Would move {count:,} rows to {place}; {present:,} already existed. designer.db "
                "is kept.",
                **facts,
            )
        ]
    return [
        _(
            "Moved {count:,} rows to {place}; {present:,} already existed. designer.db is kept.",
            **facts,
        )
    ]


def _outputs_text(moved: MovedOutputs, dry_run: bool) -> list[str]:
    facts = {
        "count": moved.num_outputs,
        "size": format_bytes(moved.num_bytes),
        "place": moved.place,
        "present": moved.num_there,
    }
    if dry_run:
        to = _(
            "Would move {count:,} outputs ({size}) to {place}; {present:,} already existed.",
            **facts,
        )
        back = _(
            "Would move {count:,} outputs ({size}) back from {place}; {present:,} already existed.",
            **facts,
        )
    else:
        to = _("Moved {count:,} outputs ({size}) to {place}; {present:,} already existed.", **facts)
        back = _(
            "Moved {count:,} outputs ({size}) back from {place}; {present:,} already existed.",
            **facts,
        )
    lines = [back if moved.is_back else to]
    if moved.num_damaged:
        lines.append(
            _("{count:,} are damaged. Run their pipelines again.", count=moved.num_damaged)
        )
    return lines
