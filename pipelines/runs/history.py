"""Management of ended runs: find, name, tag, note, clone, repeat, delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import RefusedError, RunNotFoundError
from pipelines.runs.deletion import RunDeletion, delete_run, deletion_plan
from pipelines.runs.headline import Headline, HeadlineChoice
from pipelines.runs.results import ResultsReader, headline_in
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.sentences import refusals
from pipelines.store.database.history import RunFilter, RunIndex, RunPage, RunRow
from pipelines.store.database.pipelines import PipelineStore, Revision
from pipelines.store.database.run_options import root_texts
from pipelines.store.database.runs import RunRecord

MAX_NAME = 200
MAX_NOTE = 20_000
MAX_TAG = 60
MAX_TAGS = 50


class RunEntry(JsonModel):
    """Run in a list; times are seconds since the epoch."""

    run_id: str
    name: str
    experiment: str
    description: str
    pipeline_id: str | None
    pipeline_name: str | None = Field(
        description="Current name of the saved pipeline; if it is not saved, its name in the run."
    )
    status: str
    created: float
    started: float | None
    finished: float | None
    seconds: float | None
    num_nodes: int
    num_done: int
    note: str
    tags: list[str]
    from_run: str | None = Field(description="Run that it repeats, which may have been deleted.")
    headline: Headline | None = Field(description="Primary metric so far; null if there is none.")
    curve: list[float | None] = Field(description="Main curve, in a few points.")


class RunHistory:
    """History of a workspace's runs. Unknown ids raise ``LookupError``."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self.index = RunIndex(runs.database)
        self._results = ResultsReader(runs)

    def search(self, criteria: RunFilter, *, limit: int = 50, offset: int = 0) -> RunPage:
        """Return one page of the matching runs, newest first, and their total number."""
        page = self.index.search(criteria, limit=limit, offset=offset)
        return RunPage(self._results.completed(page.rows), page.total)

    def row(self, run_id: str) -> RunRow:
        """Return a run as shown in a list."""
        rows = self.index.rows([run_id])
        if not rows:
            raise RunNotFoundError(run_id)
        return self._results.completed(rows)[0]

    def choose_headline(self, pipeline_id: str, choice: HeadlineChoice | None) -> None:
        """Set the primary metric for all runs of a saved pipeline; None for the default.

        It is stored in the workspace, not in the document.
        """
        store = PipelineStore(self._runs.database)
        store.set_headline(pipeline_id, None if choice is None else choice.model_dump())

    def tags(self) -> list[str]:
        """Return every tag of a run, the most frequent first."""
        return self.index.tags()

    def rename(self, run_id: str, name: str) -> RunRow:
        """Rename a run. Raises ``ValueError`` for an empty or very long name."""
        text = name.strip()
        if not text or len(text) > MAX_NAME:
            raise RefusedError(refusals.NAME_LENGTH, most=MAX_NAME)
        self.index.set_name(self.row(run_id).id, text)
        return self.row(run_id)

    def note(self, run_id: str, text: str) -> RunRow:
        """Replace the note of a run; an empty one removes it."""
        if len(text) > MAX_NOTE:
            raise RefusedError(refusals.NOTE_LENGTH, most=MAX_NOTE)
        self.index.set_note(self.row(run_id).id, text)
        return self.row(run_id)

    def tag(self, run_id: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> RunRow:
        """Add and remove tags of a run."""
        added, removed = [_tag(tag) for tag in add], [tag.strip() for tag in remove]
        if len({*self.row(run_id).tags, *added} - set(removed)) > MAX_TAGS:
            raise RefusedError(refusals.TOO_MANY_TAGS, most=MAX_TAGS)
        self.index.change_tags(run_id, added, removed)
        return self.row(run_id)

    def deletion_plan(self, run_id: str) -> RunDeletion:
        """Return the effects of deleting a run. Raises ``RunUnderWayError`` before its end."""
        return deletion_plan(self._runs, self.row(run_id).id)

    def delete(self, run_id: str) -> RunDeletion:
        """Delete a run and what only it refers to. Raises ``RunUnderWayError`` before its end."""
        return delete_run(self._runs, self.row(run_id).id)

    def clone(self, run_id: str) -> Revision:
        """Save the submitted pipeline as a new draft."""
        record = self._record(run_id)
        document = parse_document(record.document)
        name = f"{document.name or document.id} (from run {run_id})"[:MAX_NAME]
        copy = document.model_copy(update={"name": name})
        return PipelineStore(self._runs.database).create(copy.to_json())

    def resubmit(
        self,
        run_id: str,
        *,
        from_node: str | None = None,
        document: PipelineDocument | None = None,
        name: str | None = None,
        experiment: str | None = None,
        owner: Mapping[str, Any] | None = None,
        allowed_roots: Sequence[Path] | None = None,
    ) -> str:
        """Submit the same pipeline as a new run; return its id.

        With ``document`` that one is run instead: the same pipeline with a fix. With ``from_node``
        that node and everything downstream are recomputed. It may read what the run was allowed to,
        or below ``allowed_roots``. Raises ``PipelineError`` if the pipeline cannot be run any more.
        """
        record = self._record(run_id)
        options, original = record.options, parse_document(record.document)
        return self._runs.submit(
            RunRequest(
                document.model_copy(update={"id": original.id}) if document else original,
                name=name,
                experiment=experiment or record.experiment,
                to_node=None if from_node else options.to_node,
                owner=owner,
                allowed_roots=root_texts(allowed_roots) or options.allowed_roots,
                description=options.description,
                pipeline_id=options.pipeline_id,
                from_run=run_id,
                forced=(from_node,) if from_node else (),
                target=options.target,
                only=options.only,
            )
        )

    def _record(self, run_id: str) -> RunRecord:
        record = self._runs.store.record(run_id)
        if record is None:
            raise RunNotFoundError(run_id)
        return record


def run_entry(row: RunRow) -> RunEntry:
    """Return a run as commands and the HTTP API list it."""
    return RunEntry.copied(
        row,
        run_id=row.id,
        headline=headline_in(row),
        curve=list(row.results.curve) if row.results else [],
    )


def _tag(text: str) -> str:
    tag = " ".join(text.split())
    if not tag or len(tag) > MAX_TAG or "," in tag:
        raise RefusedError(refusals.NO_TAG, text=text[:80], most=MAX_TAG)
    return tag
