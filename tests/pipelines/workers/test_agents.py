"""Agents compare their nodes before anything starts, meet, and end with whoever gives them up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modules.operating_system.machine import gpu_names
from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.processes import ProcessIdentity
from pipelines.workers.agent_files import AgentFiles, Heartbeats, NodeFacts, Order, end_agents
from pipelines.workers.networks import LOOPBACK, interface_of, meeting_address
from pipelines.workers.node_facts import misfit, node_facts, software
from pipelines.workers.rank_errors import report_failure
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.workers.agent_steps import host_of, sleeping, spec
from tests.polling import wait_for

__all__ = ["spec"]
pytestmark = pytest.mark.skipif(not IS_LINUX, reason="agents run on nodes with Linux")
ENGINE = """
import os, subprocess, sys, time
subprocess.Popen([*sys.argv[1:], "--parent", str(os.getpid())])
time.sleep(600)
"""


@pytest.fixture
def agents() -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for item in started:
        item.kill()
        item.wait()


def agent(spec: StepSpec, rank: int = 0) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pipelines.workers.agent", str(spec.spec_path)]
    environment = {**os.environ, "NODE": str(rank)}
    return subprocess.Popen([*command, "--rank-from", "NODE"], env=environment)


def problem(spec: StepSpec) -> dict[str, Any]:
    return dict(json.loads(spec.error_path(0).read_text())["problem"])


def test_an_agent_runs_a_step_and_says_how_it_ended(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    agents.append(agent(spec))
    assert agents[0].wait(120) == 0
    files = AgentFiles(spec.attempt_dir)
    assert files.ends(files.names()) == {0: 0}
    assert json.loads(spec.result_path.read_text())["outputs"] == ["output"]
    assert files.read("node-0.json")["software"] == software()  # type: ignore[index]


def test_other_versions_are_a_problem_before_anything_starts(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    AgentFiles(spec.attempt_dir).create(Order({**software(), "torch": "1.0"}))
    agents.append(agent(spec))
    assert agents[0].wait(120) == 1
    assert problem(spec)["name"] == "MachinesUnfit"
    assert "torch" in problem(spec)["message"]
    assert not spec.launcher_log_of(0).exists(), "a host was started"


def test_an_attempt_that_is_given_up_ends(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    agents.append(agent(sleeping(spec)))
    wait_for(lambda: spec.events_path(0).exists())
    end_agents(spec.attempt_dir)
    assert agents[0].wait(30) != 0


def test_a_killed_agent_takes_its_host_along(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    agents.append(agent(sleeping(spec)))
    wait_for(lambda: spec.events_path(0).exists())
    host = ProcessIdentity.of(host_of(agents[0]) or 0)
    agents[0].kill()
    wait_for(lambda: not host.is_alive, 10)  # who adopts it may take longer to reap it


@pytest.mark.parametrize("has_raised", [False, True])
def test_an_agent_whose_engine_ended_says_so_unless_a_rank_has_said_more(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]], has_raised: bool
) -> None:
    command = [sys.executable, "-m", "pipelines.workers.agent", str(sleeping(spec).spec_path)]
    engine = [sys.executable, "-c", ENGINE, *command, "--rank-from", "NODE"]
    agents.append(subprocess.Popen(engine, env={**os.environ, "NODE": "0"}))
    wait_for(lambda: spec.events_path(0).exists())
    if has_raised:
        report_failure(ValueError("enough"), spec, 0)
    agents[0].kill()
    files = AgentFiles(spec.attempt_dir)
    wait_for(lambda: "end-0.json" in files.names())
    assert files.read("end-0.json") == {"code": None}
    said = "enough" if has_raised else "The engine's process on"
    assert said in problem(spec)["message"]
    assert (problem(spec)["name"] == "MachineLost") != has_raised


def test_another_nodes_failure_ends_this_one(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]]
) -> None:
    agents.append(agent(sleeping(spec)))
    wait_for(lambda: spec.events_path(0).exists())
    AgentFiles(spec.attempt_dir).write("end-1.json", {"code": 1})
    assert agents[0].wait(30) != 0


@pytest.mark.parametrize(
    ("rank", "said"), [(0, "1 of 2 machines reported within"), (1, "2 machines timed out")]
)
def test_a_node_waits_for_the_others_as_long_as_it_was_ordered_and_says_so(
    spec: StepSpec, agents: list[subprocess.Popen[bytes]], rank: int, said: str
) -> None:
    two = replace(spec, node_count=2)
    two.write()
    AgentFiles(two.attempt_dir).create(Order(software(), report_seconds=1.0))
    agents.append(agent(two, rank))
    assert agents[0].wait(60) == 1
    assert problem(two)["name"] == "MachinesUnfit"
    assert said in problem(two)["message"]


def node(host: str, networks: dict[str, str], **more: Any) -> NodeFacts:
    facts = {**node_facts(), "host": host, "networks": networks, "skew": 0.0, **more}
    return cast("NodeFacts", facts)


@pytest.mark.parametrize(
    ("more", "order", "said"),
    [
        ({}, {}, None),
        ({"software": {**software(), "code": "other"}}, {}, "code"),
        ({"gpus": 0}, {"gpus": 2}, "0 GPUs"),
        ({"skew": 7200.0}, {}, "differ by 7200 seconds"),
        ({"cores": 1}, {}, "1 core, "),
        ({"lack": {"folder": "/tmp/own", "why": "No space left on device"}}, {}, "/tmp/own"),
    ],
)
def test_nodes_that_do_not_fit_are_told_by_name(
    spec: StepSpec, more: dict[str, Any], order: dict[str, Any], said: str | None
) -> None:
    asked = replace(spec, node_count=2, cores_per_process=2)
    nodes = [
        node("m1", {}, cores=2, gpus=order.get("gpus", 0)),
        node("m2", {}, **{"cores": 2, **more}),
    ]
    result = misfit(asked, Order(software(), **order), nodes)
    assert (result is None) == (said is None)
    if result is not None:
        assert "m2" in result.message
        assert str(said) in result.message
        assert result.cure


def test_gpus_that_have_no_numbers_are_counted(
    spec: StepSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "MIG-6be1a6cf-2b9f,MIG-77c1a6cf-2b9f")
    gpu_names.cache_clear()
    try:
        assert misfit(spec, Order(software(), gpus=2), [node("m1", {})]) is None
    finally:
        gpu_names.cache_clear()


def test_nodes_meet_in_a_network_that_all_are_in() -> None:
    first = node("m1", {"bridge": "172.17.0.1/16", "eth1": "10.0.0.1/24", "ib0": "10.9.0.1/24"})
    second = node("m2", {"bridge": "172.17.0.1/16", "eth7": "10.0.0.2/24", "ib0": "10.9.0.2/24"})
    assert meeting_address([first, second], None) == "10.0.0.1"
    assert meeting_address([first, second], "ib0") == "10.9.0.1"
    assert meeting_address([first], None) == LOOPBACK
    with pytest.raises(LookupError):
        meeting_address([first, second], "ib9")
    assert interface_of(LOOPBACK) == "lo"


@pytest.mark.parametrize("program", ["agent", "agent_keeper", "agent_launch", "unshared_node"])
def test_what_an_engine_starts_on_each_machine_loads_no_library(program: str) -> None:
    code = (
        f"import pipelines.workers.{program}, sys\n"
        "print(*{each.partition('.')[0] for each in sys.modules} - sys.stdlib_module_names)"
    )
    loaded = set(ran(code).split())
    assert "pipelines" in loaded
    assert not loaded & {"numpy", "pydantic", "sqlalchemy", "torch", "fsspec"}


def test_a_node_loads_of_torch_what_is_sure_to_be_wanted() -> None:
    code = (
        "import sys; from pipelines.workers.preloads import import_for_one_step as load\n"
        "load('nothing', are_many_alike=False)\n"
        "print(*sys.modules.keys() & {'torch', 'modules.catalog'})\n"
        "load('torch', are_many_alike=False)\n"
        "print(*sys.modules.keys() & {'torch.distributed', 'torchvision'})"
    )
    assert ran(code).splitlines() == ["", "torch.distributed"]


def ran(code: str) -> str:
    """What a Python of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


