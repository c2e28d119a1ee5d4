"""Steps that are ready for agents to run."""

from __future__ import annotations

import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from modules.loading import ModuleOrigin, sha256
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.node_facts import software
from pipelines.workers.step_spec import StepSpec
from tests import toy

SLOW = {"seconds": 600.0}


@pytest.fixture
def spec(tmp_path: Path) -> StepSpec:
    """A step of a toy module that returns a number."""
    path = toy.install(tmp_path / "modules")
    origin = asdict(ModuleOrigin("file", str(path), sha256(path.read_bytes())))
    return ordered(tmp_path, module_id="constant", origin=origin, parameters={"value": 3.0})


def ordered(folder: Path, **facts: Any) -> StepSpec:
    """Write a step and the order for its agents."""
    for name in ("run", "staging", "cache"):
        (folder / name).mkdir()
    made = StepSpec(
        run_id="run",
        node="node",
        attempt=1,
        inputs={},
        key="ab" * 32,
        node_dir=str(folder / "run"),
        staging_dir=str(folder / "staging"),
        datasets_dir=str(folder),
        weights_dir=str(folder),
        cache_dir=str(folder / "cache"),
        target="cluster",
        **facts,
    )
    made.write()
    AgentFiles(made.attempt_dir).create(Order(software(), workspace=str(folder)))
    return made


def sleeping(spec: StepSpec) -> StepSpec:
    """Return the step with a module that sleeps for ten minutes."""
    number = Path(spec.node_dir) / "number"
    number.mkdir()
    toy.Number.write(number, 1.0)
    made = replace(spec, module_id="sleep", parameters=SLOW, inputs={"a": str(number)})
    made.write()
    return made


def host_of(process: subprocess.Popen[bytes]) -> int | None:
    """Return the pid of the host that an agent has started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        return next(map(int, children.read_text().split()), None)
    except OSError:
        return None
