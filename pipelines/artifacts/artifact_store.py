"""Artifacts on disk: entered whole or not at all, verified, reused, swept away when unused."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.artifacts import read_json
from modules.files.hashing import stat_fingerprint
from modules.files.json_files import read_if_valid, remember
from modules.operating_system import locks
from modules.operating_system.files import replace
from pipelines.artifacts.garbage_collection import (
    GarbageCollection,
    Sweep,
    closure,
    remove_artifacts,
)
from pipelines.artifacts.manifest import MANIFEST, damages_of, folder_bytes
from pipelines.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.errors import ObjectDamagedError
from pipelines.events import SUCCEEDED_STEP, StepState
from pipelines.store.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database import Database
from pipelines.store.models import ModelStore
from pipelines.workspace import Workspace
from pipelines.workspace_settings import settings_stamp


@dataclass(frozen=True)
class ArtifactDamage:
    """Something wrong with one artifact, in words."""

    artifact_id: str
    port: str
    message: str


class ModelFolders(Mapping[str, Path]):
    """The folder of each registered model's version by every text that means it.

    One that lies in an object store is brought here when it is looked up.
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
        """The id of the artifact that a text means."""
        return self._named[reference].partition("/")[0]


class ArtifactStore:
    """The artifacts of one workspace."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.workspace = workspace
        self.root = workspace.artifacts_dir
        self.runs_dir = workspace.runs_dir
        self.index = ArtifactIndex(database)
        self._remote: RemoteArtifacts | None = None
        self._settings: object = ()

    @property
    def remote(self) -> RemoteArtifacts | None:
        """What lies in the workspace's object store; None where it has none.

        Raises ``ObjectStoreError`` and ``SettingsUnreadableError``, as the settings now are.
        """
        settings = settings_stamp(self.workspace.root)
        if settings != self._settings:
            self._remote = RemoteArtifacts.of(self.workspace, self.index)
            self._settings = settings
        return self._remote

    def folder(self, artifact_id: str, port: str) -> Path:
        """Where one output lies; brought here first where an object store has it.

        Raises ``ObjectDamagedError`` and ``ObjectStoreError`` where that fails.
        """
        return self.artifact_folder(artifact_id) / port

    def artifact_folder(self, artifact_id: str) -> Path:
        """Where all outputs of one step lie, a folder a port; brought here as one output is."""
        if self.remote is not None:
            self.remote.bring(artifact_id)
        return self.root / artifact_id

    def outputs(self, step: StepState) -> dict[str, str]:
        """Port to absolute folder of a step's outputs; empty when it gave none that is left."""
        if step.status not in SUCCEEDED_STEP or step.artifact_id is None:
            return {}
        try:
            folder = self.artifact_folder(step.artifact_id)
        except ObjectDamagedError:  # as where the folder was removed
            return {}
        return {port.name: str(port) for port in sorted(folder.glob("*")) if port.is_dir()}

    def model_folders(self) -> ModelFolders:
        """The folder of each registered model's version by every text that means it."""
        return ModelFolders(self, ModelStore(self.index.database).artifacts_by_reference())

    def staging_dir(self, run_id: str, node: str, attempt: int) -> Path:
        """Where a step makes its outputs; a dot in front, so that it is no artifact yet."""
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
        """Take a sealed staging folder into the store and give its artifact id.

        ``fingerprint`` is that of the staging folder, so that a change since is noticed.
        """
        facts = facts_of(staging, fingerprint)
        record = self.take_in(staging, key, run_id, node, facts, note)
        self.index.add(record)
        return record.id

    def enter_noted(
        self, note: Path, key: str, run_id: str, node: str, fingerprint: str
    ) -> str | None:
        """The id of what was moved to its place, entered where it is not; None where it is gone."""
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
        result: Mapping[str, Any],
        note: Path | None = None,
    ) -> ArtifactRecord:
        """Move a sealed staging folder to its place; the caller enters the record that results.

        ``result`` is what the step's host wrote: fingerprint, size and references; ``content``
        where its machine has put it into the object store: then it is fetched when it is read.
        ``note`` is a file that has its id from before it is moved: for ``enter_noted``.
        """
        artifact_id = f"{key[:20]}-{run_id[-4:]}{staging.name[-1]}-{os.urandom(2).hex()}"
        if "content" not in result:
            if note is not None:
                remember(note, {"id": artifact_id})
            replace(staging, self.root / artifact_id)
        return record_of(artifact_id, key, run_id, node, result)

    def find(self, key: str) -> ArtifactRecord | None:
        """The newest intact artifact of a key; damaged ones met on the way are marked."""
        return self.find_all([key]).get(key)

    def find_all(self, keys: Sequence[str]) -> dict[str, ArtifactRecord]:
        """The same for many keys at once, those without an intact artifact left out."""
        found: dict[str, ArtifactRecord] = {}
        checked: dict[str, bool] = {}
        for record in self.index.of_keys(keys):
            if record.key not in found and self._is_sound(record, checked):
                found[record.key] = record
        return found

    def is_intact(self, record: ArtifactRecord) -> bool:
        """True when its files, and those it refers to, are what was made.

        Files whose sizes, times and inodes are unchanged are taken as unchanged; else hashed.
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
                return True  # it is compared when it comes back
            self.index.mark_damaged(record.id)
            return False
        fingerprint = stat_fingerprint(folder)
        # Other times or inodes may be a copied workspace: only contents tell whether it is damaged.
        if fingerprint != record.stat_fingerprint:
            if self._damages(record.id):
                return self._is_stored_elsewhere(record)
            self.index.set_fingerprint(record.id, fingerprint)
        return True

    def _is_stored_elsewhere(self, record: ArtifactRecord) -> bool:
        """Of damaged files: where an object store has them too, they come from there."""
        if record.content is not None and self.remote is not None:
            self.remote.drop(record.id)
            return True
        self.index.mark_damaged(record.id)
        return False

    def verify(self, artifact_id: str) -> list[ArtifactDamage]:
        """Hash every file of an artifact; what is damaged is marked and never used again."""
        record = self.index.get(artifact_id)
        if record is not None and record.content is not None and self.remote is not None:
            if (self.root / artifact_id).is_dir() and self._damages(artifact_id):
                self.remote.drop(artifact_id)  # only a copy
            place = f"its copy in {self.remote.place} is damaged or incomplete"
            is_damaged = self.remote.is_damaged(record)
            damages = [ArtifactDamage(artifact_id, "", place)] if is_damaged else []
        else:
            damages = self._damages(artifact_id)
        if damages:
            self.index.mark_damaged(artifact_id)
        return damages

    def _damages(self, artifact_id: str) -> list[ArtifactDamage]:
        folder = self.root / artifact_id
        if not folder.is_dir():
            return [ArtifactDamage(artifact_id, "", "its folder is missing")]
        return [
            ArtifactDamage(artifact_id, port.name, message)
            for port in sorted(folder.iterdir())
            for message in damages_of(port)
        ]

    @contextmanager
    def referring(self) -> Iterator[None]:
        """While something that no run made, or that none needs any more, comes to be referred to.

        Nothing is removed meanwhile. Not to be entered twice: where locks cannot be shared the
        second would wait for the first.
        """
        with self._references_locked(shared=True):
            yield

    @contextmanager
    def removing(self) -> Iterator[None]:
        """While it is found out what nothing refers to, and removed: nothing new refers meanwhile.

        The caller holds the workspace's run lock, so that no step does either.
        """
        with self._references_locked(shared=False):
            yield

    @contextmanager
    def _references_locked(self, *, shared: bool) -> Iterator[None]:
        with self.workspace.references_lock_path.open("a") as file:
            locks.lock(file, shared=shared)
            yield

    def sweep(self, *, dry_run: bool = False, takes_unknown: bool = False) -> Sweep:
        """Remove what no run and no registered model refers to, and leftovers of killed processes.

        Only while nothing runs: the caller holds the workspace's run lock.

        Args:
            dry_run: Report what would be removed; change nothing.
            takes_unknown: Remove folders that the database does not know even if they are young.

        Raises:
            RefusedError: The database knows none of the folders: it may be another or a new one.
            DatabaseDamagedError: The database is damaged.
        """
        collection = GarbageCollection(self.workspace, self.index, self.remote)
        with self.removing():
            return collection.run(dry_run=dry_run, takes_unknown=takes_unknown)

    def remove(self, artifact_ids: Sequence[str]) -> None:
        """Remove artifacts that nothing refers to, as it was found out while ``removing``."""
        remove_artifacts(self.index, self.root, artifact_ids)

    closure = staticmethod(closure)


def facts_of(folder: Path, fingerprint: str) -> dict[str, Any]:
    """What a step's host would say of its outputs in a folder."""
    manifests = [read_json(path) for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    return {
        "fingerprint": fingerprint,
        "num_bytes": folder_bytes(folder),
        "references": [each for made in manifests for each in made["references"]],
    }


def record_of(
    artifact_id: str, key: str, run_id: str, node: str, result: Mapping[str, Any]
) -> ArtifactRecord:
    return ArtifactRecord(
        id=artifact_id,
        key=key,
        run_id=run_id,
        node=node,
        created=time.time(),
        num_bytes=result["num_bytes"],
        references=sorted({each.split("/")[0] for each in result["references"]}),
        stat_fingerprint=result["fingerprint"],
        content=result.get("content"),
    )
