"""Scripts whose processes run on two machines, started by every launcher, and what they print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipelines.document.document import PipelineDocument
from tests.cluster.conftest import Lab
from tests.cluster.machines import wait_for
from tests.pipelines.conftest import build

SUMS = """\
import os, platform
import torch, torch.distributed as dist
dist.init_process_group("gloo")
print("its secret is", os.environ.get("TOKEN"), flush=True)
total = torch.tensor([dist.get_rank() + 1.0])
dist.all_reduce(total)
with open(f"outputs/rank-{dist.get_rank()}.txt", "w") as file:
    file.write(platform.node())
print(platform.node(), int(total), os.environ["MASTER_ADDR"], os.getcwd()[-6:], flush=True)
dist.destroy_process_group()
"""
"""For every launcher that gives torch's names."""
SUMS_BY_HAND = """\
import os, platform, socket, time
print("its secret is", os.environ.get("TOKEN"), flush=True)
rank, port = int(os.environ["RANK"]), int(os.environ["MASTER_PORT"])
meets_at = (os.environ["MASTER_ADDR"], port)
if rank == 0:
    with socket.create_server(meets_at) as server:
        other = server.accept()[0].makefile("rw")
    total = 1 + int(other.readline())
    print(total, file=other, flush=True)
else:
    for _ in range(600):
        try:
            first = socket.create_connection(meets_at, timeout=10).makefile("rw")
            break
        except OSError:
            time.sleep(0.1)
    print(rank + 1, file=first, flush=True)
    total = int(first.readline())
with open(f"outputs/rank-{rank}.txt", "w") as file:
    file.write(platform.node())
print(platform.node(), total, meets_at[0], os.getcwd()[-6:], flush=True)
"""
"""The same where torch is not looked at: loading it takes seconds of a core in each process."""
CALLS = """\
import json, os, platform, socket, time
config = json.loads(os.environ["TF_CONFIG"])
workers, index = config["cluster"]["worker"], config["task"]["index"]
host, port = workers[1].split(":")
if index == 1:
    server = socket.create_server((host, int(port)))
    called = server.accept()[0].makefile().readline().strip()
    print(platform.node(), "was called by", called)
else:
    for _ in range(600):
        try:
            call = socket.create_connection((host, int(port)), timeout=10)
            break
        except OSError:
            time.sleep(0.1)
    call.sendall(platform.node().encode() + b"\\n")
    print(platform.node(), "calls")
"""
"""As TensorFlow's workers do: each serves at its own address of the cluster."""
FAILS = """\
import os, time
if os.environ["RANK"] == "1":
    raise ValueError("the second machine has had enough")
time.sleep(600)
"""


CODES = {"tensorflow": CALLS, "mpi": SUMS_BY_HAND}
"""Of the launchers that run another script than the others do."""


def script(code: str, launcher: str, *, processes: int = 1, **more: Any) -> dict[str, Any]:
    """A node that runs it on two machines."""
    settings = {"target": "cluster", "node_count": 2, "process_count_per_node": processes}
    settings |= {"launcher": launcher, "regenerate_output": True}
    given = {"typed_script": code, "source_folder": "", "model_file": "", **more}
    return {"module": "run_training_script", "run_settings": settings, **given}


def by(*launchers: str, **more: Any) -> PipelineDocument:
    """A step for each launcher."""
    codes = {each: CODES.get(each, SUMS) for each in launchers}
    return build({}, {each: script(code, each, **more) for each, code in codes.items()})


def sums_on_both(lab: Lab, *launchers: str, **more: Any) -> str:
    """Have the ranks of two machines sum their numbers: each is where it should be; gives the
    run."""
    run_id = lab.submit(by(*launchers, **more), "--allow-code")
    state = lab.finish(run_id)
    assert state.status == "completed", [each.problem for each in state.steps.values()]
    for launcher in launchers:
        told = [each.split() for each in printed(lab, run_id, launcher)]
        hosts = [each[0] for each in told]
        assert sorted(hosts) == ["m1", "m2"], "an engine may begin with either"
        meets_at = lab.machines.address(hosts[0])
        assert [each[1:] for each in told] == [["3", meets_at, f"node-{node}"] for node in (0, 1)]
    return run_id


def going_on(lab: Lab, launcher: str) -> str:
    """The run of a script that would go on for long, once it has begun on both machines."""
    code = "import os, time\nopen(f'logs/{os.environ[\"RANK\"]}', 'w').close()\ntime.sleep(600)\n"
    run_id = lab.submit(build({}, {"probe": script(code, launcher)}), "--allow-code")
    work = lab.workspace.node_dir(run_id, "probe") / "attempt-1" / "working"
    wait_for(lambda: len(list(work.glob("node-*/logs/*"))) == 2, "both ranks to begin")
    assert all(scripts_on(lab, name) for name in ("m1", "m2"))
    return run_id


def cancelled_leaves_nothing(lab: Lab, launcher: str) -> None:
    """Cancel a script that would go on for long: nothing of it stays on either machine."""
    run_id = going_on(lab, launcher)
    lab.designer("runs", "cancel", run_id)
    assert lab.finish(run_id).status == "cancelled"
    no_script_is_left(lab)


def no_script_is_left(lab: Lab) -> None:
    for name in ("m1", "m2"):
        wait_for(lambda: not scripts_on(lab, name), f"{name} to be empty", 30)  # noqa: B023 - called at once


def scripts_on(lab: Lab, name: str) -> list[str]:
    """What of a script and its launcher runs on a machine."""
    signs = ("bootstrap.py", "orted", "mpirun", "torch.distributed.run", "pipelines.workers")
    return [line for _, line in lab.machines.commands(name) if any(each in line for each in signs)]


def printed(lab: Lab, run_id: str, node: str) -> list[str]:
    """The last line of each rank's log."""
    logs = sorted(Path(lab.workspace.node_dir(run_id, node)).glob("70_driver_log_*.txt"))
    return [each.read_text().splitlines()[-1] for each in logs]
