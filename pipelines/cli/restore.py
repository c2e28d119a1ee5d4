"""``designer workspace restore``: restore the database from a backup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import confirm, console, print_table
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import _, places

if TYPE_CHECKING:
    from pipelines.store.database.backup_files import BackupFile
    from pipelines.store.database.restoring import BackupContents
    from pipelines.workspace import Workspace

NEWEST = "newest"
Choices = list[tuple["BackupFile", "BackupContents"]]


@command
def restore(
    context: CommandContext,
    backup: Annotated[
        str | None,
        typer.Argument(help="Name of a backup, or newest for the newest intact one."),
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="Create an empty database instead.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """List the backups of the database, or restore one.

    The current database is moved aside, not deleted. Close the app and stop the runner first.
    """
    workspace = context.workspace
    if not workspace.database_url.startswith("sqlite"):
        raise RefusedError(places.BACKUPS_OF_SERVER)
    choices = _choices(workspace)
    if backup is None and not empty:
        return _listed(workspace, choices)
    chosen = None if empty else _chosen(workspace, choices, str(backup))
    lost = _lost_runs(workspace, chosen)
    if not yes and not context.as_json:
        _print_loss(chosen, lost)
    confirm(_("Continue?"), yes=yes, as_json=context.as_json)
    moved = _restored(workspace, chosen)
    entered = _enter_outputs(workspace)
    content = {
        "restored": None if chosen is None else chosen[0].name,
        "moved_aside": [str(path) for path in moved],
        "lost_runs": lost,
        "entered_outputs": entered,
    }
    return Answer(content, partial(_print_restored, content))


def _choices(workspace: Workspace) -> Choices:
    from pipelines.store.database.backup_files import backups_in
    from pipelines.store.database.restoring import BackupContents

    return [(file, BackupContents.of(file.path)) for file in backups_in(workspace.backups_dir)]


def _listed(workspace: Workspace, choices: Choices) -> Answer:
    from pipelines.store.database.restoring import state_of

    damage = state_of(workspace.database_url) if workspace.root.is_dir() else None
    listed = [
        {
            "name": file.name,
            "time": file.time,
            "num_bytes": file.path.stat().st_size,
            "num_runs": len(contents.run_ids),
            "num_pipelines": contents.num_pipelines,
            "damage": None if contents.damage is None else contents.damage.message,
        }
        for file, contents in choices
    ]
    state = None if damage is None else damage.message
    content = {"database": state, "backups": listed}
    return Answer(content, partial(_print_choices, choices, state))


def _print_choices(choices: Choices, damage: str | None) -> None:
    rows = (
        [
            file.name,
            file.time_text,
            format_bytes(file.path.stat().st_size),
            len(contents.run_ids),
            contents.num_pipelines,
            _("intact") if contents.damage is None else contents.damage.message,
        ]
        for file, contents in choices
    )
    empty = _("No backups yet. The runner creates one every day.")
    print_table(
        (_("Backup"), _("Created"), _("Size"), _("Runs"), _("Pipelines"), _("State")), rows, empty
    )
    console().print(damage or _("The database is intact."), markup=False)


def _chosen(workspace: Workspace, choices: Choices, name: str) -> tuple[BackupFile, BackupContents]:
    if name == NEWEST:
        whole = [choice for choice in choices if choice[1].damage is None]
        if not whole:
            raise NotFoundError(places.NO_WHOLE_BACKUP, folder=workspace.backups_dir)
        return whole[0]
    for file, contents in choices:
        if name.removesuffix(".db") == file.name:
            if contents.damage is not None:
                facts = {"backup": file.name, "why": contents.damage}
                raise RefusedError(places.BACKUP_DAMAGED, **facts)
            return file, contents
    raise NotFoundError(places.NO_BACKUP, backup=name[:100])


def _lost_runs(workspace: Workspace, chosen: tuple[BackupFile, BackupContents] | None) -> list[str]:
    """Return runs that have a folder but are not in the backup."""
    run_ids = frozenset[str]() if chosen is None else chosen[1].run_ids
    return [folder.name for folder in workspace.run_folders() if folder.name not in run_ids]


def _print_loss(chosen: tuple[BackupFile, BackupContents] | None, lost: Sequence[str]) -> None:
    statement = places.EMPTY_CHOSEN.about({})
    if chosen is not None:
        facts = {"backup": chosen[0].name, "time": chosen[0].time_text}
        statement = places.BACKUP_CHOSEN.about(facts)
    console().print(str(statement), markup=False)
    if lost:
        missing = {"runs": list(lost), "count": len(lost)}
        console().print(str(places.RUNS_LOST.about(missing)), markup=False)


def _restored(workspace: Workspace, chosen: tuple[BackupFile, BackupContents] | None) -> list[Path]:
    from pipelines.store.database.connections import Database
    from pipelines.store.database.restoring import restore as restore_file

    with closing(Database(workspace.database_url)) as unused:  # its address alone says where it is
        database = unused.path
    if database is None:
        raise RefusedError(places.BACKUPS_OF_SERVER)
    workspace.make()
    with _alone(workspace):
        return restore_file(database, None if chosen is None else chosen[0].path)


@contextmanager
def _alone(workspace: Workspace) -> Iterator[None]:
    """Lock out runners and processes that create or upgrade the database."""
    from pipelines.execution.runner_lock import try_lock

    with ExitStack() as stack:
        for path in (
            workspace.runner_lock_path,
            workspace.runs_lock_path,
            workspace.migrating_lock_path,
        ):
            lock = try_lock(path)
            if lock is None:
                raise RefusedError(places.RESTORED_WHILE_OPEN)
            stack.enter_context(lock)
        yield


def _enter_outputs(workspace: Workspace) -> list[str]:
    from pipelines.store.artifacts.artifact_store import ArtifactStore
    from pipelines.store.artifacts.unknown_outputs import enter_unknown_outputs
    from pipelines.store.database.connections import Database

    with closing(Database.open(workspace)) as database:  # upgraded where the backup is older
        return enter_unknown_outputs(ArtifactStore(workspace, database))


def _print_restored(content: Mapping[str, Any]) -> None:
    terminal = console()
    name = content["restored"]
    terminal.print(
        _("Restored {name}.", name=name) if name else _("Created an empty database."), markup=False
    )
    for path in content["moved_aside"]:
        terminal.print(_("The previous file was moved to {path}.", path=path), markup=False)
    if entered := content["entered_outputs"]:
        terminal.print(_("Added {count} outputs that were not in the backup.", count=len(entered)))
    if lost := content["lost_runs"]:
        facts = {"runs": lost, "count": len(lost)}
        terminal.print(str(places.RUNS_LOST.about(facts)), markup=False)
