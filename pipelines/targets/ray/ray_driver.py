"""Driver of a Ray job, run on the head node: ``python3 ray_driver.py PLAN``.

It is copied into the attempt's folder. It imports nothing of the project and is not imported by it,
since this machine has no Ray. The plan is JSON:

    {"folder", "count", "bundle", "threads", "command", "log", "variables", "secrets",
     "spec", "place", "warm"}

It reserves a bundle of resources on each of ``count`` machines and starts the command there in a
process separate from Ray's, which must not fork and has another Python. ``{rank}`` and ``{parent}``
in the command are replaced. With ``warm``, a process that stays on the machine runs ``spec``
instead. ``ray.json`` in the folder reports what the driver waits for and what a machine lacks. The
driver ends when all commands have ended.

If machines share no folder, ``folder`` is null and Ray stores driver and plan for the job.
``{folder}`` in the command is then a temporary one of each machine, ``variables`` are added to the
command's environment, ``secrets`` are written to its stdin, and reports to its stdout.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from typing import Any, TypedDict

import ray
from ray.util.placement_group import placement_group, placement_group_table
from ray.util.scheduling_strategies import (
    NodeAffinitySchedulingStrategy,
    PlacementGroupSchedulingStrategy,
)

POLL_INTERVAL_SECONDS = 0.5
GROUP_POLL_SECONDS = 1
"""Polling interval for the machines of a step, in whole seconds: Ray truncates fractions, and half
a second polled its head node a thousand times a second."""
LEASE_RENEWAL_SECONDS = 2.0
"""Interval of lease renewals to a warm machine."""
MOST_STEPS = 64
"""Limit of concurrent steps on one warm machine."""
OWN_VARIABLES = ("RAY_", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_")
"""Prefixes of variables for Ray's own Python, or with its token."""


class WarmCommand(TypedDict):
    """Process that stays on a machine, and its environment."""

    name: str
    command: list[str]
    environment: dict[str, str]


class DriverPlan(TypedDict, total=False):
    """Plan of a step, see above."""

    folder: str | None
    count: int
    bundle: dict[str, float]
    threads: int
    command: list[str]
    log: str
    variables: dict[str, str]
    secrets: dict[str, str]
    spec: str
    place: dict[str, object]
    warm: WarmCommand


class MachineOutcome(TypedDict, total=False):
    """Result of a machine: the ``code`` of its command, or what was ``missing`` and ``why``."""

    host: str
    code: int
    is_silent: bool
    missing: str
    python: str
    why: str | None


class RayNode:
    """Machine of the step: an actor whose child dies with it."""

    def host(self) -> str:
        """Return the machine's name."""
        return platform.node()

    def run(self, plan: DriverPlan, rank: int) -> MachineOutcome:
        """Run the command; return ``host`` with its ``code``, or ``missing`` and why."""
        return {"host": platform.node(), **self._outcome(plan, rank)}

    def _outcome(self, plan: DriverPlan, rank: int) -> MachineOutcome:
        with _folder(plan) as folder:
            if not folder.is_dir():
                return {"missing": "folder", "why": "folder not found"}
            log = folder / plan["log"].format(rank=rank)
            try:
                log.touch()
                code = self._code(plan, rank, log)
            except OSError as error:
                is_log = str(error.filename) == str(log)
                missing = "writing" if is_log else "python"
                return {"missing": missing, "python": plan["command"][0], "why": error.strerror}
            is_silent = code != 0 and not (folder / f"end-{rank}.json").exists()
            why = log.read_text(errors="replace")[-2000:]
            return {"code": code, "is_silent": is_silent, "why": why}

    def _code(self, plan: DriverPlan, rank: int, log: Path) -> int:
        facts = {"{rank}": str(rank), "{parent}": str(os.getpid()), "{folder}": str(log.parent)}
        variables = {"DESIGNER_NODE_RANK": str(rank), "OMP_NUM_THREADS": str(plan["threads"])}
        if not plan["bundle"].get("GPU"):
            variables["CUDA_VISIBLE_DEVICES"] = ""
        with log.open("ab") as output:
            child = subprocess.Popen(
                [facts.get(word, word) for word in plan["command"]],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env={**_environment(), **plan.get("variables", {}), **variables},
            )
        with suppress(BrokenPipeError):
            child.communicate(json.dumps(plan.get("secrets", {})).encode())
        return child.wait()


