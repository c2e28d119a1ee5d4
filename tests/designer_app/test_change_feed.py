"""The one look at the database that serves every open stream."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from designer_app import change_feed
from designer_app.change_feed import ChangeCounter
from pipelines.errors import WorkspaceNotWritableError
from pipelines.session import WorkspaceSession
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import Database
from pipelines.store.database.watchdog import Watchdog
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.polling import wait_for


@pytest.fixture
def session(tmp_path: Path) -> Iterator[WorkspaceSession]:
    made = WorkspaceSession(Workspace.at(tmp_path / "workspace").make())
    yield made
    made.close()


@pytest.fixture
def changes(session: WorkspaceSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChangeCounter]:
    monkeypatch.setattr(change_feed, "PAUSE_SECONDS", 0.05)
    made = ChangeCounter(session.runs.database)
    yield made
    made.stop()


def tells_of_a_commit(changes: ChangeCounter, session: WorkspaceSession) -> None:
    seen = changes.value
    session.runs.store.create(document(), ["two"], name="n", experiment="e")
    wait_for(lambda: changes.value > seen)


def test_a_workspace_that_is_put_back_is_followed_as_before(
    changes: ChangeCounter, session: WorkspaceSession
) -> None:
    root = session.workspace.root
    with changes.watching():
        tells_of_a_commit(changes, session)
        seen = changes.value
        root.rename(root.with_name("away"))
        wait_for(lambda: changes.value > seen)  # so that streams look, and are told
        assert not changes.is_stopped
        root.with_name("away").rename(root)
        tells_of_a_commit(changes, session)


def test_a_database_that_cannot_be_opened_at_first_is_followed_later(
    changes: ChangeCounter, session: WorkspaceSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Database] = []

    def opened(database: Database) -> ChangeWatch:
        tries.append(database)
        if len(tries) == 1:
            raise WorkspaceNotWritableError(session.workspace.root, session.workspace.root)
        return ChangeWatch(database)

    monkeypatch.setattr(change_feed, "ChangeWatch", opened)
    with changes.watching():
        wait_for(lambda: len(tries) > 1)
        tells_of_a_commit(changes, session)


def test_the_files_of_a_workspace_that_was_away_are_still_looked_after(
    session: WorkspaceSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.store.database.watchdog.CHECK_INTERVAL_SECONDS", 0.05)
    root, database = session.workspace.root, session.runs.database
    run_id = session.runs.store.create(document(), ["two"], name="n", experiment="e")
    look, looks = database.look, list[float]()

    def counted() -> None:
        looks.append(time.monotonic())
        look()

    monkeypatch.setattr(database, "look", counted)
    watchdog = Watchdog(database)
    root.rename(root.with_name("away"))
    there = len(looks)
    wait_for(lambda: len(looks) > there + 2)
    root.with_name("away").rename(root)
    (root / "designer.db").unlink()
    wait_for((root / "designer.db").exists)
    watchdog.stop()
    assert session.runs.store.record(run_id) is not None
