"""What the app does with saved pipelines: create, open, commit, look back, delete, restore."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from modules.catalog import Catalog
from pipelines.documents.document import PipelineDocument, parse_document
from pipelines.editing.document_diff import describe
from pipelines.errors import RefusedError
from pipelines.problems import PipelineError
from pipelines.sentences import refusals
from pipelines.store.database import Database
from pipelines.store.pipelines import Commit, PipelineRow, PipelineStore, Revision

MAX_VERSION_NAME = 100
_CREATED = "created"


@dataclass(frozen=True)
class HistoryEntry:
    """A revision and what is different from the one before it."""

    revision: int
    created: float
    num_nodes: int
    changes: str
    name: str | None


class SavedPipelines:
    """The pipelines of a workspace; each save is a revision, and none is ever overwritten."""

    def __init__(self, database: Database, catalog: Callable[[], Catalog]) -> None:
        self.store = PipelineStore(database)
        self._catalog = catalog

    def all(self) -> list[PipelineRow]:
        """The one changed last first."""
        return self.store.all()

    def deleted(self, limit: int = 20) -> list[PipelineRow]:
        """Those that ``undelete`` can bring back, the one deleted last first."""
        return self.store.deleted(limit)

    def using_target(self, name: str) -> list[PipelineRow]:
        """The pipelines that ask for a compute target, as their own or for one of their nodes."""
        return [row for row in self.all() if name in _targets(self.store.latest(row.id).document)]

    def using_environment(self, references: Collection[str]) -> list[PipelineRow]:
        """The pipelines of which a node asks for an environment by one of these names."""
        documents = ((row, self.store.latest(row.id).document) for row in self.all())
        return [row for row, document in documents if _environments(document) & {*references}]

    def create(self, document: PipelineDocument) -> Revision:
        """Keep a document as a new pipeline; its id is made unique."""
        return self.store.create(document.to_json())

    def open(self, pipeline_id: str) -> Revision:
        """The pipeline as it is; raises ``PipelineNotFoundError``."""
        return self.store.latest(pipeline_id)

    def commit(
        self,
        document: PipelineDocument,
        base: int,
        *,
        client: str | None = None,
        seq: int | None = None,
    ) -> Revision:
        """Keep an edited document, made from revision ``base``, as the pipeline's next one.

        ``client`` names the browser tab and ``seq`` counts its commits: one that is sent again
        because its answer was lost is kept once. Raises ``StaleRevisionError`` where somebody
        else has saved since.
        """
        commit = Commit(document.to_json(), base, client, seq)
        return self.store.commit(document.id, commit)

    def delete(self, pipeline_id: str) -> None:
        """Take it out of the list; ``undelete`` brings it back with all its revisions."""
        self.store.set_deleted(pipeline_id, True)

    def undelete(self, pipeline_id: str) -> Revision:
        """Bring a deleted pipeline back."""
        self.store.set_deleted(pipeline_id, False)
        return self.open(pipeline_id)

    def history(self, pipeline_id: str, limit: int = 50) -> list[HistoryEntry]:
        """The newest revisions and all that have a name, newest first, and what each changed."""
        found = self.store.revisions(pipeline_id, limit + 1)
        catalog = self._catalog()
        entries = [_entry(new, _changes(old, new, catalog)) for new, old in pairwise(found)]
        if len(found) <= limit:
            return [*entries, _entry(found[-1], _CREATED)]
        last = found[-2].revision
        older = [each for each in self.store.named(pipeline_id) if each.revision < last]
        return [*entries, *(self._older_entry(each, catalog) for each in older)]

    def _older_entry(self, revision: Revision, catalog: Catalog) -> HistoryEntry:
        before = self.store.before(revision)
        changes = _changes(before, revision, catalog) if before else _CREATED
        return _entry(revision, changes)

    def name_revision(self, pipeline_id: str, number: int, name: str | None) -> None:
        """Give a revision a name of its own, kept with it; None or spaces take it away.

        A named revision is never thinned out. Raises ``PipelineNotFoundError``, ``RefusedError``.
        """
        wanted = (name or "").strip() or None
        if wanted is not None and len(wanted) > MAX_VERSION_NAME:
            raise RefusedError(refusals.NAME_LENGTH, most=MAX_VERSION_NAME)
        self.store.set_name(pipeline_id, number, wanted)

    def revision(self, pipeline_id: str, number: int) -> Revision:
        """The pipeline as it was."""
        return self.store.revision(pipeline_id, number)

    def restore(self, pipeline_id: str, number: int) -> Revision:
        """Make an earlier revision the newest one; those in between stay."""
        earlier = self.store.revision(pipeline_id, number)
        current = self.store.latest(pipeline_id)
        return self.store.commit(pipeline_id, Commit(earlier.document, current.revision))


def _targets(document: dict[str, Any]) -> set[str]:
    """Every target that a document names, of whatever version of the format it is."""
    asked = [document.get("settings", {}), *_run_settings(document)]
    return {each["target"] for each in asked if each.get("target")}


def _environments(document: dict[str, Any]) -> set[str]:
    return {
        run_setting["environment"]
        for run_setting in _run_settings(document)
        if run_setting.get("environment")
    }


def _run_settings(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Of every node, also of those inside sub-pipelines."""
    parts = [document, *document.get("definitions", [])]
    yield from (node.get("run_settings") or {} for part in parts for node in part.get("nodes", []))


def _entry(revision: Revision, changes: str) -> HistoryEntry:
    return HistoryEntry(
        revision.revision, revision.created, revision.num_nodes, changes, revision.name
    )


def _changes(old: Revision, new: Revision, catalog: Catalog) -> str:
    try:
        return describe(parse_document(old.document), parse_document(new.document), catalog)
    except PipelineError:  # kept by another version of this program
        return "changed in a format that this version cannot read"