MEETS = """\
import sys
from pathlib import Path
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.meeting import meet

found = meet(2, AgentFiles(Path(sys.argv[1])), 0, "127.0.0.1")
[store] = Path("/proc/self/task").glob("*/children")
store = Path("/proc") / store.read_text().strip() / "maps"
print("libtorch" in store.read_text(), flush=True)
import torch.distributed as dist
ranks = [dist.TCPStore("127.0.0.1", int(found["MASTER_PORT"]), 2, False) for _ in range(2)]
ranks[0].set("told", "by one")
print("libtorch" in store.read_text(), ranks[1].get("told").decode(), flush=True)
"""


@pytest.mark.extended
def test_the_store_where_ranks_meet_loads_torch_when_the_first_one_calls(tmp_path: Path) -> None:
    AgentFiles(tmp_path).create(Order({}))
    command = [sys.executable, "-c", MEETS, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "True by one"]


def test_a_node_is_silent_only_after_it_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(
        "pipelines.workers.agent_files.time", SimpleNamespace(monotonic=lambda: clock[0])
    )
    files = AgentFiles(tmp_path)
    files.create(Order({}))
    heard = Heartbeats(files, [0, 1])

    def look(times: int) -> int | None:
        silent_nodes = None
        for _ in range(times):
            clock[0] += 1.0
            silent_nodes = heard.silent()
        return silent_nodes

    assert look(30) is None, "they have not begun"
    files.beat(0)
    assert look(10) is None
    assert look(10) == 0
    clock[0] += 1000.0
    files.beat(0)
    os.utime(files.folder / "alive-0", ns=(time.time_ns(), time.time_ns() + 10**9))
    assert look(1) is None, "it beats again"
    clock[0] += 1000.0
    assert look(1) is None, "who listens was held up itself"
