"""Scripts that train on several processes, unmodified, under the launchers they are written for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from modules.errors import ModuleError
from modules.operating_system.wall import can_wall
from tests.modules.scripts.conftest import ScriptStep

pytestmark = pytest.mark.extended

DDP = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = torch.nn.Linear(8, 2)
if os.environ.get("WRAP"):
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(3):
    loss = model(torch.randn(4, 8)).pow(2).mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    print(f"step={step} loss={loss.item():.4f}", flush=True)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "outputs/model.pt")
print("local", os.environ["LOCAL_RANK"])
dist.destroy_process_group()
"""
HOROVOD = """
import torch, horovod.torch as hvd
hvd.init()
torch.manual_seed(hvd.rank())
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
for _ in range(2):
    optimizer.zero_grad(); model(torch.randn(4, 8)).pow(2).mean().backward(); optimizer.step()
"""
SAY = "import json, os, sys\nprint(json.dumps({'argv': sys.argv[1:], 'env': dict(os.environ)}))\n"


def test_ranks_train_together_and_a_pattern_reads_what_they_print(step: ScriptStep) -> None:
    outputs, model, metrics = step.run(
        DDP,
        model_file="outputs/model.pt",
        settings={"node_count": 2, "variables": {"WRAP": "1", "OMP_NUM_THREADS": "1"}},
        log_patterns=["loss = loss=([0-9.]+)"],
    )
    assert step.warnings == []
    assert model.main_path.exists()
    assert (outputs.location / "model.pt").exists()
    assert metrics.rows[["name", "step"]].values.tolist() == [["loss", n] for n in range(3)]


def test_ranks_that_trained_apart_are_told(step: ScriptStep) -> None:
    step.run(DDP, settings={"node_count": 2, "variables": {"OMP_NUM_THREADS": "1"}})
    assert ["ended with different weights (ranks 0, 1)" in each for each in step.warnings] == [True]


def test_torchrun_starts_the_ranks_of_each_node(step: ScriptStep) -> None:
    settings = {"node_count": 2, "launcher": "pytorch_node", "variables": {"WRAP": "1"}}
    step.run(DDP, model_file="outputs/model.pt", settings=settings)
    assert ["local 0" in step.log(rank) for rank in range(2)] == [True, True]
    assert step.launcher_log.count("torch.distributed.run") == 2


def test_ranks_of_one_starter_share_the_cores(step: ScriptStep) -> None:
    text = "import os\nprint('threads', os.environ['OMP_NUM_THREADS'])\n"
    settings = {"launcher": "pytorch_node", "process_count_per_node": 64}
    command = "python -c \"import os; print('threads', os.environ['OMP_NUM_THREADS'])\""
    step.run(None, typed_script=text, command=command, settings=settings)
    assert "threads 1\n" in step.log()
    step.run(None, typed_script=text, command=command, settings={**settings, "threads": 3})
    assert "threads 3\n" in step.log()


