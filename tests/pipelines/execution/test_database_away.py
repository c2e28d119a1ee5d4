"""A PostgreSQL that is away for a while: who executes runs and who waits for them go on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.events import fold
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import postgresql, toy
from tests.pipelines.conftest import build, statuses, value
from tests.pipelines.execution.test_crashes import wait_for

LONG = build(
    {"long": {"a": "two"}, "sum": {"a": "long", "b": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 6.0},
        "sum": {"module": "add"},
    },
)


@pytest.fixture
def server() -> Iterator[postgresql.Server]:
    missing = postgresql.lacks()
    if missing:
        pytest.skip(missing)
    with postgresql.running() as made:
        yield made


def test_a_run_outlives_the_absence_of_its_database(
    tmp_path: Path, server: postgresql.Server, caplog: pytest.LogCaptureFixture
) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    settings = f'database = "{server.database()}"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        runs = session.runs
        run_id = runs.submit(RunRequest(LONG))
        wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
        runner = current_runner(workspace)
        attempt = workspace.node_dir(run_id, "long") / "attempt-1"
        following = runs.follow(run_id)
        next(following)
        server.stop()
        with caplog.at_level(logging.WARNING):
            while not (attempt / "result.json").exists():  # its step ends meanwhile
                assert next(following) == []
            wait_for(lambda: "the steps go on" in workspace.runner_log_path.read_text())
        server.start()
        for _ in following:
            continue
        state = runs.store.state(run_id)
        assert set(statuses(state).values()) == {"completed"}
        assert state == fold(runs.store.events_after(run_id))
        assert state.steps["long"].attempt == 1
        assert value(runs, state, "sum") == 4.0
        assert current_runner(workspace) == runner
        runs.runner.stop()
    assert "does not answer" in caplog.text
    told = workspace.runner_log_path.read_text()
    assert "is back" in told
    assert "Traceback" not in told
    assert "geheim" not in caplog.text + told
