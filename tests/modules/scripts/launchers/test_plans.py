"""The processes of every launcher, with exactly the variables of its table."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from modules.scripts.launchers import LAUNCHERS
from modules.scripts.launchers.process_description import Launch, ProcessDescription
from modules.scripts.launchers.program import BOOTSTRAP, Program

SCRIPT = Program.of_script("/env/python", "train.py", ["--epochs", "2"])
STARTED = ("/env/python", "-u", str(BOOTSTRAP), "train.py", "--epochs", "2")


def planned(launcher: str, launch: Launch) -> list[ProcessDescription]:
    return LAUNCHERS[launcher].plan(launch)


def launch(nodes: int = 2, processes: int = 2, **more: object) -> Launch:
    meeting = Path("/w/process_group")
    given: dict[str, object] = {"ports": (6105, 7000, 7001, 7002, 7003, 7004), **more}
    return Launch(SCRIPT, nodes, processes, meeting_file=meeting, **given)  # type: ignore[arg-type]


def test_none_starts_one_process_without_a_variable() -> None:
    [process] = planned("none", launch(1, 1, ports=()))
    assert (process.argv, process.variables, process.rank) == (STARTED, {}, 0)
    assert LAUNCHERS["none"].port_nodes(launch()) == []


def test_per_process_every_rank_has_torchs_names_and_azures() -> None:
    processes = planned("pytorch_process", launch())
    assert [each.name for each in processes] == ["rank 0", "rank 1", "rank 2", "rank 3"]
    assert [each.node for each in processes] == [0, 0, 1, 1]
    assert processes[3].argv == STARTED
    assert processes[3].variables == {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": "6105",
        "WORLD_SIZE": "4",
        "RANK": "3",
        "LOCAL_RANK": "1",
        "LOCAL_WORLD_SIZE": "2",
        "NODE_RANK": "1",
        "GROUP_RANK": "1",
        "AZ_BATCHAI_PYTORCH_INIT_METHOD": "file:///w/process_group",
        "AZ_BATCHAI_TASK_INDEX": "3",
    }


def test_per_node_torchrun_starts_the_ranks_and_finds_none_of_theirs() -> None:
    processes = planned("pytorch_node", launch())
    assert [each.name for each in processes] == ["node 0", "node 1"]
    assert processes[1].variables == {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": "6105",
        "NODE_RANK": "1",
        "DESIGNER_NODE_COUNT": "2",
        "DESIGNER_PROCESSES_PER_NODE": "2",
    }
    assert processes[1].argv == (
        *("/env/python", "-m", "torch.distributed.run", "--nnodes=2", "--nproc-per-node=2"),
        *("--node-rank=1", "--master-addr=127.0.0.1", "--master-port=6105", "--max-restarts=0"),
        *(str(BOOTSTRAP), "train.py", "--epochs", "2"),
    )


def test_per_node_a_command_is_started_as_it_is() -> None:
    words = ["python", "-m", "torch.distributed.launch", "--node_rank", "$NODE_RANK", "train.py"]
    program = Program.of_command("/env/python", words)
    processes = planned("pytorch_node", Launch(program, 2, 2, ports=(1,), has_own_command=True))
    assert [each.argv for each in processes] == [("/env/python", *words[1:])] * 2
    assert [each.log_number for each in processes] == [0, 2]


def test_mpi_starts_one_mpirun_that_hands_on_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modules.scripts.launchers.mpi.mpirun", lambda: "/usr/bin/mpirun")
    [process] = planned("mpi", launch())
    assert process.variables == {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": "6105",
        "AZ_BATCH_MASTER_NODE": "127.0.0.1:6105",
        "DESIGNER_PROCESSES_PER_NODE": "2",
        "DESIGNER_GIVE_PYTORCH_NAMES": "1",
    }
    words = " ".join(process.argv)
    assert words.startswith("/usr/bin/mpirun ")
    assert "--oversubscribe --bind-to none --mca plm_rsh_agent /bin/sh" in words
    assert "--mca btl_tcp_if_include lo" in words
    assert "-np 4 -x MASTER_ADDR -x MASTER_PORT -x AZ_BATCH_MASTER_NODE" in words
    assert process.argv[-len(STARTED) :] == STARTED
    [bare] = planned("mpi", launch(give_pytorch_names=False))
    assert "DESIGNER_GIVE_PYTORCH_NAMES" not in bare.variables


def test_tensorflow_without_servers_has_workers_only_and_names_no_empty_kind() -> None:
    processes = planned("tensorflow", launch(2, 1))
    assert [each.name for each in processes] == ["worker 0", "worker 1"]
    assert LAUNCHERS["tensorflow"].port_nodes(launch(2, 1)) == [0, 1]
    assert json.loads(processes[1].variables["TF_CONFIG"]) == {
        "cluster": {"worker": ["127.0.0.1:6105", "127.0.0.1:7000"]},
        "task": {"type": "worker", "index": 1},
        "environment": "cloud",
    }
    assert not any(each.serves for each in processes)


def test_tensorflow_with_servers_has_a_chief_that_all_others_serve() -> None:
    processes = planned("tensorflow", launch(2, 1, parameter_server_count=2))
    names = ["chief", "worker 0", "worker 1", "ps 0", "ps 1"]
    assert [each.name for each in processes] == names
    assert [each.serves for each in processes] == [False, True, True, True, True]
    assert [each.log_number for each in processes] == [0, 1, 2, 3, 4]
    cluster = json.loads(processes[4].variables["TF_CONFIG"])["cluster"]
    assert {kind: len(addresses) for kind, addresses in cluster.items()} == {
        "chief": 1,
        "worker": 2,
        "ps": 2,
    }


def test_on_several_machines_each_is_named_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modules.scripts.launchers.mpi.mpirun", lambda: "/usr/bin/mpirun")
    there = launch(2, 2, hosts=("10.0.0.1", "10.0.0.2"), networks=("10.0.0.0/24",))
    assert planned("pytorch_process", there)[3].variables["MASTER_ADDR"] == "10.0.0.1"
    assert "--master-addr=10.0.0.1" in planned("pytorch_node", there)[1].argv
    [process] = planned("mpi", there)
    words = " ".join(process.argv)
    assert "--mca btl_tcp_if_include 10.0.0.0/24 --mca oob_tcp_if_include 10.0.0.0/24" in words
    assert "--host 10.0.0.1:2,10.0.0.2:2 --map-by slot" in words
    config = json.loads(planned("tensorflow", there)[0].variables["TF_CONFIG"])
    assert config["cluster"]["worker"] == [
        *("10.0.0.1:6105", "10.0.0.1:7000"),
        *("10.0.0.2:7001", "10.0.0.2:7002"),
    ]
    assert LAUNCHERS["tensorflow"].port_nodes(there) == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("python train.py -x", ("/p", "-u", str(BOOTSTRAP), "train.py", "-x")),
        ("python3 -u -m package.train", ("/p", "-u", str(BOOTSTRAP), "-m", "package.train")),
        ("python -O train.py", ("/p", "-O", "train.py")),
        ("sh -c 'exit 0'", ("sh", "-c", "exit 0")),
        ("./train.sh", ("./train.sh",)),
    ],
)
def test_pythons_of_commands_are_the_environments(command: str, argv: tuple[str, ...]) -> None:
    assert Program.of_command("/p", shlex.split(command)).argv == argv
