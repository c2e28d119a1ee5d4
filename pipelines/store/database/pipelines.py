"""Saved pipelines and their revisions in the database."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from modules.files.json_files import is_same_json
from modules.schema_reference import DocumentData
from pipelines.errors import PipelineNotFoundError, StaleRevisionError
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import pipeline_revisions, pipelines

INTERMEDIATE_SECONDS = 30.0
"""A revision that its author replaces sooner than this is an intermediate step."""
KEEP_INTERVAL_SECONDS = 300.0
"""Interval at which one revision is kept during continuous editing."""


@dataclass(frozen=True)
class PipelineRow:
    """Saved pipeline as shown in a list; times are seconds since the epoch."""

    id: str
    name: str
    created: float
    revision: int
    updated: float
    num_nodes: int


@dataclass(frozen=True)
class Revision:
    """Earlier state of a pipeline. ``client`` and ``seq`` identify the commit that created it."""

    pipeline_id: str
    revision: int
    document: DocumentData
    created: float
    client: str | None = None
    seq: int | None = None
    num_nodes: int = 0
    name: str | None = None


@dataclass(frozen=True)
class Commit:
    """Incoming document: based on revision ``base``, the ``seq``-th of its client."""

    document: DocumentData
    base: int
    client: str | None = None
    seq: int | None = None


class PipelineStore:
    """Pipelines of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(self, document: DocumentData) -> Revision:
        """Store a document under its id, or with the first free suffix ``-2``, ``-3`` ..."""
        with self.database.transaction() as connection:
            serialise(connection, "pipelines")
            pipeline_id = _free_id(connection, document["id"])
            own = {**document, "id": pipeline_id}
            now = time.time()
            connection.execute(
                insert(pipelines).values(id=pipeline_id, name=own["name"], created=now)
            )
            revision = _revision(pipeline_id, 1, Commit(own, base=0), now)
            connection.execute(insert(pipeline_revisions).values(**vars(revision)))
        return revision

    def all(self) -> list[PipelineRow]:
        """Return the pipelines that are not deleted, the last changed first."""
        query = _rows().where(pipelines.c.deleted.is_(None))
        return self._listed(query.order_by(pipeline_revisions.c.created.desc(), pipelines.c.id))

    def deleted(self, limit: int) -> list[PipelineRow]:
        """Return the deleted pipelines, the last deleted first."""
        query = _rows().where(pipelines.c.deleted.is_not(None))
        newest_first = query.order_by(pipelines.c.deleted.desc(), pipelines.c.id)
        return self._listed(newest_first.limit(limit))

    def _listed(self, query: Select[Any]) -> list[PipelineRow]:
        with self.database.reading() as connection:
            return [PipelineRow(**row) for row in connection.execute(query).mappings()]

    def latest(self, pipeline_id: str) -> Revision:
        """Return the current revision.

        Raises ``PipelineNotFoundError``, also for a deleted pipeline.
        """
        with self.database.reading() as connection:
            return _latest(connection, pipeline_id)

    def revision(self, pipeline_id: str, number: int) -> Revision:
        """Return a revision. Raises ``PipelineNotFoundError``."""
        with self.database.reading() as connection:
            _latest(connection, pipeline_id)
            query = _of(pipeline_id).where(pipeline_revisions.c.revision == number)
            row = connection.execute(query).mappings().first()
        if row is None:
            raise PipelineNotFoundError(pipeline_id, number)
        return Revision(**row)

    def revisions(self, pipeline_id: str, limit: int = 50) -> list[Revision]:
        """Return the newest revisions, newest first."""
        query = _of(pipeline_id).order_by(pipeline_revisions.c.revision.desc()).limit(limit)
        with self.database.reading() as connection:
            _latest(connection, pipeline_id)
            return [Revision(**row) for row in connection.execute(query).mappings()]

    def named(self, pipeline_id: str) -> list[Revision]:
        """Return the named revisions, newest first."""
        query = _of(pipeline_id).where(pipeline_revisions.c.name.is_not(None))
        with self.database.reading() as connection:
            newest_first = query.order_by(pipeline_revisions.c.revision.desc())
            return [Revision(**row) for row in connection.execute(newest_first).mappings()]

    def before(self, revision: Revision) -> Revision | None:
        """Return the preceding revision; None for the first."""
        query = _of(revision.pipeline_id).where(pipeline_revisions.c.revision < revision.revision)
        newest_first = query.order_by(pipeline_revisions.c.revision.desc())
        with self.database.reading() as connection:
            row = connection.execute(newest_first.limit(1)).mappings().first()
        return Revision(**row) if row else None

    def set_name(self, pipeline_id: str, number: int, name: str | None) -> None:
        """Set or remove the name of a revision. Raises ``PipelineNotFoundError``."""
        with self.database.transaction() as connection:
            _lock(connection, pipeline_id)
            _latest(connection, pipeline_id)
            table = pipeline_revisions.c
            it = (table.pipeline_id == pipeline_id, table.revision == number)
            done = connection.execute(update(pipeline_revisions).where(*it).values(name=name))
            if not done.rowcount:
                raise PipelineNotFoundError(pipeline_id, number)

    def commit(self, pipeline_id: str, commit: Commit) -> Revision:
        """Store a document as the next revision and return it.

        A commit that was stored before returns its revision. One based on an older revision is
        accepted if all newer ones are of the same client (which missed the responses); otherwise
        ``StaleRevisionError`` is raised.
        """
        with self.database.transaction() as connection:
            _lock(connection, pipeline_id)
            current = _latest(connection, pipeline_id)
            acknowledged = _acknowledged(connection, current, commit)
            if acknowledged is not None:
                return acknowledged
            if is_same_json(current.document, commit.document):
                return current
            if not _follows(connection, current, commit):
                raise StaleRevisionError(current.revision, current.document)
            if _is_step_on_the_way(connection, current, commit):
                connection.execute(delete(pipeline_revisions).where(*_is(current)))
            revision = _revision(pipeline_id, current.revision + 1, commit, time.time())
            connection.execute(insert(pipeline_revisions).values(**vars(revision)))
            name = commit.document["name"]
            if name != current.document["name"]:
                connection.execute(
                    update(pipelines).where(pipelines.c.id == pipeline_id).values(name=name)
                )
        return revision

    def set_deleted(self, pipeline_id: str, deleted: bool) -> None:
        """Delete or restore a pipeline. Raises ``PipelineNotFoundError``."""
        when = time.time() if deleted else None
        with self.database.transaction() as connection:
            done = connection.execute(
                update(pipelines).where(pipelines.c.id == pipeline_id).values(deleted=when)
            )
            if not done.rowcount:
                raise PipelineNotFoundError(pipeline_id)

    def set_headline(self, pipeline_id: str, headline: dict[str, str] | None) -> None:
        """Set the primary metric and its node; None for the default.

        Raises ``PipelineNotFoundError``.
        """
        is_there = (pipelines.c.id == pipeline_id, pipelines.c.deleted.is_(None))
        with self.database.transaction() as connection:
            done = connection.execute(update(pipelines).where(*is_there).values(headline=headline))
            if not done.rowcount:
                raise PipelineNotFoundError(pipeline_id)


