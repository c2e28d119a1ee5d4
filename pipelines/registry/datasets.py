"""Registered datasets: add versions, and delete those that no pipeline or run refers to."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from modules.datasets.dataset_names import check_name, free_name, name_of_file, normal_name
from modules.datasets.folder_summary import FolderSummary, summary_of_version
from modules.datasets.import_images import import_images
from modules.datasets.registered import (
    list_datasets,
    register_dataset,
    relocate_version,
    source_notice,
    versions_of,
)
from modules.datasets.web_service_input import web_service_input
from modules.errors import ModuleError
from modules.files.hashing import hash_folder
from modules.files.object_folder import ObjectFolder
from modules.files.workspace_folder import DELETED
from modules.schema_reference import DocumentData
from pipelines.document.node_parameters import parameter_texts
from pipelines.errors import InUseError, NotFoundError
from pipelines.registry.pipeline_labels import labelled_documents
from pipelines.sentences import refusals
from pipelines.store.database.connections import Database
from pipelines.store.database.history import RunIndex
from pipelines.store.database.pipelines import PipelineRow, PipelineStore
from pipelines.store.database.published import PublishedStore
from pipelines.workspace import Workspace

PREFIX = "dataset:"
RECORDED = "camera:"
"""Another prefix of datasets, for those that were recorded on the page Camera."""


@dataclass(frozen=True)
class AddedDataset:
    """Version created from a folder or an archive, and its content."""

    name: str
    version: int
    preview: FolderSummary
    was_known: bool = False
    """True if a version with the same files existed: nothing was added."""

    @property
    def source(self) -> str:
        """Return its reference for Import Images."""
        return f"{PREFIX}{self.name}@{self.version}"


class RegisteredDatasets:
    """Registered datasets of a workspace: a folder per name with a folder per version."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.folder = workspace.datasets_dir
        self._cache_dir = workspace.cache_dir
        self._pipelines = PipelineStore(database)
        self._published = PublishedStore(database)
        self._runs = RunIndex(database)

    def add(
        self, source: Path, name: str | None, *, allowed_roots: Collection[Path] | None = ()
    ) -> AddedDataset:
        """Copy a folder or unpack an archive. Raises ``ModuleError``.

        Args:
            source: Folder or archive.
            name: Dataset that gets the next version; None for a new dataset named after the file,
                or for the existing version with the same files.
            allowed_roots: Links in a folder are followed into these (``scanning.scan``).
        """
        is_new, name = not name, normal_name(name) if name else self.name_for(source.name)
        version = register_dataset(source, name, self.folder, allowed_roots=allowed_roots)
        summary = summary_of_version(self.folder / name / str(version))
        summary = replace(summary, not_read=source_notice(source))
        twin = self._twin(name_of_file(source.name), name, summary) if is_new else None
        if twin is None:
            return AddedDataset(name, version, summary)
        self.delete(name)
        return AddedDataset(*twin, summary, was_known=True)

    def _twin(self, base: str, name: str, summary: FolderSummary) -> tuple[str, int] | None:
        """Return another version with the same files, of a dataset that is named as the file."""
        location = self.folder / name / "1"
        for dataset in list_datasets(self.folder):
            is_numbered = dataset.name.startswith(f"{base}-")
            if dataset.name == name or not (dataset.name == base or is_numbered):
                continue
            for version in reversed(dataset.versions):
                other = self.folder / dataset.name / str(version)
                with suppress(ModuleError, OSError):  # damaged, or deleted in the meantime
                    known = summary_of_version(other)
                    same_size = (known.images, known.num_bytes) == (
                        summary.images,
                        summary.num_bytes,
                    )
                    if same_size and hash_folder(other) == hash_folder(location):
                        return dataset.name, version
        return None

    def name_for(self, file_name: str) -> str:
        """Return an unused name for a new dataset from a file."""
        return free_name(name_of_file(file_name), self.folder)

    def location(self, name: str, version: int) -> Path:
        """Return the folder of a version. Raises ``NotFoundError`` if it does not exist."""
        check_name(name)
        if version not in versions_of(self.folder, name):
            raise NotFoundError(refusals.NO_DATASET, dataset=f"{PREFIX}{name}@{version}")
        return self.folder / name / str(version)

    def relocate(self, name: str, version: int, address: str) -> str:
        """Point a version at copied shards; return the updated version.

        No shard is read. Raises ``NotFoundError`` for an unknown version, ``InvalidDatasetError``
        if the address has other files.
        """
        folder = ObjectFolder.parse(address)
        relocate_version(self.location(name, version), folder, self._cache_dir)
        return folder.place

    def users(self, name: str, version: int | None = None) -> list[str]:
        """Return the saved pipelines and runs that need a dataset or version."""
        versions = versions_of(self.folder, name)
        references = {
            f"{PREFIX}{name}@{number}" for number in versions if version in (None, number)
        }
        if version is None or (versions and versions[-1] == version):
            references.add(f"{PREFIX}{name}")  # means the newest one
        return [user for user, document in self._documents() if _sources(document) & references]

    def delete(self, name: str, version: int | None = None) -> list[int]:
        """Delete a dataset or version; return the deleted versions.

        Raises ``NotFoundError`` if it does not exist, ``InUseError`` if it is needed.
        """
        check_name(name)
        numbers = [number for number in versions_of(self.folder, name) if version in (None, number)]
        reference = f"{PREFIX}{name}" + ("" if version is None else f"@{version}")
        if not numbers:
            raise NotFoundError(refusals.NO_DATASET, dataset=reference)
        users = self.users(name, version)
        if users:
            raise InUseError(refusals.DATASET_IN_USE, reference, users)
        for number in numbers:
            self._remove(self.folder / name / str(number))
        if not any((self.folder / name).iterdir()):
            (self.folder / name).rmdir()
        return numbers

    def pipelines_of(self, name: str, version: int) -> list[PipelineRow]:
        """Return the saved pipelines that import a version, the last changed first."""
        source = f"{PREFIX}{name}@{version}"
        rows = self._pipelines.all()
        return [row for row in rows if source in _sources(self._pipelines.latest(row.id).document)]

    def _remove(self, home: Path) -> None:
        doomed = self.folder / f"{DELETED}{secrets.token_hex(4)}"
        home.rename(doomed)  # the rename removes it at once for all readers
        shutil.rmtree(doomed, ignore_errors=True)

    def _documents(self) -> Iterator[tuple[str, DocumentData]]:
        yield from labelled_documents(self._pipelines, self._published)
        for run_id, document in self._runs.documents():
            yield f"the run {run_id}", document


def _sources(document: DocumentData) -> set[str]:
    reading = (import_images.id, web_service_input.id)
    texts = [
        text.strip()
        for module_id in reading
        for text in parameter_texts(document, module_id, "source")
    ]
    texts += [
        str(parameter["default"]).strip()
        for parameter in document.get("parameters", [])
        if any(bind.endswith(".source") for bind in parameter.get("binds", []))
    ]
    return {
        PREFIX + text.removeprefix(RECORDED) if text.startswith(RECORDED) else text
        for text in texts
    }
