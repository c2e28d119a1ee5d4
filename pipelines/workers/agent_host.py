"""Host process of an agent: ``python -m pipelines.workers.agent_host SPEC NODE_RANK AGENT_PID``.

It reads the secrets that its agent has received from stdin, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from modules.operating_system.forking import leave
from modules.operating_system.machine import num_cores, num_threads
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.machine_lock import own_folder
from pipelines.workers.meeting import meet
from pipelines.workers.networks import machine_towards
from pipelines.workers.preloads import import_for_one_step, preload_from
from pipelines.workers.secret_store import SecretStore
from pipelines.workers.step_host import run_host
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace


def run(spec: StepSpec, node_rank: int, passed_secrets: Mapping[str, str] | None) -> int:
    """Run a node's share of a step; return the exit code."""
    files = AgentFiles(spec.attempt_dir)
    order = files.order()
    are_many_alike = spec.process_count_per_node > 1 and spec.origin["kind"] == "import"
    import_for_one_step(preload_from(order.preload), are_many_alike=are_many_alike)
    address = (files.read("agreement.json") or {})["address"]
    store = SecretStore(Workspace(Path(order.workspace)))
    secrets = (
        store.of_attempt(spec.attempt_dir, order.secrets)
        if passed_secrets is None
        else passed_secrets
    )
    own = _at_this_node(spec, order)
    if spec.world_size == 1:
        return run_host(own, node_rank, secrets)
    if spec.launches:
        machine = replace(machine_towards(address, node_rank), root=spec.own_root)
        return run_host(own, node_rank, secrets, machine=machine)
    meeting = meet(spec.world_size, files, node_rank, address)
    return run_host(own, node_rank, secrets, meeting)


def _at_this_node(spec: StepSpec, order: Order) -> StepSpec:
    """Return the specification with this node's cores and a separate cache.

    Several machines that map one cache file into memory and write to it may read stale pages.
    """
    cores = max(1, num_cores() // spec.process_count_per_node)
    cache = own_folder() / _name_of(order.workspace)
    cache.mkdir(exist_ok=True, mode=0o700)
    return replace(spec, threads=spec.threads or num_threads(cores), cache_dir=str(cache))


def _name_of(workspace: str) -> str:
    return workspace.strip("/").replace("/", "-")[-100:]


def be_host(
    spec_path: Path, node_rank: int, agent_pid: int, secrets: Mapping[str, str] | None
) -> NoReturn:
    """Run a node's share of a step and exit; without ``secrets`` read those of the workspace."""
    code = 1
    try:
        die_with_parent(agent_pid)
        ignore_interrupts()
        adopt_orphans()
        code = run(StepSpec.read(spec_path), node_rank, secrets)
    except BaseException:  # a forked process must never return to its agent's loop
        traceback.print_exc()
    finally:
        end_children()
        leave(code)


def main() -> None:
    """Run the host of a node."""
    secrets = json.loads(sys.stdin.read() or "null")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), sys.stdin.fileno())
    be_host(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), secrets)


if __name__ == "__main__":
    main()
