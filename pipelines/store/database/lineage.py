"""Relations of a run to others, and where it ran."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from pipelines.events import RunEnvironment
from pipelines.store.database.connections import Database
from pipelines.store.database.history import RunIndex
from pipelines.store.database.tables import events, of_kinds, runs, steps

Tie = tuple[str | None, str | None]
"""Another run's id and the node that relates it to this one."""


@dataclass(frozen=True)
class RunLink:
    """Another run and the related nodes; name and status are None if it was deleted."""

    run_id: str
    name: str | None
    status: str | None
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lineage:
    """Relations of one run, each list newest first."""

    repeats: tuple[RunLink, ...] = ()
    reused_from: tuple[RunLink, ...] = ()
    """Runs whose outputs it reused."""
    repeated_by: tuple[RunLink, ...] = ()
    reused_by: tuple[RunLink, ...] = ()
    """Runs that reused its outputs."""


def lineage_of(database: Database, run_id: str) -> Lineage:
    """Return the relations of a run; none for an unknown id."""
    index = RunIndex(database)
    repeats: list[Tie] = [(row.from_run, None) for row in index.rows([run_id])]
    came_from = select(steps.c.reused_from, steps.c.node).where(steps.c.run_id == run_id)
    went_to = select(steps.c.run_id, steps.c.node).where(steps.c.reused_from == run_id)
    from_run = runs.c.options["from_run"].as_string()
    with database.reading() as connection:
        came = [(row[0], row[1]) for row in connection.execute(came_from)]
        went = [(row[0], row[1]) for row in connection.execute(went_to)]
        repeated = connection.execute(select(runs.c.id).where(from_run == run_id)).scalars().all()
    return Lineage(
        repeats=_links(index, repeats, run_id),
        reused_from=_links(index, came, run_id),
        repeated_by=_links(index, [(other_id, None) for other_id in repeated], run_id),
        reused_by=_links(index, went, run_id),
    )


def environment_of(database: Database, run_id: str) -> RunEnvironment | None:
    """Return the recorded environment of a run's latest start; None if there is none."""
    query = (
        select(events.c.data)
        .where(events.c.run_id == run_id, of_kinds("RunStarted"))
        .order_by(events.c.id.desc())
        .limit(1)
    )
    with database.reading() as connection:
        data = connection.execute(query).scalar()
    environment = (data or {}).get("environment")
    return environment if isinstance(environment, dict) else None


def _links(index: RunIndex, ties: Iterable[Tie], besides: str) -> tuple[RunLink, ...]:
    nodes: dict[str, list[str]] = {}
    for run_id, node in ties:
        if run_id is not None and run_id != besides:
            nodes.setdefault(run_id, []).extend([node] if node else [])
    rows = {row.id: row for row in index.rows(list(nodes))}
    return tuple(
        RunLink(
            run_id,
            rows[run_id].name if run_id in rows else None,
            rows[run_id].status if run_id in rows else None,
            tuple(nodes[run_id]),
        )
        for run_id in sorted(nodes, reverse=True)
    )
