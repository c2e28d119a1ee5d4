"""A run as it is told on the terminal while it goes on."""

from __future__ import annotations

import pytest

from pipelines.cli.watching import watch
from pipelines.events import Event
from pipelines.runs.run_service import RunService
from tests.workspaces import store_without_runner


def test_a_watched_step_takes_from_its_start_to_its_end(
    runs: RunService, capsys: pytest.CaptureFixture[str]
) -> None:
    run_id = store_without_runner(runs).create({}, ["two"], name="n", experiment="E")
    done = {"artifact_id": "a", "seconds": 1.0}  # the module's own seconds are fewer
    events = [
        Event("StepStarted", "two", {"attempt": 1}, 100),
        Event("StepFinished", "two", done, 104),
    ]
    over = Event("RunFinished", data={"status": "completed"}, time=105)
    runs.store.append_to(run_id, [Event("RunStarted", time=99), *events, over])
    assert watch(runs, run_id, quiet=False)
    assert capsys.readouterr().err.split("completed")[1].split() == ["two", "in", "4.0", "s"]