class WarmNode(RayNode):
    """Machine whose child survives steps and jobs; it ends with the child."""

    def __init__(self, warm: WarmCommand) -> None:
        self._ends: dict[str, Queue[int]] = {}
        self._leases: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._child = subprocess.Popen(
            warm["command"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_environment(), **warm["environment"], "CUDA_VISIBLE_DEVICES": ""},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._child.stdout or ():
            report = json.loads(line)
            self._ends[f"{report['rank']} {report['spec']}"].put(report["code"])
        os._exit(0)

    def _code(self, plan: DriverPlan, rank: int, log: Path) -> int:
        request: dict[str, object] = {
            "spec": plan["spec"],
            "rank": rank,
            "threads": plan["threads"],
            "log": str(log),
        }
        if "place" in plan:
            request.update(
                place=plan["place"],
                variables=plan["variables"],
                secrets=plan["secrets"],
                folder=str(log.parent),
            )
        key = f"{rank} {plan['spec']}"
        self._leases[key] = log.with_name("lease")
        end = self._ends[key] = Queue()
        with self._lock:
            assert self._child.stdin is not None
            self._child.stdin.write(json.dumps(request).encode() + b"\n")
            self._child.stdin.flush()
        return end.get()

    def renew(self, rank: int, spec: str) -> None:
        """Renew the lease of a step."""
        lease = self._leases.get(f"{rank} {spec}")
        if lease is not None:
            with suppress(OSError):  # it has ended
                lease.touch()


@contextmanager
def _folder(plan: DriverPlan) -> Iterator[Path]:
    """Yield the folder of the step, or a temporary one of this machine."""
    if plan["folder"] is not None:
        yield Path(plan["folder"])
        return
    with tempfile.TemporaryDirectory(prefix="designer-", ignore_cleanup_errors=True) as own:
        yield Path(own)


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith(OWN_VARIABLES)}


