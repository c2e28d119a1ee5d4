"""Runs opened for a comparison, shared by its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.document_diff import is_same
from pipelines.document.expansion import expanded
from pipelines.document.node_matching import match_nodes
from pipelines.errors import RefusedError, RunNotFoundError
from pipelines.problems import PipelineError
from pipelines.runs.history import RunHistory
from pipelines.sentences import refusals
from pipelines.store.database.pipelines import PipelineStore, Revision

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService

MIN_RUNS, MAX_RUNS = 2, 8


class ComparedRuns:
    """Compared runs, opened once."""

    def __init__(self, runs: RunService, run_ids: Sequence[str]) -> None:
        ids = list(dict.fromkeys(run_ids))
        if not MIN_RUNS <= len(ids) <= MAX_RUNS:
            raise RefusedError(
                refusals.NUMBER_OF_RUNS, count=len(ids), fewest=MIN_RUNS, most=MAX_RUNS
            )
        self.runs = runs
        history = RunHistory(runs)
        self.rows = [history.row(run_id) for run_id in ids]
        self.states = [runs.store.state(run_id) for run_id in ids]
        self.documents = [_document(runs, run_id) for run_id in ids]
        self.matched = match_nodes(self.documents)

    def version_names(self) -> list[str | None]:
        """Return the name of the pipeline version of each run; None if it has none."""
        store = PipelineStore(self.runs.database)
        ids = {row.pipeline_id for row in self.rows if row.pipeline_id}
        named = {pipeline_id: store.named(pipeline_id) for pipeline_id in ids}
        return [
            self._version_name(document, named.get(row.pipeline_id or "", []))
            for row, document in zip(self.rows, self.documents, strict=True)
        ]

    def _version_name(self, document: PipelineDocument, versions: Sequence[Revision]) -> str | None:
        for version in versions:
            try:
                was = expanded(parse_document(version.document))
            except PipelineError:  # stored by another version of this program
                continue
            if is_same(was, document):
                return version.name
        return None

    @property
    def ids(self) -> list[str]:
        return [row.id for row in self.rows]


def _document(runs: RunService, run_id: str) -> PipelineDocument:
    record = runs.store.record(run_id)
    if record is None:
        raise RunNotFoundError(run_id)
    return expanded(parse_document(record.document))
