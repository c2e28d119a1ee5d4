"""A command that its step would refuse is told of before the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.doctor import DoctorCheck, examine
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build

TYPED = {"module": "run_training_script", "typed_script": "print(1)\n"}


def problems(runs: RunService, command: str, **settings: Any) -> list[tuple[str | None, str]]:
    node = {**TYPED, "command": command, "run_settings": {"target": "local", **settings}}
    result = runs.checks.problems(build({}, {"script": node}))
    return [(item.parameter, item.reason) for item in result if "not_allowed" not in item.reason]


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
    result = problems(shared_runs, command, launcher="pytorch_node")
    assert [item for item in result if item[0] == "command"] == []


def test_one_that_cannot_be_read_is_told_of_once(shared_runs: RunService) -> None:
    result = problems(shared_runs, "torchrun 'script.py", launcher="pytorch_node")
    assert [item for item in result if item[0] == "command"] == [("command", "command_unreadable")]


@pytest.mark.parametrize(("settings", "said"), [({}, True), ({"target": "away"}, False)])
def test_without_mpirun_a_script_that_needs_it_is_refused_before_the_run(
    shared_runs: RunService,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: dict[str, Any],
    said: bool,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = problems(shared_runs, "", launcher="mpi", **settings)
    assert (("launcher", "mpirun_missing") in result) is said
    (tmp_path / "mpirun").write_text("#!/bin/sh\necho 'mpirun (Open MPI) 9.9'\n")
    (tmp_path / "mpirun").chmod(0o755)
    assert ("launcher", "mpirun_missing") not in problems(shared_runs, "", launcher="mpi")


def test_doctor_names_mpirun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def mpi_check() -> DoctorCheck:
        return next(item for item in examine(Workspace(tmp_path / "ws")) if item.name == "mpi")

    monkeypatch.setenv("PATH", str(tmp_path))
    assert "openmpi-bin" in mpi_check().cure
    program = tmp_path / "mpirun"
    program.write_text("#!/bin/sh\necho 'mpirun (Open MPI) 9.9'\necho Report bugs\n")
    program.chmod(0o755)
    assert mpi_check().found == f"{program}: mpirun (Open MPI) 9.9"
    program.write_text("#!/bin/sh\nexit 3\n")
    assert "failed" in mpi_check().found
