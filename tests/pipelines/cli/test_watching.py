"""A run as it is told on the terminal while it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.cli.watching import progress_text, watch
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


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"done": 3, "total": 9, "unit": "images"}, "3 / 9 images"),
        ({"done": 3, "total": 9, "unit": "iterations", "epoch": 2, "epochs": 3}, "epoch 2 / 3"),
        (
            {"done": 1.5, "total": 4, "unit": "trials", "epoch": 2, "epochs": 3},
            "trial 2 / 4, epoch 2 / 3",
        ),
        ({"done": 4.0, "total": 4, "unit": "trials"}, "trial 4 / 4"),
    ],
)
def test_progress_as_text(data: dict[str, Any], text: str) -> None:
    assert progress_text(data) == text
