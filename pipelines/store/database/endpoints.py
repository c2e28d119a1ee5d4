"""Deployed endpoints in the database."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from pipelines.store.database.connections import Database
from pipelines.store.database.tables import endpoints


class ProcessReport(TypedDict, total=False):
    """State of an endpoint's process, from its keeper; empty until it is started."""

    state: str
    pid: int | None
    time: float
    crashes: int
    exit_code: int | None


class ChallengerReport(TypedDict):
    """Second version of an endpoint, compared with the first."""

    model: str
    percent: float
    answered: int
    compared: int
    agreement: float | None


class RuntimeReport(TypedDict):
    """Runtime that computes with the served version."""

    name: str
    settled: bool
    """False while other runtimes are compared with it."""
    reason: str | None
    """Reason why torch computes; None if it is the fastest, or another runtime computes."""


class DriftReport(TypedDict):
    """Predicted classes compared with those of the training images."""

    distance: float | None
    """Total variation distance, 0 (same shares) to 1 (no class in common)."""
    verdict: str
    """``unknown``, ``similar`` or ``different``."""
    most: str | None
    """Class whose share differs most."""


class Counters(TypedDict, total=False):
    """Requests of an endpoint since the start of its process."""

    started: float
    requests: int
    errors: int
    pictures: int
    batches: int
    swaps: int
    callers_left: int
    median_seconds: float | None
    p99_seconds: float | None
    labels: dict[str, int]


class EndpointReport(Counters, total=False):
    """State of an endpoint; earlier versions report less."""

    endpoint: str
    follows: str
    model: str | None
    loaded: float | None
    runtime: RuntimeReport | None
    previous: str | None
    ready: bool
    reason: str | None
    last_problem: str | None
    challenger: ChallengerReport | None
    queue: int
    classes: list[str]
    training_labels: Mapping[str, int]
    drift: DriftReport


class ServedReport(EndpointReport, total=False):
    """State of an endpoint and its process."""

    pid: int
    parent: int


@dataclass(frozen=True)
class EndpointRow:
    """Stored endpoint.

    ``settings`` is what the user wants, ``process`` what its keeper reports, ``served`` what the
    endpoint itself reports.
    """

    name: str
    settings: dict[str, Any]
    process: ProcessReport
    served: ServedReport | None
    stopped: bool
    created: float


class EndpointStore:
    """Endpoints of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[EndpointRow]:
        """Return the endpoints by name."""
        with self.database.reading() as connection:
            query = select(endpoints).order_by(endpoints.c.name)
            return [EndpointRow(**row) for row in connection.execute(query).mappings()]

    def get(self, name: str) -> EndpointRow | None:
        with self.database.reading() as connection:
            query = select(endpoints).where(endpoints.c.name == name)
            row = connection.execute(query).mappings().first()
            return None if row is None else EndpointRow(**row)

    def add(self, name: str, settings: Mapping[str, Any]) -> bool:
        """Add an endpoint; return False if the name is used."""
        values = {"settings": dict(settings), "process": {}, "stopped": False}
        try:
            with self.database.transaction() as connection:
                connection.execute(
                    insert(endpoints).values(name=name, created=time.time(), **values)
                )
        except IntegrityError:
            return False
        return True

    def change(self, name: str, **values: Any) -> None:
        """Change columns of an endpoint."""
        with self.database.transaction() as connection:
            connection.execute(update(endpoints).where(endpoints.c.name == name).values(**values))

    def delete(self, name: str) -> None:
        with self.database.transaction() as connection:
            connection.execute(delete(endpoints).where(endpoints.c.name == name))

    def has_wanted(self) -> bool:
        """Return True if an endpoint is to run."""
        with self.database.reading() as connection:
            query = select(exists().where(endpoints.c.stopped.is_(False)))
            return bool(connection.execute(query).scalar())
