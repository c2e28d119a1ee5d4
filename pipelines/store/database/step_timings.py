"""Durations of earlier steps on this machine, the basis of forecasts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import func, select

from modules.schema_reference import DocumentData
from pipelines.store.database.connections import Database
from pipelines.store.database.tables import events, of_kinds, runs, steps

ModulesOf = Callable[[DocumentData], Mapping[str, str]]
NUM_RUNS = 40
"""Number of newest runs that are read."""


@dataclass(frozen=True)
class PastStep:
    """Completed step."""

    module: str
    seconds: float
    """Time from its start to its output in the store."""
    work: str | None = None
    """Kind of the measured work, in the module's terms; None if it measured none."""
    num_images: int = 0
    work_seconds: float = 0.0
    """Part of ``seconds`` for that number of images."""
    num_opened: int = 0
    opening_seconds: float = 0.0
    """Part before that for reading that number of images once each."""
    busy_share: float = 0.0
    """Share of the cores that other processes used during the work, 0 to 1."""
    run_id: str = ""
    pipeline: str = ""
    node: str = ""


def past_steps(
    database: Database, modules_of: ModulesOf, until: float = math.inf
) -> list[PastStep]:
    """Return the completed steps of the newest runs, the newest run's first.

    Args:
        modules_of: Returns the modules by node of a stored document.
        until: Only steps that had ended at this time, in seconds since the epoch.
    """
    newest = select(runs.c.id, runs.c.document).where(runs.c.created < until)
    newest = newest.order_by(runs.c.created.desc()).limit(NUM_RUNS)
    with database.reading() as connection:
        rows = connection.execute(newest).all()
        ids = [run_id for run_id, _ in rows]
        completed = connection.execute(
            select(steps.c.run_id, steps.c.node, steps.c.finished - steps.c.started).where(
                steps.c.run_id.in_(ids), steps.c.status == "completed", steps.c.finished <= until
            )
        ).all()
        measured = connection.execute(
            select(events.c.run_id, events.c.node, events.c.data)
            .where(events.c.run_id.in_(ids), of_kinds("StepMeasured"))
            .order_by(events.c.id)
        ).all()
    modules = {
        (run_id, node): module
        for run_id, document in rows
        for node, module in modules_of(document).items()
    }
    work = {(run_id, node): data for run_id, node, data in measured}
    pipelines = {run_id: str(document.get("id", "")) for run_id, document in rows}
    return [
        replace(
            _past_step(modules[run_id, node], seconds, work.get((run_id, node))),
            run_id=run_id,
            pipeline=pipelines[run_id],
            node=node,
        )
        for run_id, node, seconds in sorted(completed, key=lambda row: ids.index(row[0]))
        if (run_id, node) in modules and seconds is not None
    ]


def _past_step(module: str, seconds: float, work: dict[str, object] | None) -> PastStep:
    if work is None:
        return PastStep(module, seconds)
    work_seconds = min(seconds, float(str(work["seconds"])))
    opening_seconds = float(str(work.get("opening_seconds", 0.0)))  # older steps lack it
    return PastStep(
        module,
        seconds,
        work=str(work["name"]),
        num_images=int(str(work["num_images"])),
        work_seconds=work_seconds,
        num_opened=int(str(work.get("num_opened", 0))),
        opening_seconds=min(opening_seconds, seconds - work_seconds),
        busy_share=float(str(work.get("busy_share", 0.0))),
    )


def num_starts(database: Database, run_id: str) -> int:
    """Return how often a run started; each resumption starts it again."""
    starts = (events.c.run_id == run_id, of_kinds("RunStarted"))
    with database.reading() as connection:
        return int(connection.execute(select(func.count()).where(*starts)).scalar_one())
