"""A command that its step would refuse is told of before the run."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import build

TYPED = {"module": "run_training_script", "typed_script": "print(1)\n"}


def problems(runs: RunService, command: str, **settings: Any) -> list[tuple[str | None, str]]:
    node = {**TYPED, "command": command, "run_settings": {"target": "local", **settings}}
    found = runs.checks.problems(build({}, {"script": node}))
    return [(each.parameter, each.reason) for each in found if "not_allowed" not in each.reason]


@pytest.mark.parametrize(
    ("command", "settings", "reason"),
    [
        ("mpirun -np 2 python script.py", {}, "second_launcher"),
        ("torchrun script.py", {"launcher": "pytorch_process"}, "node_starter"),
        ("torchrun --nnodes 2 script.py", {"launcher": "pytorch_node"}, "other_counts"),
    ],
)
def test_it_is_refused(
    shared_runs: RunService, command: str, settings: dict[str, Any], reason: str
) -> None:
    assert ("command", reason) in problems(shared_runs, command, **settings)


@pytest.mark.parametrize("command", ["", "python script.py", "torchrun --nproc_per_node 1 x.py"])
def test_others_are_not(shared_runs: RunService, command: str) -> None:
    found = problems(shared_runs, command, launcher="pytorch_node")
    assert [each for each in found if each[0] == "command"] == []


def test_one_that_cannot_be_read_is_told_of_once(shared_runs: RunService) -> None:
    found = problems(shared_runs, "torchrun 'script.py", launcher="pytorch_node")
    assert [each for each in found if each[0] == "command"] == [("command", "command_unreadable")]