@pytest.mark.full  # as shims/test_horovod
def test_horovod_runs_on_its_stand_in_with_the_same_weights(step: ScriptStep) -> None:
    step.run(HOROVOD, settings={"node_count": 2, "variables": {"OMP_NUM_THREADS": "1"}})
    assert step.warnings == []


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_mpirun_gives_its_own_names_and_pytorchs(
    step: ScriptStep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()  # as on a machine without ssh
    (tmp_path / "bin/mpirun").symlink_to(str(shutil.which("mpirun")))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    settings: dict[str, Any] = {
        "node_count": 2,
        "process_count_per_node": 2,
        "launcher": "mpi",
    }
    arguments = ["$LOCAL_RANK", "{{outputs.outputs}}"]
    step.run(SAY, settings=settings, arguments=arguments)
    told = [json.loads(step.log(rank).splitlines()[-1]) for rank in range(4)]
    names = ("OMPI_COMM_WORLD_RANK", "RANK", "LOCAL_RANK", "NODE_RANK", "WORLD_SIZE")
    assert [[each["env"][name] for name in names] for each in told] == [
        ["0", "0", "0", "0", "4"],
        ["1", "1", "1", "0", "4"],
        ["2", "2", "0", "1", "4"],
        ["3", "3", "1", "1", "4"],
    ]
    local = (
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_NODE_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
    )
    assert [[each["env"][name] for name in local] for each in told] == [
        [str(rank % 2), str(rank % 2), "2"] for rank in range(4)
    ]
    address = told[0]["env"]
    assert address["AZ_BATCH_MASTER_NODE"] == f"127.0.0.1:{address['MASTER_PORT']}"
    assert [each["argv"] for each in told] == [
        [str(rank % 2), str(step.work / f"node-{rank // 2}" / "outputs")] for rank in range(4)
    ]
    arguments = ["$OMPI_COMM_WORLD_LOCAL_RANK"]
    step.run(SAY, settings=settings, give_pytorch_names=False, arguments=arguments)
    last = json.loads(step.log(3).splitlines()[-1])
    assert "RANK" not in last["env"]
    assert (last["argv"], last["env"][local[0]]) == (["1"], "1")


LIKE_MPI4PY = """
initialized, finalized = True, False
def Is_initialized(): return initialized
def Is_finalized(): return finalized
def Finalize(): print("took leave")
"""


@pytest.mark.parametrize(("end", "leaves"), [("", 1), ("raise SystemExit(0)", 1), ("1 / 0", 0)])
def test_a_script_takes_leave_of_mpi_where_it_ends_well(
    step: ScriptStep, source: Callable[[Mapping[str, str]], Path], end: str, leaves: int
) -> None:
    files = {"train.py": f"from mpi4py import MPI\n{end}\n", "mpi4py/__init__.py": ""}
    folder = source({**files, "mpi4py/MPI.py": LIKE_MPI4PY})
    with suppress(ModuleError):
        step.run(None, source_folder=str(folder))
    assert step.log().count("took leave") == leaves


@pytest.mark.skipif(not can_wall(network=False), reason="bubblewrap does not run here")
def test_a_script_without_network_has_its_own_loopback_only(step: ScriptStep) -> None:
    text = (
        "import os, socket\n"
        "names = [name for _, name in socket.if_nameindex()]\n"
        "print(names, os.environ.get('MLFLOW_TRACKING_URI'))\n"
        "open('outputs/a', 'w')\n"
    )
    outputs, _, _ = step.run(text, network="none")
    assert step.log().strip() == "['lo'] None"
    assert (outputs.location / "a").exists()


def test_metrics_are_taken_in_while_it_runs_and_given_as_a_table(step: ScriptStep) -> None:
    text = (
        "from designer_log import designer_log\n"
        "for epoch in range(3): designer_log('accuracy', epoch / 4, epoch)\n"
    )
    metrics = step.run(text, settings={"process_count_per_node": 2}).metrics
    points = [event for event in step.events if event["kind"] == "metric"]
    assert [(each["name"], each["step"], each["value"]) for each in points] == [
        ("accuracy", epoch, epoch / 4) for epoch in range(3)
    ]
    assert metrics.rows["value"].tolist() == [0, 0.25, 0.5]


WRITERS = """
import os, torch
name = "outputs/{name}.txt"
open(name, "w").write(os.environ["RANK"])
open("outputs/all.log", "a").write("appended")
torch.save({{"rank": os.environ["RANK"]}}, "{place}")
if os.environ["RANK"] == "0":
    open("outputs/first.txt", "w").write("alone")
"""


def test_what_two_processes_of_a_machine_wrote_into_one_file_is_told(step: ScriptStep) -> None:
    text = WRITERS.format(name="notes", place="checkpoint.pth.tar")
    step.run(text, settings={"process_count_per_node": 2})
    [said] = step.warnings
    assert "wrote the same files at the same time: checkpoint.pth.tar, outputs/notes.txt." in said


def test_files_with_the_rank_in_their_names_are_nobody_elses(step: ScriptStep) -> None:
    text = WRITERS.format(name="notes", place="x").replace(
        '"outputs/notes', 'os.environ["RANK"] + "'
    )
    text = text.replace('"x")', '"outputs/" + os.environ["RANK"] + ".pt")')
    step.run(text, settings={"process_count_per_node": 2})
    assert step.warnings == []


def test_threads_spin_briefly_where_the_user_says_nothing(step: ScriptStep) -> None:
    outputs, _, _ = step.run(
        "import os\nopen('outputs/spin', 'w').write(os.environ['GOMP_SPINCOUNT'])\n",
    )
    assert (outputs.location / "spin").read_text() == "1000"
    outputs, _, _ = step.run(
        "import os\nopen('outputs/spin', 'w').write(os.environ['GOMP_SPINCOUNT'])\n",
        settings={"variables": {"GOMP_SPINCOUNT": "7"}},
    )
    assert (outputs.location / "spin").read_text() == "7"
