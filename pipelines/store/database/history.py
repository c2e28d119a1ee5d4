"""History of runs in the database: search in pages, names, tags, notes, deletion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import RowMapping

from modules.schema_reference import DocumentData
from pipelines.events import SUCCEEDED_STEP, ProblemData
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import lock_runs, serialise
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.run_results import RunResults
from pipelines.store.database.tables import (
    experiments,
    pipelines,
    run_tags,
    runs,
    steps,
    sweep_trials,
)

COLUMNS = (
    runs.c.id,
    runs.c.name,
    runs.c.status,
    runs.c.created,
    runs.c.started,
    runs.c.finished,
    runs.c.problem,
    runs.c.note,
    runs.c.pipeline_id,
    runs.c.options,
    runs.c.results,
    pipelines.c.headline.label("chosen_headline"),
    experiments.c.name.label("experiment"),
    func.coalesce(pipelines.c.name, runs.c.document["name"].as_string()).label("pipeline_name"),
)


@dataclass(frozen=True)
class RunFilter:
    """Search criteria for runs; omitted ones match everything.

    Times are seconds since the epoch.
    """

    text: str = ""
    """Words that must all occur in the id, name, experiment, description, note or a tag."""
    status: tuple[str, ...] = ()
    """Any of these."""
    experiment: str | None = None
    pipeline_id: str | None = None
    tags: tuple[str, ...] = ()
    """All of these."""
    sweep: str | None = None
    """Only runs of the trials of this sweep."""
    since: float | None = None
    until: float | None = None
    """Submitted at or after ``since`` and before ``until``."""


@dataclass(frozen=True)
class RunRow:
    """Run as shown in a list."""

    id: str
    name: str
    experiment: str
    status: str
    created: float
    started: float | None
    finished: float | None
    problem: ProblemData | None
    note: str
    pipeline_id: str | None
    pipeline_name: str | None
    """Current name of the saved pipeline; of an unsaved one the name at submission."""
    options: RunOptions
    results: RunResults | None = None
    """Results; None if they were not computed since it last ended."""
    chosen_headline: dict[str, str] | None = None
    """Node and metric chosen as the pipeline's primary metric."""
    tags: tuple[str, ...] = ()
    num_nodes: int = 0
    num_done: int = 0

    @property
    def description(self) -> str:
        """Return the description given on submission."""
        return self.options.description

    @property
    def from_run(self) -> str | None:
        """Return the run that it repeats, if any, which may be deleted."""
        return self.options.from_run

    @property
    def seconds(self) -> float | None:
        """Return its duration in seconds; None while it runs."""
        if self.started is None or self.finished is None:
            return None
        return self.finished - self.started


@dataclass(frozen=True)
class RunPage:
    """Page of search results, newest first, with the total count."""

    rows: list[RunRow] = field(default_factory=list)
    total: int = 0


class RunIndex:
    """Runs of one workspace as rows of a table."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def search(self, criteria: RunFilter, *, limit: int = 50, offset: int = 0) -> RunPage:
        """Return one page of the matching runs, newest first."""
        conditions = list(_conditions(criteria))
        ordered = _runs().where(*conditions).order_by(runs.c.created.desc(), runs.c.id.desc())
        count = select(func.count()).select_from(runs.join(experiments)).where(*conditions)
        with self.database.reading() as connection:
            total = int(connection.execute(count).scalar_one())
            rows = _rows(connection, ordered.limit(limit).offset(offset))
        return RunPage(rows, total)

    def rows(self, run_ids: Sequence[str]) -> list[RunRow]:
        """Return the existing runs of these ids, in the order of the ids."""
        query = _runs().where(runs.c.id.in_(list(run_ids)))
        with self.database.reading() as connection:
            by_id = {row.id: row for row in _rows(connection, query)}
        return [by_id[run_id] for run_id in run_ids if run_id in by_id]

    def names_of(self, pipeline_id: str | None, experiment: str) -> list[tuple[str, str]]:
        """Return id and name of the runs of a saved pipeline, or an experiment, newest first."""
        query = select(runs.c.id, runs.c.name).join(experiments)
        of_pipeline = runs.c.pipeline_id == pipeline_id
        same = experiments.c.name == experiment if pipeline_id is None else of_pipeline
        ordered = query.where(same).order_by(runs.c.created.desc(), runs.c.id.desc())
        with self.database.reading() as connection:
            return [(row.id, row.name) for row in connection.execute(ordered)]

    def tags(self) -> list[str]:
        """Return every tag of a run, the most frequent first."""
        query = select(run_tags.c.tag).group_by(run_tags.c.tag)
        with self.database.reading() as connection:
            ordered = query.order_by(func.count().desc(), run_tags.c.tag)
            return list(connection.execute(ordered).scalars())

    def set_name(self, run_id: str, name: str) -> None:
        self._set(run_id, name=name)

    def set_note(self, run_id: str, note: str) -> None:
        self._set(run_id, note=note)

    def change_tags(self, run_id: str, add: Iterable[str], remove: Iterable[str]) -> None:
        """Add tags, then remove others; existing and missing ones are no errors."""
        added = set(add)
        changed = [*added, *remove]
        with self.database.transaction() as connection:
            lock_runs(connection, [run_id])
            is_tag = (run_tags.c.run_id == run_id, run_tags.c.tag.in_(changed))
            connection.execute(delete(run_tags).where(*is_tag))
            new = sorted(added - set(remove))
            if new:
                rows = [{"run_id": run_id, "tag": tag} for tag in new]
                connection.execute(insert(run_tags), rows)

    def delete(self, run_id: str) -> bool:
        """Delete a run with its steps, events, metrics and tags; return False if it does not exist.

        An experiment without other runs is deleted too.
        """
        with self.database.transaction() as connection:
            serialise(connection, "experiments")
            done = connection.execute(delete(runs).where(runs.c.id == run_id))
            has_runs = exists().where(runs.c.experiment_id == experiments.c.id)
            connection.execute(delete(experiments).where(~has_runs))
            return bool(done.rowcount)

    def documents(self) -> list[tuple[str, DocumentData]]:
        """Return every run's id and submitted document, oldest first."""
        query = select(runs.c.id, runs.c.document).order_by(runs.c.created)
        with self.database.reading() as connection:
            return [(run_id, document) for run_id, document in connection.execute(query)]

    def _set(self, run_id: str, **values: object) -> None:
        with self.database.transaction() as connection:
            connection.execute(update(runs).where(runs.c.id == run_id).values(**values))


