"""Move of a workspace's outputs from its folder to its object store, or back, one by one.

Each moved output is recorded at once, so the next move continues an interrupted one. Nothing is
removed: the folder keeps copies, and objects stay until they are removed by hand.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass

from modules.formatting import format_bytes
from pipelines.errors import ObjectDamagedError, RefusedError
from pipelines.sentences import object_stores as say
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.store.database.facts import WorkspaceFacts


@dataclass(frozen=True)
class MovedOutputs:
    """Numbers of outputs that were moved, existed before, or are damaged."""

    place: str
    is_back: bool
    num_outputs: int
    num_bytes: int
    num_there: int
    num_damaged: int


def move_outputs(
    artifacts: ArtifactStore, tell: Callable[[str], None], *, dry_run: bool = False
) -> MovedOutputs | None:
    """Move outputs and report the result; None if the workspace has no object store.

    To the store if the settings name one, otherwise back from it. ``tell`` receives the progress.
    Raises ``ObjectStoreError``, and ``RefusedError`` if there is no room for what comes back.
    """
    remote = artifacts.remote
    if remote is None:
        return None
    records = [record for record in artifacts.index.all() if not record.damaged]
    stored = [record for record in records if record.content is not None]
    if remote.takes_new:
        waiting = [
            record for record in records if record.content is None and _is_here(remote, record)
        ]
        num_present, move_one = len(stored), _store
    else:
        waiting, num_present, move_one = stored, len(records) - len(stored), _bring_back
        _require_room(remote, waiting)
    num_bytes = sum(record.num_bytes for record in waiting)
    damaged = 0
    if dry_run:
        remote.store.check()
    else:
        damaged = sum(not move_one(artifacts, remote, record, tell) for record in waiting)
        _note_end(artifacts, remote)
    moved = len(waiting) - damaged
    return MovedOutputs(remote.place, not remote.takes_new, moved, num_bytes, num_present, damaged)


def _is_here(remote: RemoteArtifacts, record: ArtifactRecord) -> bool:
    return (remote.root / record.id).is_dir()


def _store(
    artifacts: ArtifactStore,
    remote: RemoteArtifacts,
    record: ArtifactRecord,
    tell: Callable[[str], None],
) -> bool:
    if not artifacts.is_intact(record):  # it would be damaged there too
        return False
    artifacts.index.set_content(record.id, remote.put(record))
    tell(record.id)
    return True


def _bring_back(
    artifacts: ArtifactStore,
    remote: RemoteArtifacts,
    record: ArtifactRecord,
    tell: Callable[[str], None],
) -> bool:
    try:
        remote.bring(record.id)
    except ObjectDamagedError:
        return False  # marked as damaged: its step is recomputed
    artifacts.index.set_content(record.id, None)
    tell(record.id)
    return True


def _require_room(remote: RemoteArtifacts, waiting: list[ArtifactRecord]) -> None:
    needed = sum(record.num_bytes for record in waiting if not _is_here(remote, record))
    free = shutil.disk_usage(remote.root).free
    if needed > free:
        sizes = {"needed": format_bytes(needed), "free": format_bytes(free)}
        raise RefusedError(say.NO_ROOM, place=remote.place, **sizes)


def _note_end(artifacts: ArtifactStore, remote: RemoteArtifacts) -> None:
    if not remote.takes_new:
        WorkspaceFacts(artifacts.index.database).forget_address()
    else:
        remote.claim()
        remote.evict()
