"""Keepers hold a machine for one step, start its agent there, and leave nothing behind."""

from __future__ import annotations

import getpass
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.processes import ProcessIdentity
from pipelines.workers import agent_launch
from pipelines.workers.agent_files import AgentFiles, Lease, Order, end_agents
from pipelines.workers.machine_lock import MachineLock, own_folder
from pipelines.workers.node_facts import folder_lack, software
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.workers.agent_steps import host_of, sleeping, spec
from tests.polling import wait_for

__all__ = ["spec"]
pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on machines with Linux")


BEGINS_SLOWLY = """
import os, sys, time
while "pipelines.workers.agent" in sys.orig_argv and not os.path.exists({go!r}):
    time.sleep(0.05)
"""


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks of other tests on this machine are not to be met."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)


@pytest.fixture
def keepers() -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for item in started:
        item.terminate()
        item.wait(120)


def keeper(spec: StepSpec, rank: int = 0) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pipelines.workers.agent_keeper"]
    return subprocess.Popen([*command, str(spec.spec_path), str(rank)])


def launch(word: str, spec: StepSpec, *more: str) -> dict[str, object]:
    command = [sys.executable, "-m", "pipelines.workers.agent_launch", word, str(spec.spec_path)]
    done = subprocess.run([*command, *more], capture_output=True, check=True, timeout=120)
    return dict(json.loads(done.stdout))


def queued(spec: StepSpec, *hosts: str, lease_seconds: float = 0.0) -> StepSpec:
    files = AgentFiles(spec.attempt_dir)
    files.create(Order(software(), workspace=str(spec.attempt_dir), lease_seconds=lease_seconds))
    files.write("machines.json", {"hosts": list(hosts)})
    return spec


def ends(spec: StepSpec) -> dict[int, int | None]:
    files = AgentFiles(spec.attempt_dir)
    return files.ends(files.names())


def test_a_launched_step_outlives_the_connection_and_is_ended_by_its_name(spec: StepSpec) -> None:
    long = queued(sleeping(spec), "m1")
    assert launch("look", long) == {"is_free": True}
    launch("start", long, "0")
    wait_for(lambda: long.events_path(0).exists())
    assert launch("look", long) == {"is_free": False}
    other = replace(long, attempt=2)
    launch("end", other)  # it holds nothing
    assert ends(long) == {}
    launch("end", long)
    wait_for(lambda: ends(long) != {})
    assert ends(long)[0] != 0
    wait_for(lambda: launch("look", long) == {"is_free": True})


SYSTEMD_RUN = """\
#!/bin/sh
while [ "${{1#--}}" != "$1" ]; do shift; done
[ "$1" = true ] || touch {folder}/in-a-scope
exec "$@"
"""


@pytest.mark.parametrize("lingers", [False, True])
def test_only_the_scopes_of_a_user_who_lingers_are_used(
    spec: StepSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lingers: bool
) -> None:
    systemd_run = tmp_path / "systemd-run"
    systemd_run.write_text(SYSTEMD_RUN.format(folder=tmp_path))
    systemd_run.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(agent_launch, "LINGERING", tmp_path / "linger")
    (tmp_path / "linger").mkdir()
    if lingers:
        (tmp_path / "linger" / getpass.getuser()).touch()
    agent_launch.start(queued(spec, "m1").spec_path, 0)
    wait_for(lambda: ends(spec) == {0: 0})
    assert (tmp_path / "in-a-scope").exists() == lingers


def test_a_machine_runs_one_step_at_a_time(
    spec: StepSpec, keepers: list[subprocess.Popen[bytes]]
) -> None:
    queued(spec, "m1")
    with MachineLock() as machine:
        assert machine.take(Path("another"))
        keepers.append(keeper(spec))
        assert launch("look", spec) == {"is_free": False}
        wait_for(lambda: "alive-0" in AgentFiles(spec.attempt_dir).names())
        assert "held-0" not in AgentFiles(spec.attempt_dir).names()
    assert keepers[0].wait(120) == 0
    assert ends(spec) == {0: 0}