def _runs() -> Select[Any]:
    of_pipeline = pipelines.c.id == runs.c.pipeline_id
    return select(*COLUMNS).join(experiments).outerjoin(pipelines, of_pipeline)


def _conditions(criteria: RunFilter) -> Iterable[ColumnElement[bool]]:
    yield from (_has_word(word) for word in criteria.text.split()[:20])
    if criteria.status:
        yield runs.c.status.in_(criteria.status)
    if criteria.experiment is not None:
        yield experiments.c.name == criteria.experiment
    if criteria.pipeline_id is not None:
        yield runs.c.pipeline_id == criteria.pipeline_id
    for tag in criteria.tags:
        yield exists().where(run_tags.c.run_id == runs.c.id, run_tags.c.tag == tag)
    if criteria.sweep is not None:
        trials = select(sweep_trials.c.run_id).where(sweep_trials.c.sweep == criteria.sweep)
        yield runs.c.id.in_(trials)
    if criteria.since is not None:
        yield runs.c.created >= criteria.since
    if criteria.until is not None:
        yield runs.c.created < criteria.until


def _has_word(word: str) -> ColumnElement[bool]:
    description = runs.c.options["description"].as_string()
    columns = (runs.c.id, runs.c.name, experiments.c.name, description, runs.c.note)
    tagged = exists().where(
        run_tags.c.run_id == runs.c.id, run_tags.c.tag.icontains(word, autoescape=True)
    )
    return or_(*(column.icontains(word, autoescape=True) for column in columns), tagged)


def _rows(connection: Connection, query: Select[Any]) -> list[RunRow]:
    """Return the rows of a query with their tags and the number of their finished nodes."""
    rows = list(connection.execute(query).mappings())
    ids = [row["id"] for row in rows]
    tags: dict[str, list[str]] = {}
    of_tags = select(run_tags).where(run_tags.c.run_id.in_(ids)).order_by(run_tags.c.tag)
    for run_id, tag in connection.execute(of_tags):
        tags.setdefault(run_id, []).append(tag)
    nodes, done = _counts(connection, ids)
    return [
        RunRow(
            **_decoded(row),
            tags=tuple(tags.get(row["id"], ())),
            num_nodes=nodes.get(row["id"], 0),
            num_done=done.get(row["id"], 0),
        )
        for row in rows
    ]


def _decoded(row: RowMapping) -> Mapping[str, Any]:
    results = row["results"] and RunResults.from_json(row["results"])
    return {**row, "options": RunOptions.from_json(row["options"]), "results": results}


def _counts(connection: Connection, ids: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    query = (
        select(steps.c.run_id, steps.c.status, func.count())
        .where(steps.c.run_id.in_(ids))
        .group_by(steps.c.run_id, steps.c.status)
    )
    nodes: dict[str, int] = {}
    done: dict[str, int] = {}
    for run_id, status, count in connection.execute(query):
        nodes[run_id] = nodes.get(run_id, 0) + count
        if status in SUCCEEDED_STEP:
            done[run_id] = done.get(run_id, 0) + count
    return nodes, done
