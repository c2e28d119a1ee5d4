"""The launchers' table, by the product itself: what a script finds, whoever starts it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import run, statuses

SAY = """
import json, os, socket, time
print(json.dumps(dict(os.environ)), flush=True)
config = json.loads(os.environ.get("TF_CONFIG", "{}"))
cluster = config.get("cluster", {})
if cluster.get("ps"):  # who serves is ended with the chief: all have told before it goes
    host, port = cluster["ps"][0].rsplit(":", 1)
    if config["task"]["type"] == "ps":
        with socket.create_server((host, int(port))) as server:
            met = [server.accept() for _ in (*cluster["chief"], *cluster["worker"])]
    else:
        while (meeting := socket.socket()).connect_ex((host, int(port))):
            time.sleep(0.05)
        meeting.recv(1)
"""
SET = (
    *("MASTER_", "AZ_BATCH", "OMPI_COMM_WORLD_", "TF_CONFIG", "DESIGNER_NODE_COUNT"),
    *("DESIGNER_PROCESSES_PER_NODE", "RANK", "LOCAL_", "WORLD_SIZE", "NODE_RANK", "GROUP_RANK"),
)
"""How the names begin that launchers set."""
Processes = dict[str, list[dict[str, str]]]
ROWS: dict[str, dict[str, Any]] = {
    "none": {"launcher": "none", "process_count_per_node": 1},
    "process": {"launcher": "pytorch_process", "node_count": 2},
    "node": {"launcher": "pytorch_node", "node_count": 2},
    "workers": {"launcher": "tensorflow", "node_count": 2, "process_count_per_node": 1},
    "servers": {
        "launcher": "tensorflow",
        "process_count_per_node": 1,
        "parameter_server_count": 1,
    },
}


def table(rows: Mapping[str, Mapping[str, Any]]) -> PipelineDocument:
    """A node a row, two processes on each of its machines where the row says nothing else."""
    nodes = []
    for name, settings in rows.items():
        parameters: dict[str, Any] = {"typed_script": SAY, "model_file": None}
        if name == "node":  # in torchrun's place, without the seconds that torch takes
            parameters["command"] = "python script.py"
        node = {"id": name, "module": "run_training_script", "parameters": parameters}
        chosen = {"target": "simulated", "process_count_per_node": 2, **settings}
        nodes.append({**node, "run_settings": chosen})
    return parse_document({"format": "pipeline-designer/2", "id": "table", "nodes": nodes})


def launched_processes(runs: RunService, rows: Mapping[str, Mapping[str, Any]]) -> Processes:
    """Row -> process -> what a launcher set of its environment."""
    document = table(rows)
    run_id, state = run(runs, document)
    assert statuses(state) == dict.fromkeys(rows, "completed"), state.problem
    return {name: _processes(runs.workspace.node_dir(run_id, name)) for name in rows}


def _processes(folder: Path) -> list[dict[str, str]]:
    logs = sorted(folder.glob("70_driver_log_*.txt"))
    environments = [json.loads(log.read_text("utf-8").splitlines()[-1]) for log in logs]
    return [
        {name: value for name, value in environment.items() if name.startswith(SET)}
        for environment in environments
    ]


@pytest.fixture(autouse=True)
def allowed(runs: RunService) -> None:
    """The command was looked at."""
    runs.checks.allow_code_of(table(ROWS))


@pytest.mark.extended
def test_every_row_of_the_table_is_what_its_scripts_find(runs: RunService) -> None:
    message = launched_processes(runs, ROWS)
    assert message["none"] == [{}]
    assert [_without_ports(item) for item in message["process"]] == [
        {
            "MASTER_ADDR": "127.0.0.1",
            "WORLD_SIZE": "4",
            "RANK": str(rank),
            "LOCAL_RANK": str(rank % 2),
            "LOCAL_WORLD_SIZE": "2",
            "NODE_RANK": str(rank // 2),
            "GROUP_RANK": str(rank // 2),
            "AZ_BATCHAI_TASK_INDEX": str(rank),
        }
        for rank in range(4)
    ]
    assert [_without_ports(item) for item in message["node"]] == [
        {
            "MASTER_ADDR": "127.0.0.1",
            "NODE_RANK": str(node),
            "DESIGNER_NODE_COUNT": "2",
            "DESIGNER_PROCESSES_PER_NODE": "2",
        }
        for node in range(2)
    ]
    for name in ("process", "node"):
        [port] = {item["MASTER_PORT"] for item in message[name]}
        assert 0 < int(port) < 65_536
    assert _tasks(message["workers"], worker=2) == ["worker 0", "worker 1"]
    assert _tasks(message["servers"], chief=1, worker=1, ps=1) == ["chief 0", "worker 0", "ps 0"]


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_mpirun_counts_local_ranks_by_machine_of_the_run(runs: RunService) -> None:
    [result] = launched_processes(runs, {"mpi": {"launcher": "mpi", "node_count": 2}}).values()
    names = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "RANK", "LOCAL_RANK", "NODE_RANK")
    assert [[entry[name] for name in names] for entry in result] == [
        [str(rank), "4", str(rank), str(rank % 2), str(rank // 2)] for rank in range(4)
    ]
    for item in result:
        assert item["AZ_BATCH_MASTER_NODE"] == f"127.0.0.1:{item['MASTER_PORT']}"
        assert (item["WORLD_SIZE"], item["LOCAL_WORLD_SIZE"]) == ("4", "2")


def _without_ports(variables: Mapping[str, str]) -> dict[str, str]:
    """Without what differs from run to run."""
    changing = ("MASTER_PORT", "AZ_BATCHAI_PYTORCH_INIT_METHOD")
    return {name: value for name, value in variables.items() if name not in changing}


def _tasks(result: list[dict[str, str]], **counts: int) -> list[str]:
    """Each process's task, once all were seen to know one cluster of so many addresses."""
    assert all(item.keys() == {"TF_CONFIG"} for item in result)
    results = [json.loads(item["TF_CONFIG"]) for item in result]
    assert all(item["cluster"] == results[0]["cluster"] for item in results)
    assert {kind: len(held) for kind, held in results[0]["cluster"].items()} == counts
    addresses = [address for held in results[0]["cluster"].values() for address in held]
    assert len(set(addresses)) == len(addresses)
    assert {item["environment"] for item in results} == {"cloud"}
    return [f"{item['task']['type']} {item['task']['index']}" for item in results]
