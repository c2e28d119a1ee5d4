"""Saved pipelines: create, open, commit, history, delete, restore."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from modules.catalog import Catalog
from modules.schema_reference import DocumentData
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.document_diff import describe
from pipelines.errors import RefusedError
from pipelines.problems import PipelineError
from pipelines.sentences import refusals
from pipelines.store.database.connections import Database
from pipelines.store.database.pipelines import Commit, PipelineRow, PipelineStore, Revision

MAX_VERSION_NAME = 100
_CREATED = "created"


@dataclass(frozen=True)
class RevisionEntry:
    """Revision and its differences from the previous one."""

    revision: int
    created: float
    num_nodes: int
    changes: str
    name: str | None


class SavedPipelines:
    """Pipelines of a workspace; each save is a revision, and none is ever overwritten."""

    def __init__(self, database: Database, catalog: Callable[[], Catalog]) -> None:
        self.store = PipelineStore(database)
        self._catalog = catalog

    def all(self) -> list[PipelineRow]:
        """Return the pipelines, the last changed first."""
        return self.store.all()

    def deleted(self, limit: int = 20) -> list[PipelineRow]:
        """Return those that ``undelete`` can restore, the last deleted first."""
        return self.store.deleted(limit)

    def using_target(self, name: str) -> list[PipelineRow]:
        """Return the pipelines that use a compute target, as their own or for a node."""
        return [row for row in self.all() if name in _targets(self.store.latest(row.id).document)]

    def using_environment(self, references: Collection[str]) -> list[PipelineRow]:
        """Return the pipelines with a node that requests an environment by one of these names."""
        documents = ((row, self.store.latest(row.id).document) for row in self.all())
        return [row for row, document in documents if _environments(document) & {*references}]

    def create(self, document: PipelineDocument) -> Revision:
        """Store a document as a new pipeline with a unique id."""
        return self.store.create(document.to_json())

    def open(self, pipeline_id: str) -> Revision:
        """Return the current pipeline. Raises ``PipelineNotFoundError``."""
        return self.store.latest(pipeline_id)

    def commit(
        self,
        document: PipelineDocument,
        base: int,
        *,
        client: str | None = None,
        seq: int | None = None,
    ) -> Revision:
        """Store an edited document, based on revision ``base``, as the next revision.

        ``client`` names the browser tab and ``seq`` counts its commits: a repeated commit is stored
        once. Raises ``StaleRevisionError`` if another client has saved since.
        """
        commit = Commit(document.to_json(), base, client, seq)
        return self.store.commit(document.id, commit)

    def delete(self, pipeline_id: str) -> None:
        """Delete a pipeline; ``undelete`` restores it with all revisions."""
        self.store.set_deleted(pipeline_id, True)

    def undelete(self, pipeline_id: str) -> Revision:
        """Restore a deleted pipeline."""
        self.store.set_deleted(pipeline_id, False)
        return self.open(pipeline_id)

    def history(self, pipeline_id: str, limit: int = 50) -> list[RevisionEntry]:
        """Return the newest and all named revisions with their changes, newest first."""
        revisions = self.store.revisions(pipeline_id, limit + 1)
        catalog = self._catalog()
        entries = [_entry(new, _changes(old, new, catalog)) for new, old in pairwise(revisions)]
        if len(revisions) <= limit:
            return [*entries, _entry(revisions[-1], _CREATED)]
        last = revisions[-2].revision
        older = [revision for revision in self.store.named(pipeline_id) if revision.revision < last]
        return [*entries, *(self._older_entry(revision, catalog) for revision in older)]

    def _older_entry(self, revision: Revision, catalog: Catalog) -> RevisionEntry:
        before = self.store.before(revision)
        changes = _changes(before, revision, catalog) if before else _CREATED
        return _entry(revision, changes)

    def name_revision(self, pipeline_id: str, number: int, name: str | None) -> None:
        """Name a revision; None or spaces remove the name.

        A named revision is never thinned out. Raises ``PipelineNotFoundError``, ``RefusedError``.
        """
        new_name = (name or "").strip() or None
        if new_name is not None and len(new_name) > MAX_VERSION_NAME:
            raise RefusedError(refusals.NAME_LENGTH, most=MAX_VERSION_NAME)
        self.store.set_name(pipeline_id, number, new_name)

    def revision(self, pipeline_id: str, number: int) -> Revision:
        """Return an earlier revision of the pipeline."""
        return self.store.revision(pipeline_id, number)

    def restore(self, pipeline_id: str, number: int) -> Revision:
        """Make an earlier revision the newest one; those in between stay."""
        earlier = self.store.revision(pipeline_id, number)
        current = self.store.latest(pipeline_id)
        return self.store.commit(pipeline_id, Commit(earlier.document, current.revision))


def _targets(document: DocumentData) -> set[str]:
    """Return every target in a document of any version of the format."""
    settings = [document.get("settings", {}), *_run_settings(document)]
    return {entry["target"] for entry in settings if entry.get("target")}


def _environments(document: DocumentData) -> set[str]:
    return {
        run_setting["environment"]
        for run_setting in _run_settings(document)
        if run_setting.get("environment")
    }


def _run_settings(document: DocumentData) -> Iterator[Mapping[str, Any]]:
    """Yield the run settings of every node, including those in sub-pipelines."""
    parts = [document, *document.get("definitions", [])]
    yield from (node.get("run_settings") or {} for part in parts for node in part.get("nodes", []))


def _entry(revision: Revision, changes: str) -> RevisionEntry:
    return RevisionEntry(
        revision.revision, revision.created, revision.num_nodes, changes, revision.name
    )


def _changes(old: Revision, new: Revision, catalog: Catalog) -> str:
    try:
        return describe(parse_document(old.document), parse_document(new.document), catalog)
    except PipelineError:  # stored by another version of this program
        return "changed in a format that this version cannot read"
