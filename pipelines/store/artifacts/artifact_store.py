"""Artifacts on disk: committed atomically, verified, reused, and removed when unused."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from modules.artifacts import read_json
from modules.files.hashing import stat_fingerprint
from modules.files.json_files import read_if_valid, remember
from modules.operating_system import locks
from modules.operating_system.files import replace
from pipelines.errors import ObjectDamagedError
from pipelines.events import SUCCEEDED_STEP, StepState
from pipelines.sentences import _
from pipelines.store.artifacts.garbage_collection import (
    CollectionResult,
    GarbageCollection,
    closure,
    remove_artifacts,
)
from pipelines.store.artifacts.manifest import MANIFEST, StepResult, damages_of, folder_bytes
from pipelines.store.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.store.database.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database.connections import Database
from pipelines.store.database.models import ModelStore
from pipelines.workspace import Workspace
from pipelines.workspace_settings import settings_stamp


@dataclass(frozen=True)
class ArtifactDamage:
    """Damage of one artifact, described as text."""

    artifact_id: str
    port: str
    message: str


class ModelFolders(Mapping[str, Path]):
    """Folder of each registered model version by every reference to it.

    One in an object store is downloaded on access.
    """

    def __init__(self, artifacts: ArtifactStore, named: Mapping[str, str]) -> None:
        self._artifacts = artifacts
        self._named = named

    def __getitem__(self, reference: str) -> Path:
        artifact_id, _, port = self._named[reference].partition("/")
        return self._artifacts.folder(artifact_id, port)

    def __contains__(self, reference: object) -> bool:
        return reference in self._named

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def artifact_of(self, reference: str) -> str:
        """Return the id of the artifact behind a reference."""
        return self._named[reference].partition("/")[0]


class ArtifactStore:
    """Artifacts of one workspace."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.workspace = workspace
        self.root = workspace.artifacts_dir
        self.runs_dir = workspace.runs_dir
        self.index = ArtifactIndex(database)
        self._remote: RemoteArtifacts | None = None
        self._settings: object = ()

    @property
    def remote(self) -> RemoteArtifacts | None:
        """Return the client of the workspace's object store; None if it has none.

        Raises ``ObjectStoreError`` and ``SettingsUnreadableError`` according to the current
        settings.
        """
        settings = settings_stamp(self.workspace.root)
        if settings != self._settings:
            self._remote = RemoteArtifacts.of(self.workspace, self.index)
            self._settings = settings
        return self._remote

    def folder(self, artifact_id: str, port: str) -> Path:
        """Return the folder of one output, downloaded first if an object store has it.

        Raises ``ObjectDamagedError`` and ``ObjectStoreError`` if that fails.
        """
        return self.artifact_folder(artifact_id) / port

    def artifact_folder(self, artifact_id: str) -> Path:
        """Return the folder of a step's outputs, one folder per port, downloaded if needed."""
        if self.remote is not None:
            self.remote.bring(artifact_id)
        return self.root / artifact_id

    def outputs(self, step: StepState) -> dict[str, str]:
        """Return the absolute folders of a step's outputs by port; empty if none remain."""
        if step.status not in SUCCEEDED_STEP or step.artifact_id is None:
            return {}
        try:
            folder = self.artifact_folder(step.artifact_id)
        except ObjectDamagedError:  # as if the folder was removed
            return {}
        return {port.name: str(port) for port in sorted(folder.glob("*")) if port.is_dir()}

    def model_folders(self) -> ModelFolders:
        """Return the folder of each registered model version by every reference to it."""
        return ModelFolders(self, ModelStore(self.index.database).artifacts_by_reference())

    def staging_dir(self, run_id: str, node: str, attempt: int) -> Path:
        """Return the folder in which a step creates its outputs; the dot marks it as incomplete."""
        return self.root / f".{run_id}-{node}-{attempt}"

    def commit(
        self,
        staging: Path,
        key: str,
        run_id: str,
        node: str,
        fingerprint: str,
        note: Path | None = None,
    ) -> str:
        """Move a sealed staging folder into the store and return its artifact id.

        ``fingerprint`` is the staging folder's, so that later changes are noticed.
        """
        facts = facts_of(staging, fingerprint)
        record = self.take_in(staging, key, run_id, node, facts, note)
        self.index.add(record)
        return record.id

    def enter_noted(
        self, note: Path, key: str, run_id: str, node: str, fingerprint: str
    ) -> str | None:
        """Return the id of a moved folder, recorded if it was not; None if it is gone."""
        artifact_id = str((read_if_valid(note) or {}).get("id"))
        folder = self.root / artifact_id
        if not folder.is_dir():
            return None
        if self.index.get(artifact_id) is None:
            facts = facts_of(folder, fingerprint)
            self.index.add(record_of(artifact_id, key, run_id, node, facts))
        return artifact_id

    def take_in(
        self,
        staging: Path,
        key: str,
        run_id: str,
        node: str,
        result: StepResult,
        note: Path | None = None,
    ) -> ArtifactRecord:
        """Move a sealed staging folder to its place; the caller inserts the returned record.

        ``result`` is from the step's host: fingerprint, size and references; ``content`` if its
        machine has uploaded it: then it is downloaded when it is read. ``note`` is a file that
        contains its id before it is moved: for ``enter_noted``.
        """
        artifact_id = f"{key[:20]}-{run_id[-4:]}{staging.name[-1]}-{os.urandom(2).hex()}"
        if "content" not in result:
            if note is not None:
                remember(note, {"id": artifact_id})
            replace(staging, self.root / artifact_id)
        return record_of(artifact_id, key, run_id, node, result)

    def find(self, key: str) -> ArtifactRecord | None:
        """Return the newest intact artifact of a key; mark damaged ones on the way."""
        return self.find_all([key]).get(key)

    def find_all(self, keys: Sequence[str]) -> dict[str, ArtifactRecord]:
        """Return the newest intact artifacts of many keys, without those that have none."""
        artifacts: dict[str, ArtifactRecord] = {}
        checked: dict[str, bool] = {}
        for record in self.index.of_keys(keys):
            if record.key not in artifacts and self._is_sound(record, checked):
                artifacts[record.key] = record
        return artifacts

    def is_intact(self, record: ArtifactRecord) -> bool:
        """Return True if its files, and those of its references, are unchanged.

        Files with the same size, times and inode count as unchanged; others are hashed.
        """
        return self._is_sound(record, {})

    def _is_sound(self, record: ArtifactRecord, checked: dict[str, bool]) -> bool:
        if record.id not in checked:
            checked[record.id] = self._is_unchanged(record) and all(
                self._is_reference_sound(reference, checked) for reference in record.references
            )
        return checked[record.id]

    def _is_reference_sound(self, artifact_id: str, checked: dict[str, bool]) -> bool:
        if artifact_id not in checked:
            record = self.index.get(artifact_id)
            if record is None or record.damaged:
                return False
            return self._is_sound(record, checked)
        return checked[artifact_id]

    def _is_unchanged(self, record: ArtifactRecord) -> bool:
        folder = self.root / record.id
        if not folder.is_dir():
            if record.content is not None and self.remote is not None:
                return True  # it is verified when it is downloaded
            self.index.mark_damaged(record.id)
            return False
        fingerprint = stat_fingerprint(folder)
        # Other times or inodes may result from copying the workspace: only contents show damage.
        if fingerprint != record.stat_fingerprint:
            if self._damages(record.id):
                return self._is_stored_elsewhere(record)
            self.index.set_fingerprint(record.id, fingerprint)
        return True

    def _is_stored_elsewhere(self, record: ArtifactRecord) -> bool:
        """Return whether the damaged files can be downloaded from an object store."""
        if record.content is not None and self.remote is not None:
            self.remote.drop(record.id)
            return True
        self.index.mark_damaged(record.id)
        return False

    def verify(self, artifact_id: str) -> list[ArtifactDamage]:
        """Hash every file of an artifact; mark damaged ones, which are never used again."""
        record = self.index.get(artifact_id)
        if record is not None and record.content is not None and self.remote is not None:
            if (self.root / artifact_id).is_dir() and self._damages(artifact_id):
                self.remote.drop(artifact_id)  # only a copy
            message = _("its copy in {place} is damaged or incomplete", place=self.remote.place)
            is_damaged = self.remote.is_damaged(record)
            damages = [ArtifactDamage(artifact_id, "", message)] if is_damaged else []
        else:
            damages = self._damages(artifact_id)
        if damages:
            self.index.mark_damaged(artifact_id)
        return damages

    def _damages(self, artifact_id: str) -> list[ArtifactDamage]:
        folder = self.root / artifact_id
        if not folder.is_dir():
            return [ArtifactDamage(artifact_id, "", _("its folder is missing"))]
        return [
            ArtifactDamage(artifact_id, port.name, message)
            for port in sorted(folder.iterdir())
            for message in damages_of(port)
        ]

    @contextmanager
    def referring(self) -> Iterator[None]:
        """Block removal while something outside a run starts to refer to an artifact.

        Not reentrant: on file systems without shared locks the second would wait for the first.
        """
        with self._references_locked(shared=True):
            yield

    @contextmanager
    def removing(self) -> Iterator[None]:
        """Block new references while unreferenced artifacts are found and removed.

        The caller holds the workspace's run lock, so that no step refers to new ones either.
        """
        with self._references_locked(shared=False):
            yield

    @contextmanager
    def _references_locked(self, *, shared: bool) -> Iterator[None]:
        with self.workspace.references_lock_path.open("a") as file:
            locks.lock(file, shared=shared)
            yield

    def sweep(self, *, dry_run: bool = False, takes_unknown: bool = False) -> CollectionResult:
        """Remove what no run and no registered model refers to, and leftovers of killed processes.

        Only while nothing runs: the caller holds the workspace's run lock.

        Args:
            dry_run: Report what would be removed; change nothing.
            takes_unknown: Remove unknown folders even if they are young.

        Raises:
            RefusedError: The database knows none of the folders: it may be another or a new one.
            DatabaseDamagedError: The database is damaged.
        """
        collection = GarbageCollection(self.workspace, self.index, self.remote)
        with self.removing():
            return collection.run(dry_run=dry_run, takes_unknown=takes_unknown)

    def remove(self, artifact_ids: Sequence[str]) -> None:
        """Remove artifacts without references, as determined under ``removing``."""
        remove_artifacts(self.index, self.root, artifact_ids)

    closure = staticmethod(closure)


def facts_of(folder: Path, fingerprint: str) -> StepResult:
    """Return what a step's host would report of its outputs in a folder."""
    manifests = [read_json(path) for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    return {
        "fingerprint": fingerprint,
        "num_bytes": folder_bytes(folder),
        "references": [reference for manifest in manifests for reference in manifest["references"]],
    }


def record_of(
    artifact_id: str, key: str, run_id: str, node: str, result: StepResult
) -> ArtifactRecord:
    return ArtifactRecord(
        id=artifact_id,
        key=key,
        run_id=run_id,
        node=node,
        created=time.time(),
        num_bytes=result["num_bytes"],
        references=sorted({reference.split("/")[0] for reference in result["references"]}),
        stat_fingerprint=result["fingerprint"],
        content=result.get("content"),
    )
