"""Results of runs from their curves: read for many runs at once, stored for ended ones."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Subquery, and_, func, select, update
from sqlalchemy.exc import OperationalError

from modules.schema_reference import DocumentData
from pipelines.errors import DatabaseLockedError
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import lock_runs
from pipelines.store.database.tables import artifacts, metrics, runs, steps

logger = logging.getLogger(__name__)

IDS_A_QUERY = 500
"""Ids per query, well below the limit of a database's parameters in one statement."""


BEST_EPOCH_METRIC = "Valid loss"
"""Metric whose first lowest value marks the epoch whose weights a training keeps."""


class CurveSummary(NamedTuple):
    """Curve as five numbers; all but the count None if every point is NaN."""

    last: float | None
    lowest: float | None
    highest: float | None
    num_points: int
    """Number of points that have a value."""
    kept: float | None = None
    """Value at the epoch whose weights are kept; None if its node logs no validation loss."""


Summaries = dict[str, dict[str, CurveSummary]]
"""By node, then by metric."""


@dataclass(frozen=True)
class RunResults:
    """Results of a run."""

    metrics: Mapping[str, Mapping[str, CurveSummary]] = field(default_factory=dict)
    """By node, parents first, then by metric."""
    curve: Sequence[float | None] = ()
    """The run's most informative curve, thinned for a small chart."""
    curve_metric: str = ""
    outdated_pins: Sequence[str] = ()
    """Titles of pinned nodes whose stored results may not match their settings."""
    node_summaries: Mapping[str, str] = field(default_factory=dict)
    """Summaries of the nodes' outputs."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunResults | None:
        """Return the results in the database; None for those of an earlier version."""
        curves = [numbers for of_node in stored["metrics"].values() for numbers in of_node.values()]
        if "node_summaries" not in stored or any(
            len(numbers) < len(CurveSummary._fields) for numbers in curves
        ):
            return None
        summaries = {
            node: {name: CurveSummary(*numbers) for name, numbers in of_node.items()}
            for node, of_node in stored["metrics"].items()
        }
        pins = tuple(stored.get("outdated_pins", ()))
        curve = tuple(stored["curve"])
        return cls(summaries, curve, stored["curve_metric"], pins, stored["node_summaries"])


class RunResultStore:
    """Results of the runs of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def summaries(self, run_ids: Sequence[str]) -> dict[str, Summaries]:
        """Return every curve of these runs; a reused node has those of the producing step."""
        summaries: dict[str, Summaries] = {run_id: {} for run_id in run_ids}
        with self.database.reading() as connection:
            for run_id, node, name, summary in _summaries(connection, run_ids):
                summaries[run_id].setdefault(node, {})[name] = summary
            for run_id, node, curves in _inherited(connection, run_ids):
                summaries[run_id].setdefault(node, curves)
        return summaries

    def documents(self, run_ids: Sequence[str]) -> dict[str, DocumentData]:
        """Return the submitted documents of these runs."""
        documents: dict[str, DocumentData] = {}
        with self.database.reading() as connection:
            for some in _portions(run_ids):
                query = select(runs.c.id, runs.c.document).where(runs.c.id.in_(some))
                documents |= {row.id: row.document for row in connection.execute(query)}
        return documents

    def node_summaries(self, run_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the summaries of the nodes' outputs by run, then by node."""
        summaries: dict[str, dict[str, str]] = {run_id: {} for run_id in run_ids}
        with self.database.reading() as connection:
            for some in _portions(run_ids):
                query = select(steps.c.run_id, steps.c.node, steps.c.summary)
                query = query.where(steps.c.run_id.in_(some), steps.c.summary.is_not(None))
                for run_id, node, text in connection.execute(query):
                    summaries[run_id][node] = text
        return summaries

    def keep(self, results: Mapping[str, RunResults], ended: Mapping[str, float | None]) -> None:
        """Store the results of ended runs, except those that continue by now.

        If nothing can be written, as on a full disk, they are computed again the next time.
        """
        try:
            with self.database.transaction(lasting=False) as connection:
                lock_runs(connection, results)
                for run_id, result in results.items():
                    same = and_(runs.c.id == run_id, runs.c.finished == ended[run_id])
                    values = {"results": asdict(result)}
                    connection.execute(update(runs).where(same).values(**values))
        except (OperationalError, DatabaseLockedError):
            logger.warning("The results of %d runs could not be saved", len(results), exc_info=True)


def _summaries(
    connection: Connection, run_ids: Iterable[str]
) -> Iterator[tuple[str, str, str, CurveSummary]]:
    """Return run, node and metric of every curve that the runs logged themselves."""
    for some in _portions(run_ids):
        kept = {
            (run_id, node, name): value
            for run_id, node, name, value in connection.execute(_kept_query(some))
        }
        for run_id, node, name, last, *ends in connection.execute(_summary_query(some)):
            lowest, highest, num_points = ends
            value = kept.get((run_id, node, name))
            yield run_id, node, name, CurveSummary(last, lowest, highest, num_points, value)


def _kept_query(run_ids: Sequence[str]) -> Select[Any]:
    """Return run, node, metric and value at the epoch with the lowest validation loss."""
    place = (metrics.c.run_id, metrics.c.node)
    losses = (metrics.c.run_id.in_(run_ids), metrics.c.name == BEST_EPOCH_METRIC)
    lowest = (
        select(*place, func.min(metrics.c.value).label("value"))
        .where(*losses)
        .group_by(*place)
        .subquery()
    )
    epoch = (
        select(*place, func.min(metrics.c.step).label("step"))
        .join(lowest, _same(lowest, "run_id", "node", "value"))
        .where(*losses)
        .group_by(*place)
        .subquery()
    )
    return select(*place, metrics.c.name, metrics.c.value).join(
        epoch, _same(epoch, "run_id", "node", "step")
    )


def _same(other: Subquery, *names: str) -> ColumnElement[bool]:
    return and_(*(getattr(other.c, name) == getattr(metrics.c, name) for name in names))


def _summary_query(run_ids: Sequence[str]) -> Select[Any]:
    curve = (metrics.c.run_id, metrics.c.node, metrics.c.name)
    grouped = (
        select(
            *curve,
            func.max(metrics.c.step).label("step"),
            func.min(metrics.c.value).label("lowest"),
            func.max(metrics.c.value).label("highest"),
            func.count(metrics.c.value).label("num_points"),
        )
        .where(metrics.c.run_id.in_(run_ids))
        .group_by(*curve)
        .subquery()
    )
    same = _same(grouped, "run_id", "node", "name", "step")
    numbers = (metrics.c.value, grouped.c.lowest, grouped.c.highest, grouped.c.num_points)
    return select(*curve, *numbers).join(grouped, same).order_by(*curve)


def _inherited(
    connection: Connection, run_ids: Sequence[str]
) -> Iterator[tuple[str, str, dict[str, CurveSummary]]]:
    """Return run, node and curves of every reused output."""
    reused = [row for some in _portions(run_ids) for row in connection.execute(_reused_query(some))]
    makers = dict.fromkeys(row.maker for row in reused if row.remembered is None)
    curves_of_makers: dict[tuple[str, str], dict[str, CurveSummary]] = {}
    for run_id, node, name, summary in _summaries(connection, makers):
        curves_of_makers.setdefault((run_id, node), {})[name] = summary
    for row in reused:
        if row.remembered is None:
            yield row.run_id, row.node, curves_of_makers.get((row.maker, row.made_at), {})
        else:
            yield row.run_id, row.node, curve_summaries(row.remembered["metrics"])


def _reused_query(run_ids: Sequence[str]) -> Select[Any]:
    maker = (artifacts.c.run_id.label("maker"), artifacts.c.node.label("made_at"))
    return (
        select(steps.c.run_id, steps.c.node, *maker, artifacts.c.remembered)
        .join(artifacts, artifacts.c.id == steps.c.artifact_id)
        .where(steps.c.run_id.in_(run_ids), steps.c.status == "reused")
    )


def curve_summaries(points: Iterable[Sequence[Any]]) -> dict[str, CurveSummary]:
    """Return the summary of curves given point by point: name, step, value and time, by step."""
    curves: dict[str, dict[int, float | None]] = {}
    for name, step, value, _ in points:
        curves.setdefault(name, {})[step] = value
    losses = curves.get(BEST_EPOCH_METRIC, {})
    measured = [(loss, step) for step, loss in losses.items() if loss is not None]
    epoch = min(measured)[1] if measured else None
    return {name: _summary(values, epoch) for name, values in curves.items()}


def _summary(curve: Mapping[int, float | None], epoch: int | None) -> CurveSummary:
    values = list(curve.values())
    numbers = [value for value in values if value is not None]
    return CurveSummary(
        values[-1],
        min(numbers, default=None),
        max(numbers, default=None),
        len(numbers),
        None if epoch is None else curve.get(epoch),
    )


def _portions(run_ids: Iterable[str]) -> Iterator[Sequence[str]]:
    ids = list(run_ids)
    for start in range(0, len(ids), IDS_A_QUERY):
        yield ids[start : start + IDS_A_QUERY]
