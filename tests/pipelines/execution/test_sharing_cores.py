"""Runs that train at the same time: each has its part of the machine's cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.operating_system.machine import num_cores
from pipelines.events import RunState
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.execution.small_trainings import pictures, trained
from tests.polling import wait_for

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(num_cores() < 2, reason="one core is for one training at a time"),
]


def submitted(runs: RunService, source: str, **settings: Any) -> str:
    return runs.submit(RunRequest(trained(source, epochs=400, patience=400, **settings)))


def is_training(runs: RunService, run_id: str) -> bool:
    progress = runs.store.state(run_id).steps["train"].progress
    return progress is not None and progress.get("epoch", 0) > 0


def thread_count(runs: RunService, run_id: str) -> str | None:
    attempt = runs.workspace.node_dir(run_id, "train") / "attempt-1"
    spec = StepSpec.find(attempt)
    return spec.cores_path.read_text() if spec and spec.cores_path.exists() else None


def ended(runs: RunService, run_id: str) -> RunState:
    runs.cancel(run_id)
    runs.wait_for_end(run_id)
    return runs.store.state(run_id)


def test_two_trainings_share_the_cores_and_one_that_is_left_has_all(
    runs: RunService, tmp_path: Path
) -> None:
    source, other = pictures(tmp_path / "one", "ab", 8), pictures(tmp_path / "two", "ab", 8)
    first = submitted(runs, source)
    wait_for(lambda: is_training(runs, first))
    assert thread_count(runs, first) == str(num_cores())
    second = submitted(runs, other)
    wait_for(lambda: is_training(runs, second))
    assert runs.store.state(first).steps["train"].status == "running"
    half = str(-(-num_cores() // 2))
    assert (thread_count(runs, first), thread_count(runs, second)) == (half, half)
    facts = runs.store.state(second).steps["train"].phases[-1]["facts"]
    assert facts["machine_cores"] == num_cores()
    assert 1 <= facts["cores"] <= num_cores()
    ended(runs, second)
    wait_for(lambda: thread_count(runs, first) == str(num_cores()))
    ended(runs, first)


def test_a_training_whose_bits_are_to_stay_waits_for_all_cores_and_says_so(
    runs: RunService, tmp_path: Path
) -> None:
    source, other = pictures(tmp_path / "one", "ab", 8), pictures(tmp_path / "two", "ab", 8)
    first = submitted(runs, source)
    wait_for(lambda: is_training(runs, first))
    exact = submitted(runs, other, reproducible="on")
    wait_for(lambda: runs.store.state(exact).steps["train"].status == "queued")
    waits = runs.store.state(exact).steps["train"].phases[-1]
    assert (waits["phase"], waits["facts"]["waits_for"]) == ("scaling", "cores")
    ended(runs, first)
    wait_for(lambda: is_training(runs, exact))
    assert thread_count(runs, exact) is None
    assert "running" in {phase["phase"] for phase in ended(runs, exact).steps["train"].phases}
