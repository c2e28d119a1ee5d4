"""A target with an engine of its own: what it says, what its agents say, and who is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from modules.operating_system.process_table import IS_LINUX
from pipelines.errors import RefusedError
from pipelines.execution.active_run import wait_after_loss
from pipelines.problems import NODE_LOST, TARGET_REFUSED, Problem
from pipelines.sentences import targets as say
from pipelines.targets.agent_step import AgentStep
from pipelines.targets.base import TargetPhase
from pipelines.targets.engine import AccessRefusedError, Job
from pipelines.targets.remote import RemoteTarget, job_name
from pipelines.targets.slurm.target import _job as slurm_job
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.step_spec import STOP, StepSpec
from tests.pipelines.targets.process_engine import Processes, ended, target_of
from tests.polling import wait_for

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on machines with Linux")


class Refusing(Processes):
    def submit(self, name: str, spec: StepSpec) -> None:  # noqa: ARG002
        raise RefusedError(say.NO_SLURM_COMMAND, command="sbatch")

    def cancel(self, name: str) -> None:  # noqa: ARG002
        raise RefusedError(say.NO_SLURM_COMMAND, command="scancel")


@pytest.fixture
def engine() -> Iterator[Processes]:
    made = Processes()
    yield made
    made.end()


@pytest.fixture
def target(engine: Processes, tmp_path: Path) -> Iterator[RemoteTarget]:
    made = target_of(engine, tmp_path / "workspace")
    yield made
    made.close()


def test_a_step_is_submitted_at_once_and_its_agents_tell_how_it_ended(
    target: RemoteTarget, spec: StepSpec
) -> None:
    step = target.submit(spec, "nothing")
    assert step.poll() is None
    ended(step)
    end = step.poll()
    assert end is not None
    assert (end.ok, end.problem, end.was_lost) == (True, None, False)
    phase = step.phase
    assert phase is not None
    assert phase.hosts == (os.uname().nodename,)


def test_a_module_file_that_is_edited_meanwhile_changes_nothing(
    engine: Processes, target: RemoteTarget, spec: StepSpec
) -> None:
    engine.is_away = True
    step = target.submit(spec, "nothing")
    Path(spec.origin["location"]).write_text("broken(")
    engine.is_away = False
    ended(step)
    end = step.poll()
    assert end is not None
    assert end.ok


def test_an_engine_that_is_away_is_told_and_no_verdict(
    engine: Processes, target: RemoteTarget, spec: StepSpec
) -> None:
    engine.is_away = True
    step = target.submit(spec, "nothing")
    wait_for(lambda: step.phase is not None and "response" in step.phase.waits_for)
    assert step.poll() is None
    engine.is_away = False
    ended(step)


REFUSAL = AccessRefusedError(say.NO_SLURM_COMMAND, command="an expired token")
REFUSED = Problem.relayed(TARGET_REFUSED, REFUSAL).to_json()


def test_an_engine_that_lets_nobody_in_any_more_ends_what_waits_there(
    engine: Processes, target: RemoteTarget, spec: StepSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.targets.agent_step.REFUSAL_GRACE_SECONDS", 0.0)
    engine.waiting = Job("waiting", "its turn")
    step = target.submit(spec, "nothing")
    wait_for(lambda: step.phase is not None and step.phase.waits_for == "its turn")
    engine.refusal = REFUSAL
    ended(step)
    end = step.poll()
    assert end is not None
    assert end.problem is not None
    assert (end.problem["name"], end.problem["cure"]) == ("ComputeTargetRefused", REFUSAL.cure)
    assert "an expired token" in end.problem["message"]
    assert engine.cancelled == []
    engine.refusal = None  # who logs in again finds that nothing is left there
    target.submit(replace(spec, attempt=2), "nothing")
    wait_for(lambda: step.name in engine.cancelled)


def test_what_runs_goes_on_with_a_warning_where_its_engine_lets_nobody_in(
    engine: Processes, target: RemoteTarget, spec: StepSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.targets.agent_step.REFUSAL_GRACE_SECONDS", 0.0)
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "nothing")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    engine.refusal = REFUSAL
    wait_for(lambda: bool(step._warnings))
    [said] = map(str, step.new_warnings())
    assert said.startswith(
        "the engine rejects status requests for this step, but the step continues:"
    )
    assert REFUSAL.cure in said
    (Path(spec.node_dir) / STOP).touch()
    ended(step)
    end = step.poll()
    assert end is not None
    assert end.ok
    assert step.new_warnings() == []


def test_a_refusal_of_a_moment_is_no_verdict(spec: StepSpec) -> None:
    spec.write()
    step = AgentStep(spec, "name", "Slurm", lambda _: None, is_submitted=True)
    step.note_refusal(REFUSAL, REFUSED)
    assert step.poll() is None
    assert step.phase is not None
    assert step.phase.waits_for == "a response from Slurm"
    step._refused_since = -1000.0
    step.note(Job("waiting", "its turn"))
    step.note_refusal(REFUSAL, REFUSED)
    assert (step.poll(), step.new_warnings()) == (None, [])


def test_what_an_engine_refuses_is_the_problem(tmp_path: Path, spec: StepSpec) -> None:
    target = target_of(Refusing(), tmp_path / "workspace")
    step = target.submit(spec, "nothing")
    ended(step)
    (tmp_path / "other").mkdir()
    other = target.submit(replace(spec, node_dir=str(tmp_path / "other")), "nothing")
    ended(other)  # what could not be cancelled keeps nobody waiting
    target.close()
    end = step.poll()
    assert end is not None
    assert end.problem is not None
    assert "sbatch" in end.problem["message"]
    assert "over" in AgentFiles(spec.attempt_dir).names(), "it must not begin later"


def test_a_cancelled_step_ends(target: RemoteTarget, spec: StepSpec) -> None:
    step = target.submit(replace(spec, parameters={"seconds": 600.0}), "nothing")
    wait_for(lambda: step.phase is not None and step.phase.name == "running")
    step.cancel()
    ended(step)
    end = step.poll()
    assert end is not None
    assert not end.ok


def test_a_step_is_taken_over_by_its_name(
    engine: Processes, target: RemoteTarget, spec: StepSpec, tmp_path: Path
) -> None:
    long = replace(spec, parameters={"seconds": 3.0})
    first = target.submit(long, "nothing")
    wait_for(lambda: first.phase is not None and first.phase.name == "running")
    target.close()
    successor = target_of(engine, tmp_path / "workspace")
    step = successor.adopt(StepSpec.read(long.spec_path))
    ended(step)
    end = step.poll()
    successor.close()
    assert end is not None
    assert end.ok
    assert len(engine.running) == 1, "it was not begun twice"


def test_a_step_that_is_nowhere_is_lost_and_can_be_begun_again(
    target: RemoteTarget, spec: StepSpec
) -> None:
    spec.write()
    step = target.adopt(spec)
    ended(step)
    end = step.poll()
    assert end is not None
    assert end.was_lost
    assert "over" in AgentFiles(spec.attempt_dir).names(), "it must not begin later"


def test_what_an_engine_knows_of_an_end_counts_where_agents_are_silent(spec: StepSpec) -> None:
    taken = Problem.of(NODE_LOST, say.NODE_TAKEN, state="NODE_FAIL").to_json()
    spec.write()
    step = AgentStep(spec, "name", "Slurm", lambda _: None)
    step._missing_since = -1000.0
    step.note(Job("ended", problem=taken))
    end = step.poll()
    assert end is not None
    assert end.problem == taken


@pytest.mark.parametrize("ends", [(), (0,)])
def test_a_job_that_ends_before_all_machines_reported_has_lost_one(
    spec: StepSpec, ends: tuple[int, ...]
) -> None:
    two = replace(spec, node_count=2, process_count_per_node=1)
    two.write()
    files = AgentFiles(two.attempt_dir)
    step = AgentStep(two, "name", "Slurm", lambda _: None)
    files.create(Order({}))
    files.write("node-0.json", {"host": "m1"})
    for rank in ends:  # the engine has ended its agent
        files.write(f"end-{rank}.json", {"code": 1})
    step.look()
    step._missing_since = -1000.0
    step.note(Job("ended", "Failed"))
    end = step.poll()
    assert end is not None
    assert end.problem is not None
    assert end.problem["name"] == "MachineLost"
    assert "when only 1 of 2 machines had reported: m1." in end.problem["message"]


def test_the_silence_of_a_suspended_job_does_not_count(
    spec: StepSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    for module in ("targets.agent_step", "workers.agent_files"):
        now = SimpleNamespace(monotonic=lambda: clock[0])
        monkeypatch.setattr(f"pipelines.{module}.time", now)
    spec.write()
    files = AgentFiles(spec.attempt_dir)
    files.create(Order({}))
    files.write("node-0.json", {"host": "m1"})
    files.beat(0)
    step = AgentStep(spec, "name", "Slurm", lambda _: None, is_submitted=True)

    def look(seconds: int, state: str) -> None:
        for _ in range(seconds):
            clock[0] += 1.0
            step.note(slurm_job(state, "None"))
            step.look()

    look(1, "RUNNING")
    for state in ("SUSPENDED", "STOPPED"):
        look(60, state)
        assert step.phase == TargetPhase("preparing", "Slurm to resume it", ("m1",))
    look(10, "RUNNING")
    assert (step.poll(), step.phase) == (None, TargetPhase("preparing", hosts=("m1",)))
    look(10, "RUNNING")
    end = step.poll()
    assert end is not None
    assert end.problem is not None
    assert end.problem["name"] == "MachineLost"


def test_each_loss_of_a_machine_lets_a_step_wait_longer_for_it() -> None:
    assert [wait_after_loss(losses) for losses in range(5)] == [10, 30, 90, 270, 300]


def test_names_are_those_that_every_engine_takes(spec: StepSpec) -> None:
    name = job_name(spec)
    assert name == job_name(replace(spec, parameters={}))
    assert name != job_name(replace(spec, attempt=2))
    assert name != job_name(replace(spec, node_dir="/elsewhere"))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
