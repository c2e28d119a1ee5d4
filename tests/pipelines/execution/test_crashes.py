"""Kill -9 of every process of ours: the truth is told, nothing stays alive, runs go on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pipelines.document.document import dump_document
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish, has_finished, statuses, value
from tests.pipelines.execution.runner_processes import family, fork_server_of, host_of
from tests.pipelines.execution.sleeper_run import SLEEPER, start
from tests.polling import wait_for
from tests.workspaces import opened

pytestmark = pytest.mark.extended


def test_a_killed_host_fails_its_step_and_the_run_goes_on_when_resumed(runs: RunService) -> None:
    run_id = start(runs)
    host_of(runs).signal(signal.SIGKILL)
    state = finish(runs, run_id)
    assert statuses(state) == {"two": "completed", "long": "failed", "sum": "skipped"}
    problem = state.steps["long"].problem
    assert problem is not None
    assert problem["name"] == "ProcessLost"
    assert "SIGKILL" in problem["message"]
    runs.resume(run_id)
    state = finish(runs, run_id)
    assert statuses(state) == {"two": "completed", "long": "completed", "sum": "completed"}
    assert value(runs, state, "sum") == 4.0


@pytest.mark.full  # as a killed host; hosts go with a runner below
def test_a_killed_fork_server_takes_its_hosts_along_and_is_replaced(runs: RunService) -> None:
    run_id = start(runs)
    host = host_of(runs)
    fork_server_of(runs).signal(signal.SIGKILL)
    state = finish(runs, run_id)
    assert state.steps["long"].status == "failed"
    wait_for(lambda: not host.is_alive, 5.0)
    runs.resume(run_id)
    assert finish(runs, run_id).status == "completed"


def test_a_run_goes_on_by_itself_after_its_runner_was_killed(runs: RunService) -> None:
    run_id = start(runs)
    runner, others = family(runs)
    assert others
    runner.signal(signal.SIGKILL)
    wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 5.0)
    wait_for(lambda: waits(runs, run_id), 5.0)
    state = runs.store.state(run_id)
    assert statuses(state) == {"two": "completed", "long": "queued", "sum": "not started"}
    assert "The runner ended during attempt 1" in state.steps["long"].warnings[0]
    assert not list(runs.artifacts.root.glob(".*"))
    state = finish(runs, run_id)
    assert (state.status, state.steps["long"].attempt) == ("completed", 2)
    assert value(runs, state, "sum") == 4.0


def waits(runs: RunService, run_id: str) -> bool:
    """Whether who looks, but starts nothing, finds the run waiting for a runner."""
    runs.runner.refresh_without_starting()
    return runs.store.state(run_id).status == "queued"


@pytest.mark.full  # as many tries as below
def test_a_run_that_is_followed_goes_on_after_each_of_three_crashes(runs: RunService) -> None:
    run_id = runs.submit(RunRequest(SLEEPER))
    with ThreadPoolExecutor() as pool:
        state = pool.submit(finish, runs, run_id)
        for attempt in (1, 2, 3):
            wait_for(partial(is_running, runs, run_id, attempt))
            family(runs)[0].signal(signal.SIGKILL)
        assert state.result(120).status == "completed"
    assert runs.store.state(run_id).steps["long"].attempt == 4


def is_running(runs: RunService, run_id: str, attempt: int) -> bool:
    step = runs.store.state(run_id).steps["long"]
    return (step.status, step.attempt) == ("running", attempt)


ASSASSIN = """
import os, signal, psutil
from modules.context import Context
from modules.declare import module
from modules.artifacts import Artifact


class Body(Artifact):
    '''``body.json``: nothing of interest.'''

    colour = "green"


@module(title="Assassin", category="Own", summary="End its runner.", icon="bomb")
def assassin(context: Context) -> Body:
    '''End the runner that it runs under.'''
    os.kill(psutil.Process(os.getppid()).ppid(), signal.SIGKILL)
    signal.pause()
    return Body(context.new_folder())
