"""Scripts on machines that do not see the workspace, and machines that stay warm for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import AnyDirectory
from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.processes import descendants
from modules.scripts.launchers.mpi import mpirun
from pipelines.document.target_offer import TargetOffer
from pipelines.store.objects.object_store import ObjectStore
from pipelines.targets import remote
from pipelines.targets.remote import RemoteTarget
from pipelines.targets.step_mirror import StepMirror, location_of
from pipelines.workers.agent_files import AgentFiles, Order, end_agents
from pipelines.workers.node_facts import software
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.pipelines.targets.process_engine import Processes
from tests.pipelines.workers.unshared_nodes import (
    NAME,
    TELLS_A_SECRET,
    VALUE,
    Start,
    left_on,
    mirror,
    script_of,
    spec,
    start,
    store,
    workspace,
    written,
)
from tests.polling import wait_for

__all__ = ["mirror", "spec", "start", "store", "workspace"]
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not IS_LINUX, reason="agents run on nodes with Linux"),
]


def test_a_secret_comes_by_stdin_and_is_starred_before_anything_leaves_the_machine(
    spec: StepSpec, start: Start, workspace: Workspace, store: ObjectStore, tmp_path: Path
) -> None:
    go_on = tmp_path / "go on"
    values = {"secrets": ["TOKEN"], "arguments": [str(go_on)]}
    step = script_of(spec, TELLS_A_SECRET, parameters=values)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    node = start(step, TOKEN=VALUE)
    log = step.log_path(0)
    wait_for(lambda: log.exists() and b"it is" in log.read_bytes())
    assert b"hush" not in log.read_bytes(), "not even its beginning"
    assert VALUE not in Path(f"/proc/{node.pid}/environ").read_text()
    go_on.touch()
    assert node.wait(120) == 0
    wait_for(lambda: (step.attempt_dir / "agents" / "end-0.json").exists())
    assert f"it is {'*' * len(VALUE)}, no more" in log.read_text()
    content = json.loads(step.result_path.read_text())["content"]
    store.fetch(content, tmp_path / "back", tmp_path)
    [length] = (tmp_path / "back").rglob("length")
    assert length.read_text() == str(len(VALUE))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [file for file in files if b"says-nobody" in file.read_bytes()]
    mirror.end()
    wait_for(lambda: mirror.is_done)


WRITES = """\
import json, os, sys, time
rank = os.environ.get("RANK") or json.loads(os.environ["TF_CONFIG"])["task"]["index"]
given = open(sys.argv[1] + "/given.txt").read()
print("rank", rank, "reads", given, "in", os.path.basename(os.getcwd()), flush=True)
open(f"outputs/{rank}.txt", "w").write(given)
open("outputs/large.jsonl", "w").write(f"{rank}" * 5_000_000)
open("logs/note", "w").write(f"of {rank}")
"""
LAUNCHERS = (
    "pytorch_process",
    pytest.param("pytorch_node", marks=pytest.mark.full),  # torchrun: test_distributed_scripts
    pytest.param("tensorflow", marks=pytest.mark.full),  # as where a folder is shared: test_slurm
)


@pytest.fixture
def folder_input(spec: StepSpec, store: ObjectStore, tmp_path: Path) -> dict[str, Any]:
    """What has a step read a folder of the store."""
    place = tmp_path / "folder" / "output"
    place.mkdir(parents=True)
    (place / "data").mkdir()
    (place / "data" / "given.txt").write_text("what was given")
    AnyDirectory.write(place)
    content = store.put(tmp_path / "folder", tmp_path)
    folder = Path(spec.inputs["a"]).parent.with_name("folder") / "output"
    return {"inputs": {"folder": str(folder)}, "contents": {"folder": content}}


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_a_script_runs_on_two_machines_and_the_outputs_of_both_are_kept(
    spec: StepSpec,
    start: Start,
    workspace: Workspace,
    store: ObjectStore,
    tmp_path: Path,
    folder_input: dict[str, Any],
    launcher: str,
) -> None:
    values = {
        "arguments": ["{{inputs.folder}}"],
        "outputs_of": "every process",
        "declared_outputs": ["outputs/*.txt"],
    }
    own = {"launcher": launcher, "node_count": 2, **folder_input}
    step = script_of(spec, WRITES, parameters=values, **own)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    nodes = [start(step, f"m{rank + 1}", rank) for rank in range(2)]
    assert [node.wait(120) for node in nodes] == [0, 0]
    agents = step.attempt_dir / "agents"
    wait_for(lambda: all((agents / f"end-{rank}.json").exists() for rank in range(2)))
    logs = [step.log_path(rank).read_text() for rank in range(2)]
    assert logs == [f"rank {k} reads what was given in rank-{k}\n" for k in range(2)]
    noted = [step.attempt_dir / "working" / f"rank-{k}" / "logs" / "note" for k in range(2)]
    assert [item.read_text() for item in noted] == ["of 0", "of 1"]
    assert not (step.attempt_dir / "working" / "rank-1" / "outputs").exists()
    content = json.loads(step.result_path.read_text())["content"]
    store.fetch(content, tmp_path / "back", tmp_path)
    made = tmp_path / "back" / "outputs" / "data"
    for rank in range(2):
        home = made / f"rank-{rank}"
        assert (home / f"{rank}.txt").read_text() == "what was given"
        assert (home / "large.jsonl").read_text() == str(rank) * 5_000_000
    assert [left_on(tmp_path / name) for name in ("m1", "m2")] == [[], []]
    mirror.end()
    wait_for(lambda: mirror.is_done)


@pytest.mark.skipif(mpirun() is None, reason="needs Open MPI")
def test_where_paths_differ_mpi_is_refused(
    spec: StepSpec, start: Start, workspace: Workspace
) -> None:
    step = script_of(spec, "print('never')", node_count=2, launcher="mpi")
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    nodes = [start(step, f"m{rank + 1}", rank) for rank in range(2)]
    assert nodes[0].wait(60) != 0
    nodes[1].wait(60)
    wait_for(step.error_path(0).exists)
    assert "mpirun needs the same working path" in step.error_path(0).read_text()
    mirror.end()
    wait_for(lambda: mirror.is_done)


@pytest.mark.parametrize(
    "way",
    ["fails", pytest.param("cancelled", marks=pytest.mark.full)],  # as test_unshared_nodes
)
def test_a_script_on_two_machines_ends_on_both(
    spec: StepSpec, start: Start, workspace: Workspace, tmp_path: Path, way: str
) -> None:
    fails = "import os, time\nopen('logs/begun', 'w').close()\nprint('begun', flush=True)\n"
    if way == "fails":
        fails += "if os.environ['RANK'] == '1': raise ValueError('the second has had enough')\n"
    step = script_of(spec, f"{fails}time.sleep(600)", node_count=2)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    nodes = [start(step, f"m{rank + 1}", rank) for rank in range(2)]
    if way == "cancelled":
        logs = [step.log_path(rank) for rank in range(2)]
        wait_for(lambda: all(log.exists() and "begun" in log.read_text() for log in logs))
        end_agents(step.attempt_dir)
    assert nodes[0].wait(60) != 0
    nodes[1].wait(60)
    if way == "fails":
        wait_for(step.error_path(0).exists)
        problem = json.loads(step.error_path(0).read_text())["problem"]
        assert "the second has had enough" in str(problem)
        assert problem["details"]["rank"] == 1
    assert [left_on(tmp_path / name) for name in ("m1", "m2")] == [[], []]
    mirror.end()
    wait_for(lambda: mirror.is_done)


class WarmMachine:
    """A process of m1 that outlives steps, and has torch."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self._workspace, self.folder = workspace, folder
        folder.mkdir()
        self.process = subprocess.Popen(
            (sys.executable, "-m", "pipelines.workers.warm_agents", "10"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(folder)},
        )

    def ask(self, spec: StepSpec, **secrets: str) -> None:
        place = asdict(location_of(self._workspace, NAME, spec.attempt_dir, 1))
        request = {
            **{"spec": NAME, "rank": 0, "threads": 1, "log": str(self.folder / "agent.log")},
            **{"place": place, "folder": str(self.folder), "variables": {}, "secrets": secrets},
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def end_of_one(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        assert self.process.wait(60) == 0


@pytest.fixture
def warm(workspace: Workspace, tmp_path: Path) -> Iterator[WarmMachine]:
    made = WarmMachine(workspace, tmp_path / "m1")
    yield made
    made.close()


def test_a_machine_that_stays_warm_runs_one_step_after_the_other(
    spec: StepSpec, warm: WarmMachine, workspace: Workspace, tmp_path: Path
) -> None:
    go_on = tmp_path / "go on"
    go_on.touch()
    values = {"secrets": ["TOKEN"], "arguments": [str(go_on)]}
    for attempt in (1, 2):
        step = script_of(replace(spec, attempt=attempt), TELLS_A_SECRET, parameters=values)
        mirror = StepMirror(workspace, step, NAME, was_adopted=False)
        wait_for(lambda: mirror.has_started)  # noqa: B023 - called at once
        warm.ask(step, TOKEN=VALUE)
        assert warm.end_of_one() == {"spec": NAME, "rank": 0, "code": 0}
        wait_for((step.attempt_dir / "agents" / "end-0.json").exists)
        assert (warm.folder / "end-0.json").exists()
        assert json.loads(step.result_path.read_text())["content"]
        mirror.end()
        wait_for(lambda: mirror.is_done)  # noqa: B023 - called at once
    assert step.log_path(0).read_text().count(f"it is {'*' * len(VALUE)}, no more") == 2
    assert not descendants(warm.process.pid)
    assert left_on(warm.folder) == []


class Noting(Processes):
    """An engine that starts nothing, and says when it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.was_asked = threading.Event()

    def submit(self, name: str, spec: StepSpec) -> None:  # noqa: ARG002 - of the class it stands for
        self.was_asked.set()


def test_a_step_is_handed_over_once_its_files_are_in_the_store(
    spec: StepSpec, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ENGINE_INTERVAL_SECONDS", 600.0)
    engine, offer = Noting(), TargetOffer("cluster", "ray")
    target = RemoteTarget(offer, engine, workspace, shares_folder=False)
    target.submit(script_of(spec, "print('never')"), "nothing")
    assert engine.was_asked.wait(60)
    target.close()


def test_without_a_sign_of_its_driver_a_step_ends_on_a_machine_that_stays_warm(
    spec: StepSpec, warm: WarmMachine, workspace: Workspace
) -> None:
    values: dict[str, Any] = {"parameters": {"seconds": 600.0}, "inputs": {"a": spec.inputs["a"]}}
    slow = written(replace(spec, module_id="sleep", **values))
    AgentFiles(slow.attempt_dir).create(Order(software(), lease_seconds=1.0))
    mirror = StepMirror(workspace, slow, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    warm.ask(slow)
    assert warm.end_of_one()["code"] != 0
    wait_for(slow.error_path(0).exists)
    assert json.loads(slow.error_path(0).read_text())["problem"]["name"] == "MachineLost"
    assert not descendants(warm.process.pid)
    mirror.end()
    wait_for(lambda: mirror.is_done)
