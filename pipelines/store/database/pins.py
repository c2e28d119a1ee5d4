"""Artifacts that nodes of stored documents are pinned to: garbage collection keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Text, cast, func, or_, select

from pipelines.events import UNFINISHED_RUN
from pipelines.store.database.tables import (
    pipeline_revisions,
    pipelines,
    published_versions,
    runs,
    sweeps,
)


def pinned_artifacts(connection: Connection) -> dict[str, list[str]]:
    """Return the names of the pipelines that pin an artifact, by its id.

    Saved pipelines count by their newest and their named versions, even deleted ones, which can be
    restored; also published pipelines, sweeps and runs that have not ended.
    """
    revision = pipeline_revisions.c
    newest = select(revision.pipeline_id, func.max(revision.revision).label("revision"))
    latest = newest.group_by(revision.pipeline_id).subquery()
    is_latest = (revision.pipeline_id == latest.c.pipeline_id) & (
        revision.revision == latest.c.revision
    )
    queries = (
        select(pipelines.c.id, pipelines.c.name, revision.document)
        .join(latest, revision.pipeline_id == latest.c.pipeline_id)
        .join(pipelines, pipelines.c.id == revision.pipeline_id)
        .where(or_(is_latest, revision.name.is_not(None)), _has_pin(revision.document)),
        select(
            published_versions.c.name, published_versions.c.name, published_versions.c.document
        ).where(_has_pin(published_versions.c.document)),
        select(sweeps.c.id, sweeps.c.name, sweeps.c.document).where(_has_pin(sweeps.c.document)),
        select(runs.c.id, runs.c.name, runs.c.document).where(
            runs.c.status.in_(UNFINISHED_RUN), _has_pin(runs.c.document)
        ),
    )
    names: dict[str, list[str]] = {}
    for query in queries:
        for known_id, name, document in connection.execute(query):
            for artifact_id in _pins(document):
                known = names.setdefault(artifact_id, [])
                if (name or known_id) not in known:
                    known.append(name or known_id)
    return names


def _has_pin(document: Column[Any]) -> Any:
    return cast(document, Text).like('%"pin"%')


def _pins(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the artifacts of a document of any version of the format."""
    for part in (document, *(document.get("definitions") or ())):
        for node in part.get("nodes") or ():
            pin = node.get("pin")
            if isinstance(pin, dict) and isinstance(pin.get("artifact"), str):
                yield pin["artifact"]
