"""Scripts for Horovod run over torch.distributed; what it lacks says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.scripts.launchers.ports import held_ports
from modules.scripts.shims import SHIMS
from tests.modules.scripts.shims.shim_scripts import run

pytestmark = pytest.mark.extended
SCRIPT = """
import torch
import horovod.torch as hvd

hvd.init()
torch.manual_seed(hvd.rank())
model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Linear(3, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size(), momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_optimizer_state(optimizer, root_rank=0)
optimizer = hvd.DistributedOptimizer(
    optimizer, named_parameters=model.named_parameters(), compression=hvd.Compression.fp16
)
assert isinstance(optimizer, torch.optim.SGD)
for step in range(3):
    optimizer.zero_grad()
    out = model[0](torch.randn(5, 4))
    if hvd.rank() == 0 or step:  # at first only one process uses the second layer
        out = model[1](out)
    out.pow(2).mean().backward()
    if step == 1:
        optimizer.synchronize()
        with optimizer.skip_synchronize():
            optimizer.step()
    else:
        optimizer.step()
    scheduler.step()

weights = torch.cat([each.detach().flatten() for each in model.parameters()])
every = hvd.allgather(weights[None])
rank = torch.tensor([float(hvd.rank())])
kept = rank.clone()
hvd.broadcast_(kept, 1)
handle = hvd.allreduce_async(rank, op=hvd.Sum)
print(
    hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size(), hvd.cross_rank(), hvd.cross_size(),
    "same" if torch.equal(every[0], every[1]) else "different",
    float(hvd.allreduce(rank)), float(hvd.allreduce(rank, average=False)),
    float(hvd.allreduce(rank, op=hvd.Max)), float(hvd.synchronize(handle)),
    float(hvd.allreduce(torch.tensor(hvd.rank() + 1.0), prescale_factor=2.0)),
    int(hvd.allreduce(torch.tensor([2 * hvd.rank()]))),
    hvd.allgather(torch.full((hvd.rank() + 1,), hvd.rank())).tolist(),
    float(hvd.broadcast(rank, 1)), float(kept), hvd.broadcast_object({"a": hvd.rank()}, 1),
    flush=True,
)
inplace = rank.clone()
assert hvd.allreduce_(inplace) is inplace and float(inplace) == 0.5
hvd.barrier()
hvd.shutdown()
assert not hvd.is_initialized()
"""


@pytest.fixture
def port() -> Iterator[int]:
    """One that is held until torch takes it."""
    with held_ports(1, first=0) as [port]:
        yield port


def test_two_processes_train_one_model(tmp_path: Path, port: int) -> None:
    shared = {
        **os.environ,
        "PYTHONPATH": str(SHIMS),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "WORLD_SIZE": "2",
        "LOCAL_WORLD_SIZE": "1",
        "LOCAL_RANK": "0",
        "OMP_NUM_THREADS": "1",
    }
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", SCRIPT],
            env={**shared, "RANK": str(rank)},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    said = [each.communicate(timeout=300)[0].strip() for each in started]
    assert [each.returncode for each in started] == [0, 0]
    told = "same 0.5 1.0 1.0 1.0 3.0 1 [0, 1, 1] 1.0 1.0 {'a': 1}"
    assert said == [f"{rank} 2 0 1 {rank} 2 {told}" for rank in range(2)]


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("import horovod.torch as hvd; hvd.join()", "horovod.torch.join"),
        ("import horovod.torch as hvd; hvd.elastic", "horovod.torch.elastic"),
        ("import horovod.torch as hvd; hvd.ProcessSet([0])", "horovod.torch.ProcessSet"),
        ("import horovod.tensorflow as hvd; hvd.init()", "horovod.tensorflow.init"),
        ("import horovod.tensorflow.keras as hvd; hvd.init()", "horovod.tensorflow.keras.init"),
        ("import horovod.keras as hvd; hvd.init()", "horovod.keras.init"),
        ("import horovod; horovod.run(print)", "horovod.run"),
        ("import horovod.torch as h; h.allreduce(None, op=h.Adasum)", "Adasum"),
        ("import horovod.torch as h; h.DistributedOptimizer([], op=h.Adasum)", "Adasum"),
    ],
)
def test_what_it_lacks_is_one_sentence(tmp_path: Path, script: str, name: str) -> None:
    """torch is not there, either: nobody needs it to be told."""
    hides = "import sys, types; sys.modules['torch'] = types.ModuleType('torch'); "
    hides += "sys.modules['torch'].distributed = None; "
    error = run(hides + script, tmp_path).stderr.splitlines()[-1]
    assert f"{name} is not available. Horovod has no wheels" in error
    assert "Adasum, elastic training, process sets, TensorFlow and horovodrun" in error
