"""Nodes that do not see the workspace: real processes, each with a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import AnyDirectory
from modules.catalog import builtin_catalog
from modules.loading import Origin, sha256
from modules.operating_system.process_table import IS_LINUX
from pipelines.artifacts.object_store import ObjectStore
from pipelines.targets.step_mirror import StepMirror, place_of
from pipelines.workers.agent_files import AgentFiles, Order, end_agents
from pipelines.workers.node_facts import software
from pipelines.workers.node_folder import moved
from pipelines.workers.step_spec import StepSpec
from pipelines.workers.unshared_node import NO_STORE
from pipelines.workspace import Workspace
from tests import toy
from tests.pipelines.execution.test_crashes import wait_for

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on nodes with Linux")
Start = Callable[..., subprocess.Popen[bytes]]
NAME = "designer-a-1"


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return ObjectStore(f"file://{tmp_path}/store", lambda: "this workspace")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace.at(tmp_path / "a workspace").make()
    (made.root / "designer.toml").write_text(f'artifacts = "file://{tmp_path}/store"\n')
    return made


@pytest.fixture
def spec(workspace: Workspace, store: ObjectStore, tmp_path: Path) -> StepSpec:
    """A step that adds a number of the store to itself, as the runner has it written down."""
    (tmp_path / "number" / "output").mkdir(parents=True)
    toy.Number.write(tmp_path / "number" / "output", 21.0)
    content = store.put(tmp_path / "number", tmp_path)
    node_dir = workspace.node_dir("run", "node")
    module = toy.install(node_dir / "attempt-1" / "code")
    made = StepSpec(
        run_id="run",
        node="node",
        attempt=1,
        module_id="add",
        origin=Origin("file", str(module), sha256(module.read_bytes())).to_json(),
        parameters={},
        inputs=dict.fromkeys("ab", str(workspace.artifacts_dir / "number" / "output")),
        key="ab" * 32,
        node_dir=str(node_dir),
        staging_dir=str(workspace.artifacts_dir / ".run-node-1"),
        datasets_dir=str(workspace.datasets_dir),
        weights_dir=str(workspace.weights_dir),
        cache_dir=str(workspace.cache_dir),
        contents={"number": content},
        artifacts_cache_bytes=10**9,
        target="cluster",
    )
    return written(made)


def written(spec: StepSpec) -> StepSpec:
    spec.write()
    AgentFiles(spec.attempt_dir).begin(Order(software()))
    return spec


@pytest.fixture
def start(workspace: Workspace, tmp_path: Path) -> Iterator[Start]:
    """Starts a node on a machine of its own name; it has its own folder for temporary files."""
    started: list[subprocess.Popen[bytes]] = []

    def start_node(
        spec: StepSpec, machine: str = "m1", rank: int = 0, **secrets: str
    ) -> subprocess.Popen[bytes]:
        folder = tmp_path / machine
        folder.mkdir(exist_ok=True)
        place = place_of(workspace, NAME, spec.attempt_dir, spec.host_count)
        program = ("pipelines.workers.unshared_node", str(folder), place.to_json())
        command = (sys.executable, "-m", *program, "--rank-from", "NODE")
        environment = {**os.environ, "NODE": str(rank), "TMPDIR": str(folder)}
        node = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE)
        assert node.stdin is not None
        with node.stdin:
            node.stdin.write(json.dumps(secrets).encode())
        started.append(node)
        return node

    yield start_node
    for each in started:
        each.kill()
        each.wait()


@pytest.fixture
def mirror(workspace: Workspace, spec: StepSpec) -> Iterator[StepMirror]:
    made = StepMirror(workspace, spec, NAME, was_adopted=False)
    wait_for(lambda: made.has_begun)
    yield made
    made.end()
    wait_for(lambda: made.is_done)


def left_on(machine: Path) -> list[str]:
    """The files of steps that a machine has kept."""
    files = [each.relative_to(machine).as_posix() for each in machine.rglob("*") if each.is_file()]
    return [each for each in files if "/runs/" in each or "/artifacts/." in each]


def test_a_step_reads_from_the_store_and_its_output_is_put_there(
    spec: StepSpec, start: Start, mirror: StepMirror, store: ObjectStore, tmp_path: Path
) -> None:
    assert start(spec).wait(120) == 0
    wait_for(lambda: (spec.attempt_dir / "agents" / "end-0.json").exists())
    assert (tmp_path / "m1" / "end-0.json").exists()
    result = json.loads(spec.result_path.read_text())
    assert result["outputs"] == ["output"]
    assert not Path(spec.staging_dir).exists()
    store.fetch(result["content"], tmp_path / "back", tmp_path)
    assert toy.Number(tmp_path / "back" / "output").value == 42.0
    assert '"running"' in spec.events_path(0).read_text()
    assert left_on(tmp_path / "m1") == []
    mirror.end()
    wait_for(lambda: mirror.is_done)
    assert store._files.listed("steps") == []


def test_what_a_machine_has_fetched_stays_for_the_next_step(
    spec: StepSpec, start: Start, mirror: StepMirror, store: ObjectStore, tmp_path: Path
) -> None:
    kept = next(iter(spec.contents.values()))
    assert start(spec).wait(120) == 0
    mirror.end()
    wait_for(lambda: mirror.is_done)
    store.remove(kept)
    second = replace(spec, attempt=2)
    module = toy.install(second.attempt_dir / "code")
    written(replace(second, origin={**spec.origin, "location": str(module)}))
    again = StepMirror(Workspace(tmp_path / "a workspace"), second, NAME, was_adopted=False)
    wait_for(lambda: again.has_begun)
    assert start(second).wait(120) == 0
    again.end()
    wait_for(lambda: again.is_done)


@pytest.mark.parametrize("way", ["cancelled", "forgotten", "stopped"])
def test_a_step_that_is_wanted_no_more_ends_and_leaves_nothing(
    spec: StepSpec, start: Start, workspace: Workspace, store: ObjectStore, way: str
) -> None:
    slow = written(
        replace(
            spec, module_id="sleep", parameters={"seconds": 600.0}, inputs={"a": spec.inputs["a"]}
        )
    )
    mirror = StepMirror(workspace, slow, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_begun)
    node = start(slow)
    wait_for(slow.events_path(0).exists)
    if way == "stopped":  # early, with what there is
        (Path(slow.node_dir) / "stop").touch()
    elif way == "cancelled":
        end_agents(slow.attempt_dir)
    else:
        mirror.leave()
        wait_for(lambda: mirror.is_done)
        store.remove_step(f"steps/{NAME}")
    assert (node.wait(60) == 0) == (way == "stopped")
    assert left_on(workspace.root.parent / "m1") == []
    mirror.end()
    wait_for(lambda: mirror.is_done)


def test_an_output_that_is_damaged_in_the_store_is_the_problem(
    spec: StepSpec, start: Start, mirror: StepMirror, tmp_path: Path
) -> None:
    [tar] = (tmp_path / "store" / "contents").rglob("data.tar")
    tar.write_bytes(b"x")
    assert start(spec).wait(120) == 1
    wait_for(lambda: (spec.attempt_dir / "agents" / "end-0.json").exists())
    problem = json.loads(spec.error_path(0).read_text())["problem"]
    assert problem["name"] == "InputLost"
    assert mirror.refusal is None


def test_without_what_the_runner_puts_nothing_starts(
    spec: StepSpec, start: Start, tmp_path: Path
) -> None:
    assert start(spec).wait(120) == NO_STORE
    assert left_on(tmp_path / "m1") == []


def script_of(spec: StepSpec, code: str, **more: Any) -> StepSpec:
    """A step that runs a script."""
    origin = builtin_catalog().origin("run_training_script")
    assert origin is not None
    parameters = {"typed_script": code, "model_file": None, **more.pop("parameters", {})}
    own = {"module_id": "run_training_script", "origin": origin.to_json(), "inputs": {}}
    given = {"launcher": "pytorch_process", "parameters": parameters, **own, **more}
    return written(replace(spec, launches=True, **given))


TELLS_A_SECRET = """\
import os, sys, time
value = os.environ["TOKEN"]
print(f"a line\\nit is {value[:7]}", end="", flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
print(f"{value[7:]}, no more", flush=True)
open("outputs/length", "w").write(str(len(value)))
"""
VALUE = "hush-hush-says-nobody"


def test_a_secret_comes_by_stdin_and_is_starred_before_anything_leaves_the_machine(
    spec: StepSpec, start: Start, workspace: Workspace, store: ObjectStore, tmp_path: Path
) -> None:
    go_on = tmp_path / "go on"
    given = {"secrets": ["TOKEN"], "arguments": [str(go_on)]}
    step = script_of(spec, TELLS_A_SECRET, parameters=given)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_begun)
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
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert not [each for each in files if b"says-nobody" in each.read_bytes()]
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
LAUNCHERS = ("pytorch_process", "pytorch_node", "tensorflow")


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
    given = {
        "arguments": ["{{inputs.folder}}"],
        "outputs_of": "every process",
        "declared_outputs": ["outputs/*.txt"],
    }
    own = {"launcher": launcher, "node_count": 2, **folder_input}
    step = script_of(spec, WRITES, parameters=given, **own)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_begun)
    nodes = [start(step, f"m{rank + 1}", rank) for rank in range(2)]
    assert [each.wait(120) for each in nodes] == [0, 0]
    agents = step.attempt_dir / "agents"
    wait_for(lambda: all((agents / f"end-{rank}.json").exists() for rank in range(2)))
    logs = [step.log_path(rank).read_text() for rank in range(2)]
    assert logs == [f"rank {k} reads what was given in rank-{k}\n" for k in range(2)]
    noted = [step.attempt_dir / "working" / f"rank-{k}" / "logs" / "note" for k in range(2)]
    assert [each.read_text() for each in noted] == ["of 0", "of 1"]
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


@pytest.mark.parametrize("way", ["fails", "cancelled"])
def test_a_script_on_two_machines_ends_on_both(
    spec: StepSpec, start: Start, workspace: Workspace, tmp_path: Path, way: str
) -> None:
    fails = "import os, time\nopen('logs/begun', 'w').close()\nprint('begun', flush=True)\n"
    if way == "fails":
        fails += "if os.environ['RANK'] == '1': raise ValueError('the second has had enough')\n"
    step = script_of(spec, f"{fails}time.sleep(600)", node_count=2)
    mirror = StepMirror(workspace, step, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_begun)
    nodes = [start(step, f"m{rank + 1}", rank) for rank in range(2)]
    if way == "cancelled":
        logs = [step.log_path(rank) for rank in range(2)]
        wait_for(lambda: all(each.exists() and "begun" in each.read_text() for each in logs))
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


def test_paths_of_the_workspace_lead_to_the_nodes_folder() -> None:
    told = {"a": ["/w", "/w/x", "/wider", 1, None], "b": {"c": "/w/ä b"}}
    assert moved(told, "/w", "/n") == {"a": ["/n", "/n/x", "/wider", 1, None], "b": {"c": "/n/ä b"}}
