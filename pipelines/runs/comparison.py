"""Comparison of two to eight runs: parameters, metrics, curves and changes of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from modules.catalog import Catalog
from modules.files.json_files import is_same_json
from modules.json_model import JsonModel
from modules.spec import Module
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.graph_difference import GraphDifference, graph_difference
from pipelines.document.node_matching import MatchedNode, matching_names, renamed
from pipelines.document.node_settings import NodeSettings, settings_of
from pipelines.document.node_titles import setting_title
from pipelines.runs.compared_runs import MIN_RUNS, ComparedRuns
from pipelines.runs.curves import Curves, RunPoint
from pipelines.runs.headline import Headline, best_of, result_value
from pipelines.runs.history import run_entry
from pipelines.runs.inherited_metrics import curves_of
from pipelines.runs.metric_words import higher_is_better, metric_words
from pipelines.runs.prediction_changes import FlipSummary, flip_summaries
from pipelines.runs.results import headline_in

if TYPE_CHECKING:
    from pipelines.events import StepState
    from pipelines.runs.run_service import RunService

MAX_POINTS = 400
"""Limit of points of a curve; extremes are kept."""


class ComparedRun(JsonModel):
    """Compared run; times are seconds since the epoch."""

    run_id: str
    name: str
    experiment: str
    status: str
    created: float
    seconds: float | None
    tags: list[str]
    version: str | None = Field(description="Name of the pipeline's version. Null if it has none.")


class ComparedNode(JsonModel):
    """Node and its id in each of the runs: null if a run has no such node."""

    node: str
    title: str
    module: str
    ids: list[str | None]
    statuses: list[str | None]
    seconds: list[float | None]


class ParameterDifference(JsonModel):
    """Parameter or run setting whose values differ."""

    node: str = Field(description="ID as in `nodes`. Empty for a setting of the pipeline.")
    parameter: str
    title: str
    values: list[JsonValue] = Field(description="Null also if a run does not have the node.")
    is_present: list[bool]


class MetricComparison(JsonModel):
    """Result of a metric in each run, as on its page, and its difference from the first."""

    node: str
    metric: str
    label: str = Field(description="Display name of the metric.")
    higher_is_better: bool | None = Field(description="Null if unknown.")
    values: list[float | None]
    deltas: list[float | None] = Field(description="Difference to the first run that has a value.")
    lowest: list[float | None] = Field(description="Lowest values of the curves.")
    highest: list[float | None]


class CurvePoint(JsonModel):
    step: int
    value: float | None
    seconds: float | None = Field(
        description="Time since the start of the run. Null for reused outputs."
    )


class ComparedCurve(JsonModel):
    """Metric with several steps: the points of each run, for an overlay."""

    node: str
    metric: str
    points: list[list[CurvePoint]]


class Comparison(JsonModel):
    """Two to eight runs side by side.

    Every list with one entry per run is in the order of `runs`.
    """

    runs: list[ComparedRun]
    headlines: list[Headline | None] = Field(description="Headline metric of each run.")
    winner: int | None = Field(
        description="Index of the best run. Null for a tie or different metrics."
    )
    nodes: list[ComparedNode]
    parameters: list[ParameterDifference]
    metrics: list[MetricComparison]
    curves: list[ComparedCurve]
    graphs: list[GraphDifference] = Field(
        description="Differences between each run's graph and that of the first run."
    )
    flips: list[FlipSummary]


def compare(runs: RunService, run_ids: Sequence[str]) -> Comparison:
    """Compare the runs.

    Raises ``RunNotFoundError`` for an unknown one, ``RefusedError`` for one or nine.
    """
    compared = ComparedRuns(runs, run_ids)
    curves = [curves_of(runs, run_id, MAX_POINTS) for run_id in compared.ids]
    fields = ComparedRun.model_fields.keys() - {"version"}
    entries = [run_entry(row) for row in compared.rows]
    versions = compared.version_names()
    headlines = [headline_in(row) for row in compared.rows]
    return Comparison(
        runs=[
            ComparedRun(**{name: getattr(entry, name) for name in fields}, version=version)
            for entry, version in zip(entries, versions, strict=True)
        ],
        headlines=headlines,
        winner=best_of(headlines),
        nodes=[_node(row, compared) for row in compared.matched],
        parameters=list(_parameters(compared)),
        metrics=_headline_first(_metrics(compared, curves), headlines),
        curves=list(_overlaid(compared, curves)),
        graphs=_graphs(compared),
        flips=flip_summaries(compared),
    )


def _node(row: MatchedNode, compared: ComparedRuns) -> ComparedNode:
    steps = [
        state.steps.get(node.id) if node else None
        for node, state in zip(row.nodes, compared.states, strict=True)
    ]
    module = compared.runs.catalog.get(row.any.module)
    return ComparedNode(
        node=row.id,
        title=row.any.title or (module.title if module else row.any.module),
        module=row.any.module,
        ids=[node.id if node else None for node in row.nodes],
        statuses=[_status(node, step) for node, step in zip(row.nodes, steps, strict=True)],
        seconds=[step.seconds if step else None for step in steps],
    )


def _status(node: Node | None, step: StepState | None) -> str | None:
    if step is None or node is None:
        return None
    return "pinned" if node.is_pinned and step.status == "reused" else step.status


def _parameters(compared: ComparedRuns) -> Iterator[ParameterDifference]:
    catalog = compared.runs.catalog
    for row in compared.matched:
        cells = [
            _settings_of(node, document, catalog) if node else None
            for node, document in zip(row.nodes, compared.documents, strict=True)
        ]
        yield from _differing(row.id, cells, catalog.get(row.any.module))
    settings = [document.settings.model_dump() for document in compared.documents]
    yield from _differing("", list(settings), None)


def _settings_of(node: Node, document: PipelineDocument, catalog: Catalog) -> NodeSettings:
    pinned_to = node.pin.run if node.pin and node.is_pinned else None
    facts = {
        "module version": node.version,
        "disabled": node.disabled,
        "pinned to the result of run": pinned_to,
    }
    return {**settings_of(node, catalog.get(node.module), document), **facts}


def _differing(
    node: str, cells: Sequence[NodeSettings | None], module: Module | None
) -> Iterator[ParameterDifference]:
    present = [cell for cell in cells if cell is not None]
    if len(present) < MIN_RUNS:
        return
    for name in dict.fromkeys(name for cell in present for name in cell):
        if not all(is_same_json(cell.get(name), present[0].get(name)) for cell in present):
            yield ParameterDifference(
                node=node,
                parameter=name,
                title=setting_title(name, module),
                values=[cell.get(name) if cell else None for cell in cells],
                is_present=[cell is not None for cell in cells],
            )


def _curve_rows(
    compared: ComparedRuns, curves: Sequence[Curves]
) -> Iterator[tuple[MatchedNode, str, list[list[RunPoint]]]]:
    """Return node, metric, and the points of each run."""
    for row in compared.matched:
        named_curves = [
            by_node.get(node.id, {}) if node else {}
            for node, by_node in zip(row.nodes, curves, strict=True)
        ]
        for name in dict.fromkeys(name for own in named_curves for name in own):
            yield row, name, [own.get(name, []) for own in named_curves]


def _metrics(compared: ComparedRuns, curves: Sequence[Curves]) -> Iterator[MetricComparison]:
    for row, metric, points in _curve_rows(compared, curves):
        values = [
            result_value(run.results.metrics, node.id, metric) if node and run.results else None
            for node, run in zip(row.nodes, compared.rows, strict=True)
        ]
        first = next((value for value in values if value is not None), None)
        defined = [[point.value for point in own if point.value is not None] for own in points]
        yield MetricComparison(
            node=row.id,
            metric=metric,
            label=metric_words(metric),
            higher_is_better=higher_is_better(metric),
            values=values,
            deltas=[None if value is None or first is None else value - first for value in values],
            lowest=[min(own, default=None) for own in defined],
            highest=[max(own, default=None) for own in defined],
        )


def _headline_first(
    metrics: Iterable[MetricComparison], headlines: Sequence[Headline | None]
) -> list[MetricComparison]:
    judged_by = {headline.metric for headline in headlines if headline is not None}
    return sorted(metrics, key=lambda metric: metric.metric not in judged_by)


def _overlaid(compared: ComparedRuns, curves: Sequence[Curves]) -> Iterator[ComparedCurve]:
    for matched, metric, points in _curve_rows(compared, curves):
        if max(map(len, points)) < 2:
            continue
        yield ComparedCurve(
            node=matched.id,
            metric=metric,
            points=[
                [
                    CurvePoint(
                        step=point.step, value=point.value, seconds=_since(row.started, point.time)
                    )
                    for point in own
                ]
                for row, own in zip(compared.rows, points, strict=True)
            ],
        )


def _since(started: float | None, time: float) -> float | None:
    return time - started if started is not None and time >= started else None


def _graphs(compared: ComparedRuns) -> list[GraphDifference]:
    """Return the graphs with nodes named as in the first document that has them."""
    first = compared.documents[0]
    aligned = [
        renamed(document, matching_names(compared.matched, index))
        for index, document in enumerate(compared.documents)
    ]
    return [graph_difference(first, document, compared.runs.catalog) for document in aligned]