"""


def test_a_step_that_ends_its_runner_each_time_fails_after_three_more_tries(
    runs: RunService,
) -> None:
    (runs.workspace.modules_dir / "assassin.py").write_text(ASSASSIN, encoding="utf-8")
    state = finish(runs, runs.submit(RunRequest(build({}, {"deadly": {"module": "assassin"}}))))
    assert state.status == "failed"
    assert state.problem is not None
    assert state.problem["name"] == "RunnerLost"
    assert (
        "ended unexpectedly 4 times in this run, most recently during this step"
        in state.problem["message"]
    )
    assert state.steps["deadly"].attempt == 4


def test_a_run_whose_command_has_gone_too_is_cancelled(runs: RunService) -> None:
    gone = {"pid": 2**22 - 1, "started": 1, "boot": "gone"}
    run_id = start(runs)
    record = runs.store.record(run_id)
    assert record is not None
    runs.store.set_options(run_id, replace(record.options, owner=gone))
    family(runs)[0].signal(signal.SIGKILL)
    wait_for(lambda: has_finished(runs, run_id), 10.0)
    state = runs.store.state(run_id)
    assert state.status == "cancelled"
    assert statuses(state) == {"two": "completed", "long": "cancelled", "sum": "cancelled"}


@pytest.mark.full  # as a killed host; all it takes along: below
def test_a_runner_that_is_stopped_by_hand_gives_its_runs_up(runs: RunService) -> None:
    run_id = start(runs)
    assert designer(runs, "runner", "stop").exit_code == 0
    state = runs.store.state(run_id)
    assert statuses(state) == {"two": "completed", "long": "failed", "sum": "cancelled"}
    assert state.problem is not None
    assert state.problem["name"] == "RunnerLost"
    runs.resume(run_id)
    assert finish(runs, run_id).status == "completed"


@pytest.mark.full  # as a run that goes on by itself
def test_a_detached_run_is_followed_to_its_end(runs: RunService) -> None:
    run_id = start(runs)
    family(runs)[0].signal(signal.SIGKILL)
    result = designer(runs, "runs", "follow", run_id)
    assert result.exit_code == 0, result.output
    assert "completed" in result.output


def test_a_finished_step_of_a_dead_runner_is_adopted(runs: RunService) -> None:
    run_id = start(runs)
    runner, others = family(runs)
    runner.signal(signal.SIGSTOP)  # it cannot take the result in
    result = runs.workspace.node_dir(run_id, "long") / "attempt-1" / "result.json"
    wait_for(result.exists)
    runner.signal(signal.SIGKILL)
    wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 5.0)
    runs.runner.refresh()
    state = finish(runs, run_id)
    assert state.status == "completed"
    assert state.steps["long"].attempt == 1


def test_an_output_that_was_moved_and_not_entered_is_adopted(runs: RunService) -> None:
    run_id = start(runs)
    runner, others = family(runs)
    folder = runs.workspace.node_dir(run_id, "long")
    (folder / "checkpoint").mkdir()  # as a training has it
    path = runs.workspace.root / "designer.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as somebody:
        somebody.execute("BEGIN IMMEDIATE")  # and the runner cannot write
        wait_for((folder / "attempt-1" / "result.json").exists)
        wait_for(lambda: not runs.artifacts.staging_dir(run_id, "long", 1).exists())
        runner.signal(signal.SIGKILL)
        wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 5.0)
        assert (folder / "checkpoint").exists(), "what it would go on from"
        somebody.execute("ROLLBACK")
    runs.runner.refresh()
    state = finish(runs, run_id)
    assert (state.status, state.steps["long"].attempt) == ("completed", 1)
    assert value(runs, state, "sum") == 4.0
    assert len(runs.artifacts.index.all()) == 3


CURVE = """
import time
from modules.context import Context
from modules.declare import module
from modules.artifacts import AnyDirectory

@module(title="Curve", category="Arithmetic", summary="Tell a curve.", icon="hash")
def curve(context: Context) -> AnyDirectory:
    \"\"\"Tell a curve of forty points in two seconds, and what comes of it.\"\"\"
    for step in range(40):
        context.metric("loss", 40 - step, step=step)
        time.sleep(0.05)
    context.summary("forty")
    return AnyDirectory.write(context.new_folder())
