"""Journal of an executor's unwritten decisions, for several runs in one transaction."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from pipelines.events import Event, RunState, apply
from pipelines.store.database.artifacts import ArtifactRecord, enter_contents, insert_artifacts
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import lock_runs
from pipelines.store.database.runs import insert_events

DURABLE_WORK_SECONDS = 1.0
"""Work of this duration must not be repeated after a power failure."""


class Journal:
    """Events that count already and are written together; nothing may follow from them before.

    Only for the sole executor of the runs: the states in memory are ahead of the database.
    """

    def __init__(
        self, database: Database, fence: Callable[[Connection], None] | None = None
    ) -> None:
        """Create a journal; ``fence`` raises in a transaction whose events must not be written."""
        self._database = database
        self._fence = fence
        self._events: dict[str, tuple[RunState, list[Event]]] = {}
        self._artifacts: list[ArtifactRecord] = []
        self._contents: dict[str, str] = {}

    def add(self, run_id: str, state: RunState, *events: Event) -> None:
        """Apply events to the state of their run."""
        for event in events:
            apply(state, event)
            self._events.setdefault(run_id, (state, []))[1].append(event)

    def add_artifact(self, record: ArtifactRecord) -> None:
        """Add an output that is in its final place."""
        self._artifacts.append(record)

    def add_content(self, artifact_id: str, content: str) -> None:
        """Add an output that the object store has."""
        self._contents[artifact_id] = content

    def holds(self, run_id: str) -> bool:
        """Return whether events of a run wait to be written."""
        return run_id in self._events

    @property
    def is_written(self) -> bool:
        return not (self._events or self._artifacts or self._contents)

    def write(self) -> None:
        """Write everything; after a failure all of it waits for the next call."""
        if self.is_written:
            return
        with self._database.transaction(lasting=self._must_last()) as connection:
            if self._fence is not None:
                self._fence(connection)
            lock_runs(connection, self._events)
            insert_artifacts(connection, self._artifacts)
            enter_contents(connection, self._contents)
            for run_id, (state, events) in self._events.items():
                insert_events(connection, run_id, state, events)
        self._events.clear()
        self._artifacts.clear()
        self._contents.clear()

    def _must_last(self) -> bool:
        """Return True for the end of a run or of a long step; progress may be synced later."""
        return any(_is_weighty(event) for _, new in self._events.values() for event in new)


def _is_weighty(event: Event) -> bool:
    if event.kind == "StepFinished":
        return float(event.data.get("seconds", 0.0)) >= DURABLE_WORK_SECONDS
    return event.kind == "RunFinished"