class Driver:
    """Driver of one job."""

    def __init__(self, plan: DriverPlan) -> None:
        self._plan = plan
        self._folder = Path(plan["folder"]) if plan["folder"] is not None else None
        self._count = int(plan["count"])
        self._reported: dict[str, object] = {}
        self._is_over = self._are_warm = False
        self._next_renewal = 0.0

    def run(self) -> int:
        """Reserve machines, start the agents and wait; return the exit code."""
        if not ray.is_initialized():
            ray.init(address="auto", namespace="designer", log_to_driver=False)
        # installed after Ray's own, which would end the process at once
        signal.signal(signal.SIGTERM, self._stop)
        nodes = self._reserve()
        if nodes is None:
            return 1
        self._report(waits_for="")
        return self._follow(nodes)

    def _stop(self, *_: object) -> None:
        """Handle a request of Ray to end the job: agents get the remaining seconds."""
        self._is_over = True
        self._touch("over")

    def _touch(self, name: str) -> None:
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / name).touch()

    def _is_unwanted(self) -> bool:
        if self._is_over or self._folder is None:
            return self._is_over
        return not self._folder.is_dir() or (self._folder / "over").exists()

    def _report(self, **facts: Any) -> None:
        if facts != self._reported:
            self._reported = facts
            if self._folder is None:
                print(json.dumps({"told": facts}), flush=True)
                return
            path = self._folder / "ray.json"
            path.with_suffix(".new").write_text(json.dumps(facts))
            os.replace(path.with_suffix(".new"), path)

    # before anything starts

    def _reserve(self) -> list[Any] | None:
        """Return an actor on each machine; None if the step is abandoned first."""
        group = placement_group([self._plan["bundle"]] * self._count, strategy="STRICT_SPREAD")
        while not group.wait(GROUP_POLL_SECONDS):
            if self._is_unwanted():
                return None
            self._report(waits_for=self._lack())
        nodes = self._warm_nodes(group) if "warm" in self._plan else None
        self._are_warm = bool(nodes)
        return nodes or self._nodes(group)

    def _nodes(self, group: Any) -> list[Any] | None:
        strategies = [
            PlacementGroupSchedulingStrategy(group, index) for index in range(self._count)
        ]
        kind, bundle = ray.remote(RayNode), self._plan["bundle"]
        options = {"num_cpus": bundle["CPU"], "num_gpus": bundle.get("GPU", 0)}
        nodes = [
            kind.options(scheduling_strategy=strategy, **options).remote()
            for strategy in strategies
        ]
        return nodes if self._wait_for([node.host.remote() for node in nodes]) else None

    def _warm_nodes(self, group: Any) -> list[Any] | None:
        """Return the warm actors of the machines; None if they are busy: others are used."""
        warm, ids = self._plan["warm"], placement_group_table(group)["bundles_to_node_id"]
        kind = ray.remote(WarmNode)
        options = {"lifetime": "detached", "get_if_exists": True, "max_concurrency": MOST_STEPS}
        nodes = [
            kind.options(
                name=f"{warm['name']}-{ids[index]}",
                num_cpus=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(ids[index], soft=False),
                **options,
            ).remote(warm)
            for index in range(self._count)
        ]
        hosts = [node.host.remote() for node in nodes]
        try:
            return nodes if self._wait_for(hosts) and ray.get(hosts) else None
        except ray.exceptions.RayError:
            return None

    def _wait_for(self, starts: list[Any]) -> bool:
        while True:
            _, pending = ray.wait(starts, num_returns=self._count, timeout=POLL_INTERVAL_SECONDS)
            if not pending or self._is_unwanted():
                return not pending
            self._report(waits_for=f"{len(pending)} of {self._count} machines")

    def _lack(self) -> str:
        """Return what Ray lacks for the step."""
        bundle = self._plan["bundle"]
        alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        fit = sum(all(node.get(k, 0) >= n for k, n in bundle.items()) for node in alive)
        if fit >= self._count:
            return f"{self._count} machines with {_words(bundle)} free"
        words = f"{self._count - fit} of {self._count} machines with {_words(bundle)}"
        return f"{words} (INFEASIBLE: Ray has {fit})"

    # while it runs

    def _follow(self, nodes: list[Any]) -> int:
        runs = {node.run.remote(self._plan, rank): rank for rank, node in enumerate(nodes)}
        pending, code = list(runs), 0
        while pending:
            ended, pending = ray.wait(pending, timeout=POLL_INTERVAL_SECONDS)
            self._renew(nodes)
            for run in ended:
                result = self._result(run)
                code = code or int(result.get("code") != 0)
                self._take_in(runs[run], result)
        return code

    def _renew(self, nodes: list[Any]) -> None:
        """Renew the lease on machines that would continue without their driver."""
        self._touch("lease")
        if self._folder is None and self._are_warm and time.monotonic() > self._next_renewal:
            self._next_renewal = time.monotonic() + LEASE_RENEWAL_SECONDS
            for rank, node in enumerate(nodes):
                node.renew.remote(rank, self._plan["spec"])

    def _result(self, run: Any) -> MachineOutcome:
        try:
            result: MachineOutcome = ray.get(run)
        except ray.exceptions.RayError as error:  # the machine or its Ray process is lost
            return {"missing": "node", "why": type(error).__name__}
        return result

    def _take_in(self, rank: int, result: MachineOutcome) -> None:
        """Report the first machine that lacks something, and abandon the others."""
        is_silent = result.get("is_silent")
        if ("missing" in result or is_silent) and not self._is_unwanted():
            self._report(waits_for="", lack={**result, "rank": rank})
            self._touch("over")


def _words(bundle: dict[str, float]) -> str:
    return " and ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in bundle.items())


def main() -> None:
    """Run the plan, kept by Ray or in a file."""
    plan = globals().get("PLAN") or json.loads(Path(sys.argv[1]).read_text())
    sys.exit(Driver(plan).run())


if __name__ == "__main__":
    main()
