"""Nodes that do not see the workspace, as real processes, each with a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from modules.loading import ModuleOrigin, sha256
from pipelines.store.objects.object_store import ObjectStore
from pipelines.targets.step_mirror import StepMirror, location_of
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.node_facts import software
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests import toy
from tests.polling import wait_for

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
        origin=asdict(ModuleOrigin("file", str(module), sha256(module.read_bytes()))),
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
    AgentFiles(spec.attempt_dir).create(Order(software()))
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
        place = location_of(workspace, NAME, spec.attempt_dir, spec.host_count)
        program = ("pipelines.workers.unshared_node", str(folder), place.argument)
        command = (sys.executable, "-m", *program, "--rank-from", "NODE")
        environment = {**os.environ, "NODE": str(rank), "TMPDIR": str(folder)}
        node = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE)
        assert node.stdin is not None
        with node.stdin:
            node.stdin.write(json.dumps(secrets).encode())
        started.append(node)
        return node

    yield start_node
    for item in started:
        item.kill()
        item.wait()


@pytest.fixture
def mirror(workspace: Workspace, spec: StepSpec) -> Iterator[StepMirror]:
    made = StepMirror(workspace, spec, NAME, was_adopted=False)
    wait_for(lambda: made.has_started)
    yield made
    made.end()
    wait_for(lambda: made.is_done)


def left_on(machine: Path) -> list[str]:
    """The files of steps that a machine has kept."""
    files = [path.relative_to(machine).as_posix() for path in machine.rglob("*") if path.is_file()]
    return [file for file in files if "/runs/" in file or "/artifacts/." in file]


def script_of(spec: StepSpec, code: str, **more: Any) -> StepSpec:
    """A step that runs a script."""
    origin = builtin_catalog().origin("run_training_script")
    assert origin is not None
    parameters = {"typed_script": code, "model_file": None, **more.pop("parameters", {})}
    own = {"module_id": "run_training_script", "origin": asdict(origin), "inputs": {}}
    values = {"launcher": "pytorch_process", "parameters": parameters, **own, **more}
    return written(replace(spec, launches=True, **values))


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