def _rows() -> Select[Any]:
    """Return every pipeline with the data of its newest revision."""
    newest = (
        select(
            pipeline_revisions.c.pipeline_id,
            func.max(pipeline_revisions.c.revision).label("revision"),
        )
        .group_by(pipeline_revisions.c.pipeline_id)
        .subquery()
    )
    return (
        select(
            pipelines.c.id,
            pipelines.c.name,
            pipelines.c.created,
            newest.c.revision,
            pipeline_revisions.c.created.label("updated"),
            pipeline_revisions.c.num_nodes,
        )
        .join(newest, newest.c.pipeline_id == pipelines.c.id)
        .join(
            pipeline_revisions,
            (pipeline_revisions.c.pipeline_id == pipelines.c.id)
            & (pipeline_revisions.c.revision == newest.c.revision),
        )
    )


def _of(pipeline_id: str) -> Select[Any]:
    return select(pipeline_revisions).where(pipeline_revisions.c.pipeline_id == pipeline_id)


def _is(revision: Revision) -> tuple[Any, ...]:
    table = pipeline_revisions.c
    return table.pipeline_id == revision.pipeline_id, table.revision == revision.revision


def _latest(connection: Connection, pipeline_id: str) -> Revision:
    query = (
        _of(pipeline_id)
        .join(pipelines)
        .where(pipelines.c.deleted.is_(None))
        .order_by(pipeline_revisions.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        raise PipelineNotFoundError(pipeline_id)
    return Revision(**row)


def _lock(connection: Connection, pipeline_id: str) -> None:
    """Lock it against other writers; SQLite has one writer."""
    if connection.dialect.name != "sqlite":
        it = select(pipelines.c.id).where(pipelines.c.id == pipeline_id)
        connection.execute(it.with_for_update())


def _free_id(connection: Connection, base: str) -> str:
    query = select(pipelines.c.id).where(pipelines.c.id.startswith(base[:50], autoescape=True))
    ids = set(connection.execute(query).scalars())
    number, free_id = 1, base
    while free_id in ids:
        number += 1
        free_id = f"{base[:50]}-{number}"
    return free_id


def _revision(pipeline_id: str, number: int, commit: Commit, now: float) -> Revision:
    num_nodes = len(commit.document["nodes"])
    return Revision(pipeline_id, number, commit.document, now, commit.client, commit.seq, num_nodes)


def _acknowledged(connection: Connection, current: Revision, commit: Commit) -> Revision | None:
    """Return the newest revision of the same client if it contains this commit or a later one."""
    if commit.client is None or commit.seq is None:
        return None
    if commit.client == current.client:  # the usual case: its commits arrive in order
        return current if (current.seq or 0) >= commit.seq else None
    table = pipeline_revisions.c
    query = _of(current.pipeline_id).where(table.client == commit.client, table.seq >= commit.seq)
    row = connection.execute(query.order_by(table.revision.desc()).limit(1)).mappings().first()
    return Revision(**row) if row else None


def _follows(connection: Connection, current: Revision, commit: Commit) -> bool:
    if commit.base == current.revision:
        return True
    if commit.base > current.revision or commit.client is None:
        return False
    table = pipeline_revisions.c
    authors = select(table.client).where(
        table.pipeline_id == current.pipeline_id, table.revision > commit.base
    )
    return set(connection.execute(authors).scalars()) == {commit.client}


def _is_step_on_the_way(connection: Connection, current: Revision, commit: Commit) -> bool:
    if commit.client is None or current.client != commit.client or current.name is not None:
        return False
    query = select(func.max(pipeline_revisions.c.created)).where(
        pipeline_revisions.c.pipeline_id == current.pipeline_id,
        pipeline_revisions.c.revision < current.revision,
    )
    before = connection.execute(query).scalar()
    age = time.time() - current.created
    is_young = 0 <= age < INTERMEDIATE_SECONDS  # the clock may be set back
    return before is not None and is_young and current.created - before < KEEP_INTERVAL_SECONDS
