"""Agents that a node keeps ready: steps run in forks, and nothing outlives who holds them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest

from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.processes import descendants
from pipelines.targets.remote import RemoteTarget
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.targets.conftest import spec
from tests.pipelines.targets.process_engine import Processes, ended, target_of
from tests.polling import wait_for

__all__ = ["spec"]
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not IS_LINUX, reason="agents run on machines with Linux"),
]
COMMAND = (sys.executable, "-m", "pipelines.workers.warm_agents")


class Warm(Processes):
    """An engine whose one machine is a process that stays."""

    lease_seconds = 20.0

    def __init__(self, minutes: float = 10.0) -> None:
        super().__init__()
        self.kept = subprocess.Popen(
            (*COMMAND, str(minutes)), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def submit(self, name: str, spec: StepSpec) -> None:
        log = spec.attempt_dir / "agents" / "agent.log"
        request = {"spec": str(spec.spec_path), "rank": 0, "threads": 1, "log": str(log)}
        _opened(self.kept.stdin).write(json.dumps(request).encode() + b"\n")
        _opened(self.kept.stdin).flush()
        self.running[name] = self.kept

    def cancel(self, name: str) -> None:
        """Nothing: agents see it in their folder."""

    def end_of_one(self) -> dict[str, Any]:
        return dict(json.loads(_opened(self.kept.stdout).readline()))

    def end(self) -> None:
        _opened(self.kept.stdin).close()
        assert self.kept.wait(120) == 0
        _opened(self.kept.stdout).close()


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    made = Warm()
    yield made
    made.end()


@pytest.fixture
def target(warm: Warm, tmp_path: Path) -> Iterator[RemoteTarget]:
    made = target_of(warm, tmp_path / "workspace")
    yield made
    made.close()


def test_a_step_runs_in_forks_and_leaves_the_rest_as_it_was(
    warm: Warm, target: RemoteTarget, spec: StepSpec, tmp_path: Path
) -> None:
    for number in range(2):
        node_dir, staging_dir = (tmp_path / f"{item}-{number}" for item in ("node", "staging"))
        node_dir.mkdir()
        staging_dir.mkdir()
        own = replace(spec, node_dir=str(node_dir), staging_dir=str(staging_dir))
        step = target.submit(own, "torch")
        ended(step)
        end = step.poll()
        assert end is not None
        assert (end.ok, end.problem) == (True, None)
        assert warm.end_of_one() == {"spec": str(step.spec.spec_path), "rank": 0, "code": 0}
    assert not descendants(warm.kept.pid)
    assert warm.kept.poll() is None


def test_a_cancelled_step_leaves_nothing_but_what_stays(
    warm: Warm, target: RemoteTarget, spec: StepSpec
) -> None:
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "torch")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    step.cancel()
    ended(step)
    warm.end_of_one()
    assert not descendants(warm.kept.pid)


def test_a_killed_agent_is_told_and_takes_its_host_along(
    warm: Warm, target: RemoteTarget, spec: StepSpec
) -> None:
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "torch")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    facts = step.files.read("node-0.json")
    assert facts is not None
    os.kill(facts["pid"], 9)
    assert warm.end_of_one()["code"] == -9
    wait_for(lambda: not descendants(warm.kept.pid))
    step.cancel()


def test_what_nobody_wants_for_so_long_ends() -> None:
    idle = Warm(minutes=0.001)
    assert idle.kept.wait(120) == 0
    idle.end()


def test_with_who_holds_it_all_of_it_ends(spec: StepSpec, tmp_path: Path) -> None:
    held = Warm()
    target = target_of(held, tmp_path / "workspace")
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "torch")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    family = descendants(held.kept.pid)
    assert family
    held.end()
    wait_for(lambda: not any(item.is_alive for item in family))
    step.cancel()
    target.close()
