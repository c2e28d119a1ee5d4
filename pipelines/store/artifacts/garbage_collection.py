"""Garbage collection of a workspace: unused outputs, folders of deleted runs, leftovers.

A folder unknown to the database may be all that is left of work whose rows were lost with a damaged
database. It is removed only when it is old or on request, and never by a database that knows none
of the folders.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modules.files.disk import SCRATCH, is_unchanged_for
from pipelines.errors import RefusedError
from pipelines.sentences import places
from pipelines.store.artifacts.leftovers import find_leftovers, remove_leftovers
from pipelines.store.artifacts.manifest import folder_bytes
from pipelines.store.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.store.database.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.objects.artifact_cache import FETCHED
from pipelines.store.objects.object_store import StoredContent
from pipelines.workspace import Workspace

UNKNOWN_AGE_SECONDS = 30 * 24 * 3600.0
"""Age from which a folder unknown to the database counts as garbage."""
Records = Mapping[str, ArtifactRecord]


@dataclass(frozen=True)
class CollectionResult:
    """Result of ``gc``: what was freed or, on a dry run, would be."""

    artifact_ids: list[str]
    leftovers: list[str]
    num_bytes: int
    objects: list[str] = field(default_factory=list)
    """Contents of the object store."""
    kept_unknown: list[str] = field(default_factory=list)
    """Folders and contents unknown to the database, kept because they are young."""


@dataclass(frozen=True)
class UnknownFolders:
    """Folders of outputs and runs without a row in the database."""

    artifacts: list[Path]
    runs: list[Path]
    num_known: int
    """Number of folders with a row."""

    @classmethod
    def of(cls, workspace: Workspace, index: ArtifactIndex) -> UnknownFolders:
        """Compare the folders of a workspace with its database."""
        artifacts, runs = workspace.artifact_folders(), workspace.run_folders()
        known_ids = {record.id for record in index.all()} | index.runs_there()
        unknown_artifacts = [path for path in artifacts if path.name not in known_ids]
        unknown_runs = [path for path in runs if path.name not in known_ids]
        num_unknown = len(unknown_artifacts) + len(unknown_runs)
        num_known = len(artifacts) + len(runs) - num_unknown
        return cls(unknown_artifacts, unknown_runs, num_known)

    @property
    def all(self) -> list[Path]:
        return [*self.artifacts, *self.runs]


class GarbageCollection:
    """One garbage collection, while nothing runs and no new references are created."""

    def __init__(
        self, workspace: Workspace, index: ArtifactIndex, remote: RemoteArtifacts | None
    ) -> None:
        self._workspace = workspace
        self._index = index
        self._remote = remote

    def run(self, *, dry_run: bool, takes_unknown: bool) -> CollectionResult:
        """Remove what is unused; see ``ArtifactStore.sweep``."""
        if (damage := self._index.database.damage()) is not None:
            raise damage  # references of damaged rows would count as unused
        unknown = UnknownFolders.of(self._workspace, self._index)
        if unknown.all and not unknown.num_known:
            raise RefusedError(
                places.NO_FOLDER_KNOWN, root=self._workspace.root, count=len(unknown.all)
            )
        doomed = [path for path in unknown.all if takes_unknown or _is_old(path)]
        kept_unknown = [path.name for path in unknown.all if path not in doomed]
        records = {record.id: record for record in self._index.all()}
        in_use = self._index.in_use() | _made_by(records, kept_unknown)
        needed = closure(in_use, records)
        unused = [record_id for record_id in records if record_id not in needed]
        strays = [*self._broken_steps(), *doomed]
        leftovers = find_leftovers(self._workspace)
        freed = sum(records[record_id].num_bytes for record_id in unused)
        freed += sum(folder_bytes(path) for path in (*strays, *leftovers))
        if not dry_run:
            remove_artifacts(self._index, self._workspace.artifacts_dir, unused)
            for path in strays:
                shutil.rmtree(path, ignore_errors=True)
            remove_leftovers(self._workspace)
        objects, young = self._unused_objects(records, needed, takes_unknown=takes_unknown)
        if not dry_run:
            self._remove_objects(objects)
        freed += sum(content.num_bytes for content in objects)
        return CollectionResult(
            unused,
            [path.name for path in (*strays, *leftovers)],
            freed,
            [content.name for content in objects],
            [*kept_unknown, *(content.name for content in young)],
        )

    def _broken_steps(self) -> list[Path]:
        """Return staging folders. Scratch folders may be in use: see ``find_leftovers``."""
        hidden = self._workspace.artifacts_dir.glob(".*")
        return [path for path in hidden if not path.name.startswith((SCRATCH, FETCHED))]

    def _unused_objects(
        self, records: Records, needed: Collection[str], *, takes_unknown: bool
    ) -> tuple[list[StoredContent], list[StoredContent]]:
        """Return the unused objects to remove, and the unknown ones that are too young."""
        if self._remote is None:
            return [], []
        unused = self._remote.unused([records[artifact_id] for artifact_id in needed])
        names = {record.content for record in records.values()}
        old = time.time() - UNKNOWN_AGE_SECONDS
        young = [
            content
            for content in unused
            if content.is_whole and content.name not in names and content.modified > old
        ]
        if takes_unknown:
            young = []
        return [content for content in unused if content not in young], young

    def _remove_objects(self, unused: Sequence[StoredContent]) -> None:
        if self._remote is None:
            return
        for content in unused:
            self._remote.store.remove(content.name)
        for step in self._remote.store.abandoned_steps():
            self._remote.store.remove_step(step)


def remove_artifacts(index: ArtifactIndex, root: Path, artifact_ids: Sequence[str]) -> None:
    """Remove the rows of artifacts, then their folders."""
    index.remove(artifact_ids)
    for artifact_id in artifact_ids:
        shutil.rmtree(root / artifact_id, ignore_errors=True)


def closure(ids: Collection[str], records: Records) -> set[str]:
    """Return the existing artifacts of these ids with all their references."""
    reached: set[str] = set()
    waiting = [artifact_id for artifact_id in ids if artifact_id in records]
    while waiting:
        current = waiting.pop()
        if current not in reached and current in records:
            reached.add(current)
            waiting.extend(records[current].references)
    return reached


def _made_by(records: Records, runs: Collection[str]) -> set[str]:
    """Return the outputs of runs that the database has lost: they stay as long as those folders."""
    return {record.id for record in records.values() if record.run_id in runs}


def _is_old(folder: Path) -> bool:
    return is_unchanged_for(folder, UNKNOWN_AGE_SECONDS)