def test_machines_are_taken_in_the_order_of_their_names(
    spec: StepSpec, keepers: list[subprocess.Popen[bytes]]
) -> None:
    queued(spec, "m2", "m1")
    keepers.append(keeper(spec))
    files = AgentFiles(spec.attempt_dir)
    wait_for(lambda: "alive-0" in files.names())
    assert launch("look", spec) == {"is_free": True}, "m1 comes first"
    files.write("held-1", {})
    wait_for(lambda: "held-0" in files.names())
    assert "node-0.json" in files.names() or keepers[0].poll() is None
    end_agents(spec.attempt_dir)
    assert keepers[0].wait(30) == 0


def test_an_agent_that_begins_slowly_is_not_silent(
    spec: StepSpec,
    keepers: list[subprocess.Popen[bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(BEGINS_SLOWLY.format(go=str(tmp_path / "go")))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    queued(spec, "m1")
    keepers.append(keeper(spec))
    files = AgentFiles(spec.attempt_dir)
    wait_for(lambda: keepers[0].poll() is not None or host_of(keepers[0]) is not None)
    first = files.last_touch("alive-0")
    wait_for(lambda: files.last_touch("alive-0") != first)
    assert "node-0.json" not in files.names()
    (tmp_path / "go").touch()
    assert keepers[0].wait(120) == 0
    assert ends(spec) == {0: 0}


def test_a_killed_agent_is_told_and_leaves_nothing(
    spec: StepSpec, keepers: list[subprocess.Popen[bytes]]
) -> None:
    long = queued(sleeping(spec), "m1")
    keepers.append(keeper(long))
    wait_for(lambda: long.events_path(0).exists())
    agent = host_of(keepers[0])
    assert agent is not None
    os.kill(agent, signal.SIGKILL)
    assert keepers[0].wait(30) == 0
    assert ends(long) == {0: -signal.SIGKILL}


def test_a_killed_keeper_takes_its_agent_along(
    spec: StepSpec, keepers: list[subprocess.Popen[bytes]]
) -> None:
    long = queued(sleeping(spec), "m1")
    keepers.append(keeper(long))
    wait_for(lambda: long.events_path(0).exists())
    agent = ProcessIdentity.of(host_of(keepers[0]) or 0)
    assert agent is not None
    keepers[0].kill()
    wait_for(lambda: not agent.is_alive, 30)  # who adopts it may take longer to reap it
    assert ends(long)[0] != 0


def test_a_step_that_no_runner_wants_any_more_ends_by_itself(
    spec: StepSpec, keepers: list[subprocess.Popen[bytes]]
) -> None:
    long = queued(sleeping(spec), "m1", lease_seconds=3.0)
    files = AgentFiles(long.attempt_dir)
    keepers.append(keeper(long))

    def has_started() -> bool:
        files.renew_lease()
        return long.events_path(0).exists()

    wait_for(has_started)
    assert keepers[0].wait(120) == 0
    assert ends(long) == {0: None}, "nothing is wrong with the step"
    problem = json.loads(long.error_path(0).read_text())["problem"]
    assert problem["name"] == "MachineLost"
    assert "without contact to the designer" in problem["message"]


def test_a_lease_lasts_as_long_as_it_is_renewed(tmp_path: Path) -> None:
    files = AgentFiles(tmp_path)
    files.create(Order({}))
    assert not Lease(files, 0.0).has_ended()
    short = Lease(files, 1e-9)
    files.renew_lease()
    assert not short.has_ended()
    assert short.has_ended()


def test_a_folder_that_is_absent_or_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert folder_lack(tmp_path) is None
    absent, read_only = folder_lack(tmp_path / "absent"), folder_lack(Path("/proc"))
    assert absent is not None
    assert read_only is not None
    assert (absent["missing"], read_only["missing"]) == ("folder", "writing")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_folder_that_another_user_has_made_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own_folder().rename(tmp_path / "ours")
    place = tmp_path / f"designer-{os.getuid()}"
    if kind == "link":
        place.symlink_to("ours")
    else:
        place.mkdir()
    os.lchown(place, 1, 1)
    with pytest.raises(PermissionError, match="another user's"):
        own_folder()
