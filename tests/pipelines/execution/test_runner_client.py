"""The runner as others see it, in moments that come seldom."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from pipelines.errors import WorkspaceGoneError
from pipelines.events import Event
from pipelines.execution import runner_client
from pipelines.execution.runner_lock import current_runner
from pipelines.execution.runner_process import launch_runner
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build
from tests.polling import wait_for
from tests.workspaces import opened

pytestmark = pytest.mark.own_runner


def test_a_workspace_that_goes_while_its_runner_starts_is_said_to_be_gone(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start_too_late(gone: Workspace, *, warm: bool) -> None:
        shutil.rmtree(gone.root)
        launch_runner(gone, warm=warm)

    document = build({}, {"one": {"module": "constant"}})
    with opened(workspace) as runs:
        runs.store.create(document.to_json(), ["one"], name="", experiment="")
        monkeypatch.setattr(runner_client, "launch_runner", start_too_late)
        with pytest.raises(WorkspaceGoneError):
            runs.runner.refresh()
    workspace.make()


def test_a_runner_without_a_run_leaves_the_cores_to_others(workspace: Workspace) -> None:
    with opened(workspace) as runs:
        runs.runner.ensure()
        info = current_runner(workspace)
        assert info is not None
        runner = psutil.Process(info.pid)
        wait_for(lambda: _has_loaded(runner))  # and has said so, which is heard once
        before, started = runner.cpu_times(), time.monotonic()
        time.sleep(2)
        after, seconds = runner.cpu_times(), time.monotonic() - started
        used = after.user + after.system - before.user - before.system
        assert used < 0.15 * seconds, "it goes round without a rest"


ENDING = """
import signal, sys, time
from pathlib import Path
from modules.operating_system.signals import GIVE_UP
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.workspace import Workspace

workspace = Workspace.at(sys.argv[1])
lock = try_lock(workspace.runner_lock_path)
stops = {signal.SIGTERM, GIVE_UP}
signal.pthread_sigmask(signal.SIG_BLOCK, stops)
announce(workspace)
signal.sigwait(stops)
time.sleep(0.3)  # as a runner that ends its steps
Path(sys.argv[2]).touch()
"""
"""A process that holds the runner's lock, and has something to do before it ends."""


@contextmanager
def ending(workspace: Workspace, path: Path) -> Iterator[None]:
    """Such a process, which creates the file as it ends."""
    command = [sys.executable, "-c", ENDING, str(workspace.root), str(path)]
    process = subprocess.Popen(command)
    try:
        wait_for(lambda: current_runner(workspace) is not None)
        yield
    finally:
        process.kill()
        process.wait()


def test_a_runner_that_is_stopped_has_time_to_end(tmp_path: Path) -> None:
    workspace, path = Workspace.at(tmp_path / "workspace").make(), tmp_path / "has-ended"
    with opened(workspace) as runs, ending(workspace, path):
        assert runs.runner.stop()
        assert path.exists()
        assert not runs.runner.stop(), "there is none any more"


@pytest.mark.parametrize("for_good", [False, True])
def test_runs_of_a_stopped_runner_fail_only_if_it_is_stopped_for_good(
    tmp_path: Path, for_good: bool
) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    with opened(workspace) as runs, ending(workspace, tmp_path / "has-ended"):
        run_id = runs.store.create({}, ["a"], name="n", experiment="e")
        begun = [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})]
        runs.store.append_to(run_id, begun)
        assert runs.runner.stop(for_good=for_good)
        assert runs.store.state(run_id).status == ("failed" if for_good else "running")


IDLE = """
import sys, threading
from sqlalchemy import event
from pipelines.execution.runner import Runner
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.workspace import Workspace

workspace = Workspace.at(sys.argv[1])
lock = try_lock(workspace.runner_lock_path)
announce(workspace)
runner, statements = Runner(workspace), []
engine = runner.database.engine
event.listen(engine, "before_cursor_execute", lambda *facts: statements.append(facts[2]))
threading.Timer(1.5, lambda: setattr(runner, "stopping", True)).start()
runner.serve()
print(sum("FROM runs" in text and "cancel_requested" in text for text in statements))
"""
"""A runner that nobody asks for anything; it prints how often it has read the requests."""


def test_an_idle_runner_reads_the_requests_only_after_a_commit(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    command = [sys.executable, "-c", IDLE, str(workspace.root)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 1 <= int(output) <= 3, "and not twenty times a second"


def _has_loaded(runner: psutil.Process) -> bool:
    """Whether the fork server that it starts automatically is idle."""
    children = runner.children()
    fork_servers = [child for child in children if "fork_server" in " ".join(child.cmdline())]
    if not fork_servers:
        return False
    before = fork_servers[0].cpu_times()
    time.sleep(0.5)
    return before.user > 0.1 and fork_servers[0].cpu_times() == before
