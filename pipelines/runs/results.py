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
from pipelines.events import UNFINISHED_RUN, StepState
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
        texts = self._store.node_summaries(run_ids)
        results = {run_id: self._result(run_id, summaries[run_id], documents) for run_id in run_ids}
        return {
            run_id: replace(result, node_summaries=texts[run_id])
            for run_id, result in results.items()
        }

    def _result(
        self, run_id: str, metrics: Summaries, documents: Mapping[str, DocumentData]
    ) -> RunResults:
        try:
            graph = Graph(expanded(parse_document(documents.get(run_id))), self._runs.catalog)
            order = graph.order
            pins = self._outdated_pins(run_id, graph)
        except (PipelineError, ValidationError):  # by name if the document cannot be read
            order, pins = tuple(sorted(metrics)), ()
        metrics = {node: metrics[node] for node in order if node in metrics}
        curve = main_curve(metrics)
        if curve is None:
            return RunResults(metrics, outdated_pins=pins)
        values = [point.value for point in curve_of(self._runs, run_id, *curve)]
        positions = sampled_positions(values, CURVE_POINTS)
        points = tuple(values[position] for position in positions)
        return RunResults(metrics, points, curve[1], pins)

    def _outdated_pins(self, run_id: str, graph: Graph) -> tuple[str, ...]:
        """Return the titles of pinned nodes with a warning: their settings were others."""
        pinned = [node_id for node_id in graph.active_nodes if graph.nodes[node_id].is_pinned]
        if not pinned:
            return ()
        steps = self._runs.store.state(run_id).steps
        doubted = [node for node in pinned if node in steps and is_outdated_pin(steps[node])]
        return tuple(graph.titles[node] for node in doubted)


def is_outdated_pin(step: StepState) -> bool:
    """Return whether the result of a pinned node may not match its settings."""
    return step.status == "reused" and bool(step.warnings)


def headline_in(row: RunRow) -> Headline | None:
    """Return the run's primary metric, the user's choice or the default."""
    if row.results is None:
        return None
    chosen = chosen_in(row.chosen_headline)
    headline = headline_of(row.results.metrics, chosen, row.results.node_summaries)
    return headline and headline.doubted(row.results.outdated_pins)


def chosen_in(stored: Mapping[str, str] | None) -> HeadlineChoice | None:
    """Return the choice stored with a pipeline."""
    return None if stored is None else HeadlineChoice.model_validate(stored)
