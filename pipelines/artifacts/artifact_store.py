"""Artifacts on disk: entered whole or not at all, verified, reused, swept away when unused."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.artifacts import read_json
from modules.files.hashing import stat_fingerprint
from modules.operating_system.files import replace
from pipelines.artifacts.manifest import MANIFEST, damages_of, folder_bytes
from pipelines.events import SUCCEEDED_STEP, StepState
from pipelines.store.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database import Database
from pipelines.store.models import ModelStore
from pipelines.workspace import Workspace


@dataclass(frozen=True)
class Damage:
    """Something wrong with one artifact, in words."""

    artifact_id: str
    port: str
    message: str


@dataclass(frozen=True)
class Sweep:
    """What ``gc`` freed or, on a dry run, would free."""

    artifact_ids: list[str]
    leftovers: list[str]
    num_bytes: int


class ArtifactStore:
    """The artifacts of one workspace."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.root = workspace.artifacts_dir
        self.runs_dir = workspace.runs_dir
        self.index = ArtifactIndex(database)

    def folder(self, artifact_id: str, port: str) -> Path:
        """Where one output lies."""
        return self.artifact_folder(artifact_id) / port

    def artifact_folder(self, artifact_id: str) -> Path:
        """Where all outputs of one step lie, a folder a port."""
        return self.root / artifact_id

    def outputs(self, step: StepState) -> dict[str, str]:
        """Port to absolute folder of a step's outputs; empty when it gave none."""
        if step.status not in SUCCEEDED_STEP or step.artifact_id is None:
            return {}
        folder = self.artifact_folder(step.artifact_id)
        return {port.name: str(port) for port in sorted(folder.glob("*")) if port.is_dir()}

    def model_folders(self) -> dict[str, Path]:
        """The folder of each registered model's version by every text that means it."""
        named = ModelStore(self.index.database).artifacts_by_reference()
        return {reference: self.root / artifact for reference, artifact in named.items()}

    def staging_dir(self, run_id: str, node: str, attempt: int) -> Path:
        """Where a step makes its outputs; a dot in front, so that it is no artifact yet."""
        return self.root / f".{run_id}-{node}-{attempt}"

    def commit(self, staging: Path, key: str, run_id: str, node: str, fingerprint: str) -> str:
        """Take a sealed staging folder into the store and give its artifact id.

        ``fingerprint`` is that of the staging folder, so that a change since is noticed.
        """
        manifests = [read_json(path) for path in sorted(staging.glob(f"*/{MANIFEST}"))]
        facts = {
            "fingerprint": fingerprint,
            "num_bytes": folder_bytes(staging),
            "references": [each for made in manifests for each in made["references"]],
        }
        record = self.take_in(staging, key, run_id, node, facts)
        self.index.add(record)
        return record.id

    def take_in(
        self, staging: Path, key: str, run_id: str, node: str, result: Mapping[str, Any]
    ) -> ArtifactRecord:
        """Move a sealed staging folder to its place; the caller enters the record that results.

        ``result`` is what the step's host wrote: fingerprint, size and references.
        """
        artifact_id = f"{key[:20]}-{run_id[-4:]}{staging.name[-1]}-{os.urandom(2).hex()}"
        replace(staging, self.artifact_folder(artifact_id))
        return ArtifactRecord(
            id=artifact_id,
            key=key,
            run_id=run_id,
            node=node,
            created=time.time(),
            num_bytes=result["num_bytes"],
            references=sorted({each.split("/")[0] for each in result["references"]}),
            stat_fingerprint=result["fingerprint"],
        )

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
                self._is_reference_sound(each, checked) for each in record.references
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
        folder = self.artifact_folder(record.id)
        if not folder.is_dir():
            self.index.mark_damaged(record.id)
            return False
        fingerprint = stat_fingerprint(folder)
        # Other times or inodes may be a copied workspace: only contents tell whether it is damaged.
        if fingerprint != record.stat_fingerprint:
            if self._damages(record.id):
                self.index.mark_damaged(record.id)
                return False
            self.index.set_fingerprint(record.id, fingerprint)
        return True

    def verify(self, artifact_id: str) -> list[Damage]:
        """Hash every file of an artifact; what is damaged is marked and never used again."""
        damages = self._damages(artifact_id)
        if damages:
            self.index.mark_damaged(artifact_id)
        return damages

    def _damages(self, artifact_id: str) -> list[Damage]:
        folder = self.artifact_folder(artifact_id)
        if not folder.is_dir():
            return [Damage(artifact_id, "", "its folder is missing")]
        return [
            Damage(artifact_id, port.name, message)
            for port in sorted(folder.iterdir())
            for message in damages_of(port)
        ]

    def sweep(self, *, dry_run: bool = False) -> Sweep:
        """Remove what no run and no registered model refers to, and leftovers of broken steps.

        Only while nothing runs: the caller holds the workspace's run lock.
        """
        records = {record.id: record for record in self.index.all()}
        kept = self.closure(self.index.in_use(), records)
        unused = [record_id for record_id in records if record_id not in kept]
        strays = [path for path in self.root.iterdir() if path.name not in records]
        strays += self._folders_of_deleted_runs()
        freed = sum(records[each].num_bytes for each in unused)
        freed += sum(folder_bytes(path) for path in strays)
        if not dry_run:
            self.remove(unused)
            for path in strays:
                shutil.rmtree(path, ignore_errors=True)
        return Sweep(unused, [path.name for path in strays], freed)

    def remove(self, artifact_ids: Sequence[str]) -> None:
        """Remove artifacts that nothing refers to; the caller holds the workspace's run lock."""
        self.index.remove(artifact_ids)
        for artifact_id in artifact_ids:
            shutil.rmtree(self.artifact_folder(artifact_id), ignore_errors=True)

    def _folders_of_deleted_runs(self) -> list[Path]:
        """Left behind where deleting was interrupted."""
        found = [path for path in self.runs_dir.iterdir() if path.is_dir()]
        there = self.index.runs_there()
        return [path for path in found if path.name not in there]

    @staticmethod
    def closure(ids: set[str], records: dict[str, ArtifactRecord]) -> set[str]:
        """Those of the ids that there are, and everything whose files they need."""
        kept: set[str] = set()
        waiting = [each for each in ids if each in records]
        while waiting:
            current = waiting.pop()
            if current not in kept and current in records:
                kept.add(current)
                waiting.extend(records[current].references)
        return kept
