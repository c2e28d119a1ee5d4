"""Index of artifacts: the folder of each key's outputs, and what is in use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import Connection, delete, func, insert, select, update

from pipelines.events import UNFINISHED_RUN
from pipelines.store.database.connections import Database
from pipelines.store.database.pins import pinned_artifacts
from pipelines.store.database.tables import artifacts, model_versions, models, runs, steps

KEYS_A_QUERY = 500
"""Keys per query, well below the limit of a database's parameters in one statement."""


class RememberedReports(TypedDict, total=False):
    """Summary and metrics reported by the step that produced an artifact."""

    summary: str | None
    metrics: list[list[Any]]
    """Points of curves: name, step number, value and time."""


@dataclass(frozen=True)
class ArtifactRecord:
    """Outputs of one executed step: a folder ``<id>/`` with one folder per port."""

    id: str
    key: str
    run_id: str
    node: str
    created: float
    num_bytes: int
    references: list[str]
    """Ids of the artifacts whose files these need."""
    stat_fingerprint: str
    damaged: bool = False
    remembered: RememberedReports | None = None
    """Kept when the run of the producing step is deleted."""
    content: str | None = None
    """Name in the object store; None: it is only in the workspace's folder."""


class ArtifactIndex:
    """Artifacts of one workspace as rows."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, record: ArtifactRecord) -> None:
        with self.database.transaction() as connection:
            insert_artifacts(connection, [record])

    def get(self, artifact_id: str) -> ArtifactRecord | None:
        query = select(artifacts).where(artifacts.c.id == artifact_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return ArtifactRecord(**row) if row else None

    def of_ids(self, artifact_ids: Collection[str]) -> list[ArtifactRecord]:
        """Return the existing artifacts of these ids."""
        records: list[ArtifactRecord] = []
        ids = list(artifact_ids)
        with self.database.reading() as connection:
            for start in range(0, len(ids), KEYS_A_QUERY):
                some = artifacts.c.id.in_(ids[start : start + KEYS_A_QUERY])
                rows = connection.execute(select(artifacts).where(some)).mappings()
                records += [ArtifactRecord(**row) for row in rows]
        return records

    def of_keys(self, keys: Sequence[str]) -> list[ArtifactRecord]:
        """Return the artifacts of these keys that are not known to be damaged, newest first."""
        records: list[ArtifactRecord] = []
        query = select(artifacts).where(~artifacts.c.damaged).order_by(artifacts.c.created.desc())
        with self.database.reading() as connection:
            for start in range(0, len(keys), KEYS_A_QUERY):
                some = query.where(artifacts.c.key.in_(keys[start : start + KEYS_A_QUERY]))
                records += [ArtifactRecord(**row) for row in connection.execute(some).mappings()]
        return records

    def count_of_key(self, key: str) -> int:
        """Return the number of artifacts of a key, including damaged ones."""
        query = select(func.count()).select_from(artifacts).where(artifacts.c.key == key)
        with self.database.reading() as connection:
            return connection.execute(query).scalar_one()

    def all(self) -> list[ArtifactRecord]:
        """Return every artifact, oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(select(artifacts).order_by(artifacts.c.created)).mappings()
            return [ArtifactRecord(**row) for row in rows]

    def mark_damaged(self, artifact_id: str) -> None:
        self._set(artifact_id, damaged=True)

    def set_fingerprint(self, artifact_id: str, stat_fingerprint: str) -> None:
        """Record the fingerprint with which the files were found intact."""
        self._set(artifact_id, stat_fingerprint=stat_fingerprint, damaged=False)

    def set_content(self, artifact_id: str, content: str | None) -> None:
        """Record the name in the object store, or that no upload is needed."""
        self._set(artifact_id, content=content)

    def unstored(self) -> list[ArtifactRecord]:
        """Return the intact artifacts that are in no object store, oldest first."""
        query = select(artifacts).where(artifacts.c.content.is_(None), ~artifacts.c.damaged)
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(artifacts.c.created)).mappings()
            return [ArtifactRecord(**row) for row in rows]

    def wanted_now(self) -> set[str]:
        """Return the ids that current runs have produced or reused, without their references."""
        of_steps = select(steps.c.artifact_id).join(runs, runs.c.id == steps.c.run_id)
        of_steps = of_steps.where(runs.c.status.in_(UNFINISHED_RUN))
        with self.database.reading() as connection:
            return {
                scalar for scalar in connection.execute(of_steps).scalars() if scalar is not None
            }

    def remove(self, artifact_ids: Sequence[str]) -> None:
        with self.database.transaction() as connection:
            connection.execute(delete(artifacts).where(artifacts.c.id.in_(list(artifact_ids))))

    def made_by(self, run_id: str) -> list[ArtifactRecord]:
        """Return the artifacts produced by the steps of a run, used or not."""
        query = select(artifacts).where(artifacts.c.run_id == run_id)
        with self.database.reading() as connection:
            return [ArtifactRecord(**row) for row in connection.execute(query).mappings()]

    def remember(self, artifact_id: str, facts: RememberedReports) -> None:
        """Keep the reports of the producing step before its run is deleted."""
        self._set(artifact_id, remembered=facts)

    def runs_there(self) -> set[str]:
        """Return the ids of all runs."""
        with self.database.reading() as connection:
            return set(connection.execute(select(runs.c.id)).scalars())

    def in_use(self, *, without_run: str | None = None) -> set[str]:
        """Return the ids that runs, registered models or pinned nodes refer to.

        Without their references. ``without_run`` leaves one run out, as if it were deleted.
        """
        of_steps = select(steps.c.artifact_id).where(steps.c.artifact_id.is_not(None))
        of_active = select(artifacts.c.id).join(runs, runs.c.id == artifacts.c.run_id)
        of_active = of_active.where(runs.c.status.in_(UNFINISHED_RUN))
        if without_run is not None:
            of_steps = of_steps.where(steps.c.run_id != without_run)
        with self.database.reading() as connection:
            used = set(connection.execute(of_steps).scalars())
            used |= set(connection.execute(of_active).scalars())
            used |= pinned_artifacts(connection).keys()
            of_models = connection.execute(select(model_versions.c.artifact)).scalars()
            return used | {reference.split("/")[0] for reference in of_models}

    def users(self, artifact_ids: Collection[str]) -> dict[str, list[str]]:
        """Return the direct references by artifact id: runs, model versions, pinning pipelines."""
        ids = list(artifact_ids)
        of_runs = select(steps.c.artifact_id, steps.c.run_id).where(steps.c.artifact_id.in_(ids))
        of_models = select(model_versions.c.artifact, models.c.name, model_versions.c.version)
        users: dict[str, list[str]] = {}
        with self.database.reading() as connection:
            for artifact_id, run_id in connection.execute(of_runs.distinct()):
                users.setdefault(artifact_id, []).append(run_id)
            for reference, name, version in connection.execute(of_models.join(models)):
                artifact_id = reference.split("/")[0]
                if artifact_id in artifact_ids:
                    users.setdefault(artifact_id, []).append(f"{name}@{version}")
            for artifact_id, names in pinned_artifacts(connection).items():
                if artifact_id in artifact_ids:
                    users.setdefault(artifact_id, []).extend(names)
        return users

    def _set(self, artifact_id: str, **values: object) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                update(artifacts).where(artifacts.c.id == artifact_id).values(**values)
            )


def insert_artifacts(connection: Connection, records: Sequence[ArtifactRecord]) -> None:
    """Insert artifacts within a transaction of the caller."""
    if records:
        connection.execute(_INSERT, [vars(record) for record in records])


def enter_contents(connection: Connection, contents: Mapping[str, str]) -> None:
    """Record names in the object store by artifact, within a transaction of the caller."""
    for artifact_id, content in contents.items():
        row = update(artifacts).where(artifacts.c.id == artifact_id)
        connection.execute(row.values(content=content))


_INSERT = insert(artifacts)
