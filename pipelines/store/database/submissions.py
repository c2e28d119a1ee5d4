"""Submissions of runs that must not happen twice, in the database."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import runs, submissions


@dataclass(frozen=True)
class Submission:
    """A key of a source, and the run that was started for it."""

    source: str
    key: str
    digest: str
    created: float
    run_id: str | None
    holder: Mapping[str, Any] | None


class SubmissionStore:
    """Submissions of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def claim(self, source: str, key: str, digest: str, holder: Mapping[str, Any]) -> bool:
        """Add a submission; return False if the key was used before, by any process."""
        row = {"source": source, "key": key, "digest": digest, "created": time.time()}
        try:
            with self.database.transaction() as connection:
                connection.execute(insert(submissions).values(**row, holder=dict(holder)))
        except IntegrityError:
            return False
        return True

    def get(self, source: str, key: str) -> Submission | None:
        """Return a submission; None if the key was not used."""
        is_it = (submissions.c.source == source, submissions.c.key == key)
        with self.database.reading() as connection:
            row = connection.execute(select(submissions).where(*is_it)).mappings().first()
            return None if row is None else Submission(**row)

    def take_over(self, submission: Submission, holder: Mapping[str, Any]) -> bool:
        """Continue the submission of a process that has ended; False if another one was faster."""
        with self.database.transaction() as connection:
            serialise(connection, "submissions")
            query = select(submissions).where(*_is(submission.source, submission.key))
            row = connection.execute(query).mappings().first()
            if row is None or row["run_id"] is not None or row["holder"] != submission.holder:
                return False
            connection.execute(
                update(submissions)
                .where(*_is(submission.source, submission.key))
                .values(holder=dict(holder))
            )
        return True

    def finish(self, source: str, key: str, run_id: str) -> None:
        """Record the run of a submission."""
        with self.database.transaction() as connection:
            connection.execute(
                update(submissions).where(*_is(source, key)).values(run_id=run_id, holder=None)
            )

    def release(self, source: str, key: str) -> None:
        """Remove a submission that was rejected, so that the key can be used again."""
        with self.database.transaction() as connection:
            connection.execute(delete(submissions).where(*_is(source, key)))

    def run_of(self, mark: str, since: float) -> str | None:
        """Return the run that was created with this mark since a time, though not recorded."""
        query = select(runs.c.id, runs.c.options).where(runs.c.created >= since - 1)
        with self.database.reading() as connection:
            for row in connection.execute(query):
                if (row.options or {}).get("submission") == mark:
                    return str(row.id)
        return None

    def count_since(self, source: str, since: float) -> tuple[int, float]:
        """Return the number of submissions of a source since a time, and when the first was."""
        is_recent = (submissions.c.source == source, submissions.c.created > since)
        query = select(func.count(), func.min(submissions.c.created)).where(*is_recent)
        with self.database.reading() as connection:
            count, first = connection.execute(query).one()
        return int(count), float(first or 0.0)

    def num_unfinished(self, source: str) -> int:
        """Return the number of runs of a source that have not ended."""
        query = (
            select(func.count())
            .select_from(submissions.join(runs, submissions.c.run_id == runs.c.id))
            .where(submissions.c.source == source, runs.c.status.in_(("queued", "running")))
        )
        with self.database.reading() as connection:
            return int(connection.execute(query).scalar() or 0)

    def of_run(self, run_id: str) -> Submission | None:
        """Return the submission that started a run."""
        query = select(submissions).where(submissions.c.run_id == run_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else Submission(**row)


def _is(source: str, key: str) -> tuple[Any, Any]:
    return submissions.c.source == source, submissions.c.key == key
