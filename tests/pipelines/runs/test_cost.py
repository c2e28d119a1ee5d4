"""What a run has cost, from what was told of it and from a run on a target that has a price."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from modules.formatting import format_cost
from pipelines.document.document import PipelineDocument
from pipelines.events import Event
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.runs.cost import cost_of, run_cost
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from pipelines.targets.compute_targets import ComputeTargets
from tests.json_values import as_json
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish, run
from tests.pipelines.execution.runner_processes import host_of
from tests.pipelines.execution.sleeper_run import start

HOUR = 3600.0
STARTED: dict[str, Any] = {"attempt": 1, "price_per_hour": 6.0}


def events_of(*events: tuple[str, str, float, dict[str, Any]]) -> list[Event]:
    return [Event(kind, node, data, hours * HOUR) for kind, node, hours, data in events]


def test_time_in_the_queue_costs_nothing_and_every_attempt_counts() -> None:
    events = events_of(
        ("StepStarted", "train", 0.0, STARTED),
        ("StepPhase", "train", 0.0, {"phase": "scaling", "waits_for": "Priority"}),
        ("StepPhase", "train", 5.0, {"phase": "preparing", "hosts": "m1, m2"}),
        ("StepPhase", "train", 5.5, {"phase": "scaling", "rank": 0}),
        ("StepPhase", "train", 6.0, {"phase": "running", "hosts": "m1, m2"}),
        ("StepQueued", "train", 7.0, {"key": "k"}),
        ("StepStarted", "train", 8.0, {**STARTED, "attempt": 2}),
        ("StepFinished", "train", 9.0, {"artifact_id": "a"}),
        ("StepStarted", "sum", 9.0, {"attempt": 1}),
        ("StepFinished", "sum", 19.0, {"artifact_id": "b"}),
    )
    assert cost_of(events, 100 * HOUR) == pytest.approx(2 * 6.0 + 1 * 6.0)
    paused = events_of(
        ("StepStarted", "train", 0.0, STARTED), ("StepPaused", "train", 1.0, {"epoch": 1})
    )
    assert cost_of(paused, 100 * HOUR) == pytest.approx(6.0)


def test_what_still_runs_counts_until_now_and_no_price_is_no_cost() -> None:
    running = events_of(("StepStarted", "train", 0.0, STARTED))
    assert cost_of(running, 0.5 * HOUR) == pytest.approx(3.0)
    assert cost_of(events_of(("StepStarted", "sum", 0.0, {"attempt": 1})), HOUR) is None
    assert cost_of([], HOUR) is None


def document(seconds: float) -> PipelineDocument:
    away = {"target": "spot"}
    return build(
        {"long": {"a": "two"}},
        {
            "two": {"module": "constant", "value": 2.0},
            "long": {"module": "sleep", "seconds": seconds, "run_settings": away},
        },
    )


def add_target(runs: RunService, **settings: str) -> None:
    """This machine at a price of one a second."""
    ComputeTargets(runs.database).add("spot", "local", {"price_per_hour": "3600", **settings})


def test_a_run_and_the_forecast_of_the_next_say_what_they_cost(runs: RunService) -> None:
    add_target(runs)
    run_id, state = run(runs, document(0.3))
    seconds = state.steps["long"].seconds
    cost = run_cost(runs.store, run_id)
    assert seconds is not None
    assert cost == pytest.approx(seconds)
    assert run_report(runs, run_id).cost == cost
    assert f"cost {format_cost(seconds)}" in designer(runs, "runs", "show", run_id).output
    foreseen = as_json(forecast_run(runs, document(0.4)))
    assert {node["node"]: node["cost"] is None for node in foreseen["nodes"]} == {
        "two": True,
        "long": False,
    }
    assert foreseen["totals"]["cost"] > 0


def test_without_a_price_nothing_is_said_of_costs(runs: RunService) -> None:
    run_id, _ = run(runs, build({}, {"two": {"module": "constant", "value": 2.0}}))
    assert run_report(runs, run_id).cost is None
    assert "cost" not in designer(runs, "runs", "show", run_id).output


def test_a_machine_that_may_be_taken_away_is_followed_by_another_attempt(runs: RunService) -> None:
    add_target(runs, tier="preemptible")
    run_id = start(runs, document(3.0))
    host_of(runs).signal(signal.SIGKILL)
    state = finish(runs, run_id)
    assert (state.status, state.steps["long"].attempt) == ("completed", 2)
    assert "a target with preemptible machines" in state.steps["long"].warnings[0]
