"""Registered datasets: a version added, one deleted unless a pipeline or a run refers to it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from modules.datasets.dataset_names import check_name, free_name, name_of_file, normal_name
from modules.datasets.folder_summary import FolderSummary, summary_of_version
from modules.datasets.import_images import import_images
from modules.datasets.registered import (
    register_dataset,
    relocate_version,
    source_notice,
    versions_of,
)
from modules.files.object_folder import ObjectFolder
from modules.files.workspace_folder import DELETED
from pipelines.documents.node_parameters import texts_given
from pipelines.errors import InUseError, NotFoundError
from pipelines.sentences import refusals
from pipelines.store.database import Database
from pipelines.store.history import RunIndex
from pipelines.store.pipelines import PipelineStore
from pipelines.workspace import Workspace

PREFIX = "dataset:"


@dataclass(frozen=True)
class AddedDataset:
    """A version that was made of a folder or an archive, and what it holds."""

    name: str
    version: int
    preview: FolderSummary

    @property
    def source(self) -> str:
        """How Import Images is told to read it."""
        return f"{PREFIX}{self.name}@{self.version}"


class RegisteredDatasets:
    """The registered datasets of a workspace: a folder a name, in it a folder a version."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.folder = workspace.datasets_dir
        self._cache_dir = workspace.cache_dir
        self._pipelines = PipelineStore(database)
        self._runs = RunIndex(database)

    def add(
        self, source: Path, name: str | None, *, allowed_roots: Collection[Path] | None = ()
    ) -> AddedDataset:
        """Copy a folder or unpack an archive; raises ``ModuleError``.

        Args:
            source: The folder or archive.
            name: It becomes the next version of this dataset. None: a new dataset, which is called
                like the file.
            allowed_roots: Links in a folder are followed into these (``scanning.scan``).
        """
        name = normal_name(name) if name else self.name_for(source.name)
        version = register_dataset(source, name, self.folder, allowed_roots=allowed_roots)
        kept = summary_of_version(self.folder / name / str(version))
        return AddedDataset(name, version, replace(kept, not_read=source_notice(source)))

    def name_for(self, file_name: str) -> str:
        """Return the name of a new dataset that is made of a file: no other one has it."""
        return free_name(name_of_file(file_name), self.folder)

    def location(self, name: str, version: int) -> Path:
        """The folder of a version; raises ``NotFoundError`` where there is none."""
        check_name(name)
        if version not in versions_of(self.folder, name):
            raise NotFoundError(refusals.NO_DATASET, dataset=f"{PREFIX}{name}@{version}")
        return self.folder / name / str(version)

    def relocate(self, name: str, version: int, address: str) -> str:
        """Read a version's shards from the address they were copied to; gives it as it is kept.

        No shard is read. ``NotFoundError`` for a version that is not there,
        ``InvalidDatasetError`` where other files lie at the address.
        """
        there = ObjectFolder.parse(address)
        relocate_version(self.location(name, version), there, self._cache_dir)
        return there.place

    def users(self, name: str, version: int | None = None) -> list[str]:
        """Saved pipelines and runs that would miss a dataset, or one version of it."""
        versions = versions_of(self.folder, name)
        gone = {f"{PREFIX}{name}@{each}" for each in versions if version in (None, each)}
        if version is None or (versions and versions[-1] == version):
            gone.add(f"{PREFIX}{name}")  # means the newest one
        return [user for user, document in self._documents() if _sources(document) & gone]

    def delete(self, name: str, version: int | None = None) -> list[int]:
        """Delete a dataset or one version of it; gives the versions that went.

        ``NotFoundError`` where there is none, ``InUseError`` where it is needed.
        """
        check_name(name)
        wanted = [each for each in versions_of(self.folder, name) if version in (None, each)]
        what = f"{PREFIX}{name}" + ("" if version is None else f"@{version}")
        if not wanted:
            raise NotFoundError(refusals.NO_DATASET, dataset=what)
        users = self.users(name, version)
        if users:
            raise InUseError(refusals.DATASET_IN_USE, what, users)
        for each in wanted:
            self._remove(self.folder / name / str(each))
        if not any((self.folder / name).iterdir()):
            (self.folder / name).rmdir()
        return wanted

    def _remove(self, home: Path) -> None:
        doomed = self.folder / f"{DELETED}{secrets.token_hex(4)}"
        home.rename(doomed)  # gone at once for everybody, whatever happens next
        shutil.rmtree(doomed, ignore_errors=True)

    def _documents(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for row in self._pipelines.all():
            yield f"the pipeline {row.name or row.id}", self._pipelines.latest(row.id).document
        for run_id, document in self._runs.documents():
            yield f"the run {run_id}", document


def _sources(document: dict[str, Any]) -> set[str]:
    return {each.strip() for each in texts_given(document, import_images.id, "source")}
