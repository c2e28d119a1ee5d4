"""Results of runs, computed once when they are first listed after their end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import ValidationError

from modules.schema_reference import DocumentData
from pipelines.document.checks.graph import Graph
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.events import UNFINISHED_RUN
from pipelines.problems import PipelineError
from pipelines.runs.curves import sampled_positions
from pipelines.runs.headline import Headline, HeadlineChoice, headline_of, main_curve
from pipelines.runs.inherited_metrics import curve_of
from pipelines.store.database.history import RunRow
from pipelines.store.database.run_results import RunResults, RunResultStore, Summaries

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService

CURVE_POINTS = 24
"""Number of points of the small chart of a run's curve in a list."""


class ResultsReader:
    """Results of the runs of a workspace."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self._store = RunResultStore(runs.database)

    def completed(self, rows: Sequence[RunRow]) -> list[RunRow]:
        """Return the rows with their runs' results, final or so far."""
        missing = [row for row in rows if row.results is None]
        if not missing:
            return list(rows)
        results = self._worked_out([row.id for row in missing])
        ended = {row.id: row.finished for row in missing if row.status not in UNFINISHED_RUN}
        if ended:
            self._store.keep({run_id: results[run_id] for run_id in ended}, ended)
        return [replace(row, results=row.results or results[row.id]) for row in rows]

    def _worked_out(self, run_ids: Sequence[str]) -> dict[str, RunResults]:
        summaries = self._store.summaries(run_ids)
        documents = self._store.documents(run_ids)
        return {
            run_id: self._result(run_id, self._in_order(summaries[run_id], documents.get(run_id)))
            for run_id in run_ids
        }

    def _result(self, run_id: str, metrics: Summaries) -> RunResults:
        curve = main_curve(metrics)
        if curve is None:
            return RunResults(metrics)
        values = [point.value for point in curve_of(self._runs, run_id, *curve)]
        positions = sampled_positions(values, CURVE_POINTS)
        return RunResults(metrics, tuple(values[position] for position in positions), curve[1])

    def _in_order(self, metrics: Summaries, document: DocumentData | None) -> Summaries:
        """Return the same, parents first; by name if the document cannot be read."""
        try:
            order = Graph(expanded(parse_document(document)), self._runs.catalog).order
        except (PipelineError, ValidationError):
            order = tuple(sorted(metrics))
        return {node: metrics[node] for node in order if node in metrics}


def headline_in(row: RunRow) -> Headline | None:
    """Return the run's primary metric, the user's choice or the default."""
    if row.results is None:
        return None
    return headline_of(row.results.metrics, chosen_in(row.chosen_headline))


def chosen_in(stored: Mapping[str, str] | None) -> HeadlineChoice | None:
    """Return the choice stored with a pipeline."""
    return None if stored is None else HeadlineChoice.model_validate(stored)
