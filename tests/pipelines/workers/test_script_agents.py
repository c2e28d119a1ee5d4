"""What a script on two machines leaves where a process of one is killed: two agents of one here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from modules.catalog import builtin_catalog
from modules.operating_system.process_table import IS_LINUX, all_pids
from modules.operating_system.signals import KILL
from pipelines.events import ProblemData
from pipelines.execution.running_step import PREEMPTIONS
from pipelines.targets.base import StepEnd
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.failures import lost_problem
from pipelines.workers.rank_errors import first_failure
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.workers.agent_steps import ordered
from tests.polling import wait_for

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on nodes with Linux")
MARK = "AGENTS_TEST_MARK"
BEGINS = """\
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
open("logs/" + os.environ["RANK"], "w").close()
time.sleep(600)
"""
"""A script that has started something, on each of its ranks."""


@pytest.fixture
def spec(tmp_path: Path) -> StepSpec:
    origin = builtin_catalog().origin("run_training_script")
    assert origin is not None
    return ordered(
        tmp_path,
        module_id="run_training_script",
        origin=asdict(origin),
        parameters={"typed_script": BEGINS, "model_file": None},
        node_count=2,
        launches=True,
        launcher="pytorch_process",
        variables={MARK: str(tmp_path)},
    )


@pytest.fixture
def agents(spec: StepSpec) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Of two machines, whose ranks have begun."""
    command = [sys.executable, "-m", "pipelines.workers.agent", str(spec.spec_path)]
    started = [
        subprocess.Popen([*command, "--rank-from", "NODE"], env={**os.environ, "NODE": str(node)})
        for node in range(2)
    ]
    try:
        working = spec.attempt_dir / "working"
        wait_for(lambda: len([*working.glob("node-*/logs/*")]) == 2)
        yield started
    finally:
        for item in started:
            item.kill()
            item.wait()


def own_children(pid: int) -> list[int]:
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def marked(spec: StepSpec) -> list[int]:
    """What of the script lives, anywhere."""
    entry, result = f"{MARK}={spec.variables[MARK]}".encode(), []
    for pid in all_pids():
        try:
            if entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                result.append(pid)
        except OSError:
            continue
    return result


def problem(spec: StepSpec) -> ProblemData:
    """What the runner makes of what they have left."""
    files = AgentFiles(spec.attempt_dir)
    ends = files.ends(files.names())
    end = StepEnd(tuple(ends.get(node) for node in range(2)))
    return first_failure(spec) or lost_problem(spec, end.worst)


def host_of(agent: subprocess.Popen[bytes]) -> int:
    return own_children(agent.pid)[0]


def rank_of(agent: subprocess.Popen[bytes]) -> int:
    return own_children(host_of(agent))[0]


@pytest.mark.extended
@pytest.mark.parametrize(
    ("machine", "process", "name", "said"),
    [
        (0, host_of, "ProcessLost", "process was terminated by SIGKILL"),
        (1, host_of, "ProcessLost", "process was terminated by SIGKILL"),
        (1, rank_of, "FailedToEvaluateScript", "Rank 1 was killed by the system"),
    ],
    ids=["first machine", "follower", "rank of the follower"],
)
def test_a_killed_process_ends_the_step_on_both_machines(
    spec: StepSpec,
    agents: list[subprocess.Popen[bytes]],
    machine: int,
    process: Callable[[subprocess.Popen[bytes]], int],
    name: str,
    said: str,
) -> None:
    assert len(marked(spec)) == 4
    os.kill(process(agents[machine]), KILL)
    codes = {agent.wait(60) for agent in agents}
    assert codes != {0}
    assert marked(spec) == []
    assert problem(spec)["name"] == name
    assert said in problem(spec)["message"]


def test_a_machine_that_is_taken_away_counts_as_that_and_not_as_a_failure(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    agents[1].terminate()  # as an engine does that needs it for somebody else
    assert [agent.wait(60) for agent in agents] == [-signal.SIGTERM % 256] * 2
    assert marked(spec) == []
    assert problem(spec)["code"] in PREEMPTIONS
    assert "terminated by SIGTERM" in problem(spec)["message"]
