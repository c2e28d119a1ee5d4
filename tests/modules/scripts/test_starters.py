"""Commands that start processes themselves: which launcher suits them, and which refuse them."""

from __future__ import annotations

import pytest

from modules.errors import InvalidScriptError
from modules.scripts.launchers import USUAL
from modules.scripts.starters import (
    launch_settings,
    require_no_second_launcher,
    require_same_counts,
)
from tests.modules.scripts.conftest import ScriptStep

LAUNCH = "python -m torch.distributed.launch"
PER_NODE = (
    f"{LAUNCH} --nproc_per_node 2 --nnodes 2 --node_rank $NODE_RANK --master_addr $MASTER_ADDR "
    "--master_port $MASTER_PORT --use_env script.py --epochs 50"
)
SAYS = (
    "import os, sys, torch.distributed as dist\n"
    "dist.init_process_group('gloo')\n"
    "facts = dist.get_rank(), dist.get_world_size(), os.environ['LOCAL_RANK'], sys.argv[1:]\n"
    "os.write(1, ('rank %s %s %s %s\\n' % facts).encode())\n"  # one write: lines do not mix
    "dist.barrier()\n"
)


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("mpirun -np 2 python train.py", "pytorch_process"),
        ("/usr/bin/horovodrun -np 2 python train.py", "mpi"),
        ("deepspeed train.py", "pytorch_node"),
        ("torchrun train.py", "pytorch_process"),
        ("python -u -m torch.distributed.launch train.py", "tensorflow"),
    ],
)
def test_commands_that_start_processes_beside_the_launcher_are_refused(
    command: str, launcher: str
) -> None:
    with pytest.raises(InvalidScriptError, match="starts") as caught:
        require_no_second_launcher(command.split(), launcher)
    assert launcher in caught.value.message


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("mpirun -np 2 python train.py", "none"),
        ("torchrun train.py", "pytorch_node"),
        ("python -m torch.distributed.launch train.py", "pytorch_node"),
        ("python -m package.train", "pytorch_process"),
    ],
)
def test_other_commands_are_taken(command: str, launcher: str) -> None:
    require_no_second_launcher(command.split(), launcher)


@pytest.mark.parametrize(
    ("command", "launcher", "said"),
    [
        ("torchrun --nnodes 2 train.py", "pytorch_node", "--nnodes to 2"),
        ("torchrun --nnodes=2 train.py", "none", "--nnodes to 2"),
        ("torchrun --nproc-per-node 4 train.py", "pytorch_node", "--nproc-per-node to 4"),
        ("python -m torch.distributed.run --nproc_per_node=1 a.py", "pytorch_node", "start 2"),
        ("accelerate launch --num_processes 3 train.py", "pytorch_node", "--num_processes to 3"),
    ],
)
def test_counts_that_are_not_those_of_the_run_settings_are_refused(
    command: str, launcher: str, said: str
) -> None:
    with pytest.raises(InvalidScriptError, match="wait for each other forever") as caught:
        require_same_counts(command.split(), launcher, 1, 2)
    assert said in caught.value.message
    assert caught.value.parameter == "command"


@pytest.mark.parametrize(
    ("command", "launcher"),
    [
        ("torchrun --nnodes 1 --nproc-per-node 2 train.py", "pytorch_node"),
        ("torchrun --nnodes=1:2 --nproc_per_node gpu train.py", "pytorch_node"),
        ("torchrun --nproc_per_node $DESIGNER_PROCESSES_PER_NODE train.py", "pytorch_node"),
        ("torchrun --nproc_per_node 4 train.py", "none"),
        ("torchrun train.py --nnodes 7", "pytorch_node"),
        ("python train.py --nnodes 7", "pytorch_process"),
    ],
)
def test_other_counts_are_the_commands_own(command: str, launcher: str) -> None:
    require_same_counts(command.split(), launcher, 1, 2)


@pytest.mark.parametrize(
    ("command", "launcher", "counts", "settings"),
    [
        (PER_NODE, "pytorch_node", (2, 1), ("pytorch_node", 2)),
        (PER_NODE, None, (2, 1), ("pytorch_node", 2)),
        (f"{LAUNCH} --nproc_per_node=4 train.py", None, (1, 1), ("pytorch_node", 4)),
        (f"{LAUNCH} --nproc_per_node 4 train.py", "none", (1, 1), ("none", 1)),
        (f"{LAUNCH} --nproc_per_node 4 train.py", "pytorch_node", (1, 2), ("pytorch_node", 2)),
        ("accelerate launch --num_processes 4 x.py", None, (2, 1), ("pytorch_node", 2)),
        ("accelerate launch --num_processes 3 x.py", None, (2, 1), ("pytorch_node", 1)),
        ("torchrun --nproc_per_node gpu x.py", "pytorch_node", (1, 1), ("pytorch_node", 1)),
        ("torchrun x.py", "pytorch_process", (1, 1), ("pytorch_process", 1)),
        ("python x.py --nproc_per_node 4", None, (1, 1), (USUAL, 1)),
        ("", None, (1, 2), (USUAL, 2)),
    ],
)
def test_a_command_says_how_it_is_launched_where_nothing_else_does(
    command: str,
    launcher: str | None,
    counts: tuple[int, int],
    settings: tuple[str, int],
) -> None:
    assert launch_settings(command.split(), launcher, *counts, USUAL) == settings


@pytest.mark.full  # read as above; run as test_torchrun_starts_the_ranks_of_each_node
@pytest.mark.extended
def test_the_per_node_command_of_azure_runs_as_it_is_written(step: ScriptStep) -> None:
    step.run(SAYS, command=PER_NODE, settings={"node_count": 2, "launcher": "pytorch_node"})
    printed = [step.log(node * 2) for node in range(2)]  # its ranks share a node's log
    for rank in range(4):
        assert f"rank {rank} 4 {rank % 2} ['--epochs', '50']\n" in printed[rank // 2]


@pytest.mark.full  # as that of each node
@pytest.mark.extended
def test_the_command_for_one_machine_runs_without_a_launcher(step: ScriptStep) -> None:
    step.run(SAYS, command=f"{LAUNCH} --nproc_per_node 2 --use_env script.py", settings={})
    assert "rank 0 2 0 []\n" in step.log()
    assert "rank 1 2 1 []\n" in step.log()
