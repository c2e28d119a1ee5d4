"""The index of artifacts: which folder holds the outputs of which key, and what is in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, select, update

from pipelines.events import UNFINISHED_RUN
from pipelines.store.database import Database
from pipelines.store.tables import artifacts, model_versions, runs, steps


@dataclass(frozen=True)
class ArtifactRecord:
    """One executed step's outputs, a folder ``<id>/`` with one folder a port inside."""

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


class ArtifactIndex:
    """The artifacts of one workspace as rows."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, record: ArtifactRecord) -> None:
        with self.database.transaction() as connection:
            connection.execute(insert(artifacts).values(**asdict(record)))

    def get(self, artifact_id: str) -> ArtifactRecord | None:
        query = select(artifacts).where(artifacts.c.id == artifact_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return ArtifactRecord(**row) if row else None

    def of_key(self, key: str) -> list[ArtifactRecord]:
        """What was made under a key and is not known to be damaged, newest first."""
        query = select(artifacts).where(artifacts.c.key == key, ~artifacts.c.damaged)
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(artifacts.c.created.desc())).mappings()
            return [ArtifactRecord(**row) for row in rows]

    def all(self) -> list[ArtifactRecord]:
        """Every artifact, oldest first."""
        with self.database.reading() as connection:
            rows = connection.execute(select(artifacts).order_by(artifacts.c.created)).mappings()
            return [ArtifactRecord(**row) for row in rows]

    def mark_damaged(self, artifact_id: str) -> None:
        self._set(artifact_id, damaged=True)

    def set_fingerprint(self, artifact_id: str, stat_fingerprint: str) -> None:
        """Remember that the files were found intact as they now are."""
        self._set(artifact_id, stat_fingerprint=stat_fingerprint, damaged=False)

    def remove(self, artifact_ids: Sequence[str]) -> None:
        with self.database.transaction() as connection:
            connection.execute(delete(artifacts).where(artifacts.c.id.in_(list(artifact_ids))))

    def in_use(self) -> set[str]:
        """The ids that runs or registered models refer to, not counting what those refer to."""
        of_steps = select(steps.c.artifact_id).where(steps.c.artifact_id.is_not(None))
        of_active = select(artifacts.c.id).join(runs, runs.c.id == artifacts.c.run_id)
        of_active = of_active.where(runs.c.status.in_(UNFINISHED_RUN))
        with self.database.reading() as connection:
            used = set(connection.execute(of_steps).scalars())
            used |= set(connection.execute(of_active).scalars())
            of_models = connection.execute(select(model_versions.c.artifact)).scalars()
            return used | {reference.split("/")[0] for reference in of_models}

    def _set(self, artifact_id: str, **values: object) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                update(artifacts).where(artifacts.c.id == artifact_id).values(**values)
            )