"""


def test_what_a_step_told_after_its_runner_died_is_read(workspace: Workspace) -> None:
    (workspace.modules_dir / "curve.py").write_text(CURVE, encoding="utf-8")
    with opened(workspace) as runs:
        run_id = runs.submit(RunRequest(build({}, {"long": {"module": "curve"}})))
        wait_for(lambda: len(runs.store.metrics(run_id, "long")) > 2)
        runner, others = family(runs)
        runner.signal(signal.SIGSTOP)  # it reads nothing more
        wait_for((runs.workspace.node_dir(run_id, "long") / "attempt-1" / "result.json").exists)
        assert len(runs.store.metrics(run_id, "long")) < 40
        runner.signal(signal.SIGKILL)
        wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 5.0)
        runs.runner.refresh()
        step = finish(runs, run_id).steps["long"]
        assert (step.status, step.attempt, step.summary) == ("completed", 1, "forty")
        results = [event for batch in runs.follow(run_id) for event in batch]
        steps = [event.data["step"] for event in results if event.kind == "MetricLogged"]
        assert steps == list(range(40)), "each point once"


@pytest.mark.full  # as words of a step that goes on
def test_last_words_that_cannot_be_stored_stop_no_other_run(workspace: Workspace) -> None:
    last = "context._tell('summary', text='\\udcff')"
    odd = CURVE.replace("def curve", "def odd").replace('context.summary("forty")', last)
    (workspace.modules_dir / "odd.py").write_text(odd, encoding="utf-8")
    with opened(workspace) as runs:
        run_id = runs.submit(RunRequest(build({}, {"long": {"module": "odd"}})))
        wait_for(lambda: bool(runs.store.metrics(run_id, "long")))
        runner, others = family(runs)
        runner.signal(signal.SIGSTOP)  # it reads nothing more
        wait_for((runs.workspace.node_dir(run_id, "long") / "attempt-1" / "result.json").exists)
        runner.signal(signal.SIGKILL)
        wait_for(lambda: not any(item.is_alive for item in (runner, *others)), 5.0)
        other = runs.submit(RunRequest(build({}, {"two": {"module": "constant"}})))
        assert finish(runs, other).status == "completed"
        step = finish(runs, run_id).steps["long"]
        assert (step.status, step.attempt, step.summary) == ("completed", 1, None)


def test_a_stopped_runner_takes_everything_along(runs: RunService) -> None:
    start(runs)
    runner, others = family(runs)
    assert runs.runner.stop()
    wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 5.0)
    assert not runs.runner.stop()


def test_a_queued_run_is_taken_up_by_the_next_runner(runs: RunService) -> None:
    document = SLEEPER.to_json()
    run_id = runs.store.create(document, ["two", "long", "sum"], name="n", experiment="e")
    assert current_runner(runs.workspace) is None
    runs.runner.refresh()
    assert finish(runs, run_id).status == "completed"


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        *(
            pytest.param(item, marks=pytest.mark.full)  # it ends in the same way
            for item in (signal.SIGTERM, signal.SIGINT)
        ),
    ],
)
def test_a_run_ends_with_the_command_that_waits_for_it(
    runs: RunService, tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "sleeper.json"
    path.write_text(dump_document(SLEEPER), encoding="utf-8")
    command = [sys.executable, "-m", "pipelines.cli", "run", str(path)]
    command += ["--workspace", str(runs.workspace.root), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_for(lambda: bool(runs.store.newest()))
    run_id = runs.store.newest()[0].id
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    os.kill(process.pid, number)
    process.communicate(timeout=120)
    assert process.returncode != 0
    state = finish(runs, run_id)
    assert statuses(state) == {"two": "completed", "long": "cancelled", "sum": "cancelled"}


def test_the_runner_ends_when_its_workspace_is_gone(runs: RunService, tmp_path: Path) -> None:
    start(runs)
    runner, others = family(runs)
    runs.workspace.root.rename(tmp_path / "moved")
    wait_for(lambda: not any(other.is_alive for other in (runner, *others)), 10.0)
    (tmp_path / "moved").rename(runs.workspace.root)
