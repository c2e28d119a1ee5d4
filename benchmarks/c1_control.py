"""C1: a thousand agents that only beat, tell events and log metrics, followed by one runner."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
    only,
)
from pipelines.document.document import parse_document
from pipelines.events import Event
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.store.database.run_options import RunOptions
from pipelines.workspace import Workspace

NUM_AGENTS, SECONDS = 1_000, 20.0
MAX_DELAY, MAX_CORES = 1.0, 1.0
START_SECONDS = 300.0
HERE = Path(__file__).resolve().parent
RUNNER, STORE = "one runner", "the store alone"
COMMANDS = {
    "sbatch": (
        """printf '%s\\n' "{jobs}" "$@" > "{jobs}.new" && """
        """mv "{jobs}.new" "{jobs}.asked"; echo 1"""
    ),
    "squeue": 'cat "{jobs}" 2>/dev/null || true',
    "scancel": 'rm -f "{jobs}"',
}
"""Slurm's, as far as a runner asks; a process of this one's is the agents of a job."""


def measure(options: Options) -> Report:
    """Delay until what an agent tells is in the store, and the cores that the runner takes."""
    agents, seconds = (10, 3.0) if options.small else (NUM_AGENTS, SECONDS)
    report = Report(
        "C1",
        "Control plane",
        f"One step of {agents:,} simulated agents: each sends a heartbeat every 2 s, and its "
        f"progress and a point of a curve every second, for {seconds:g} s.",
    )
    contenders = [
        Contender(RUNNER, lambda: _followed(options.scratch, agents, seconds)),
        Contender(STORE, lambda: _inserted(options.scratch, agents, seconds)),
    ]
    spreads = alternate(contenders, options.rounds)
    delays = ("median", "of 99 in 100")
    report.scenarios += [
        Scenario("Delay until an event is in the store", only(spreads, *delays), RUNNER),
        Scenario("Events", only(spreads, "rate"), STORE, "events/s"),
        Scenario("The runner's work", only(spreads, "cores"), RUNNER, "cores"),
    ]
    found = spreads[RUNNER]
    report.checks += [
        Check.at_most("seconds until seen", found["median"].median, MAX_DELAY, is_gate=False),
        Check.at_most("cores of the runner", found["cores"].median, MAX_CORES, is_gate=False),
    ]
    return report


def _followed(scratch: Path, agents: int, seconds: float) -> Sample:
    folder = scratch / "followed"
    shutil.rmtree(folder, ignore_errors=True)
    workspace = Workspace.at(folder / "workspace").make()
    workspace.modules_dir.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "simulated_agents.py", workspace.modules_dir)
    with _slurm(folder) as asked, WorkspaceSession(workspace) as session:
        session.targets.add("cluster", "slurm", {"max_nodes": agents})
        run_id = session.runs.submit(RunRequest(_document(agents)))
        try:
            with _agents(asked):
                return _observed(session, run_id, agents, seconds)
        finally:
            session.runner.stop()


@contextmanager
def _agents(asked: Path) -> Iterator[None]:
    """The agents that the runner asks for, for as long as the block runs."""
    deadline = time.monotonic() + START_SECONDS
    while not asked.exists():
        if time.monotonic() > deadline:
            raise BenchmarkError("The runner asked for no job: see its log.")
        time.sleep(0.1)
    command = [sys.executable, str(HERE / "simulated_agents.py"), *asked.read_text().split("\n")]
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _observed(session: WorkspaceSession, run_id: str, agents: int, seconds: float) -> Sample:
    _wait_for_points(session, run_id)
    info = current_runner(session.workspace)
    assert info is not None
    runner = psutil.Process(info.pid)
    begun, before = time.time(), sum(runner.cpu_times()[:2])
    time.sleep(seconds)
    took, ended = sum(runner.cpu_times()[:2]) - before, time.time()
    time.sleep(5.0)  # what was told until then comes in
    points = session.runs.store.metrics(run_id)
    session.runs.cancel(run_id)
    told = [each for each in points if each.value is not None and begun <= each.value < ended]
    if len({each.name for each in told}) < agents:
        raise BenchmarkError(f"Of {agents} agents {len(told)} points came in: see the run's logs.")
    delays = sorted(each.time - (each.value or 0.0) for each in told)
    return {
        "median": statistics.median(delays),
        "of 99 in 100": delays[int(0.99 * len(delays))],
        "rate": 2 * len(told) / (ended - begun),
        "cores": took / (ended - begun),
    }


def _wait_for_points(session: WorkspaceSession, run_id: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not session.runs.store.curve_names(run_id):
        state = session.runs.store.state(run_id)
        if state.is_finished or time.monotonic() > deadline:
            raise BenchmarkError(f"The agents were not followed: {state}.")
        time.sleep(0.5)


def _document(agents: int) -> Any:
    settings = {"target": "cluster", "node_count": agents}
    node = {"id": "agents", "module": "tell", "parameters": {}, "run_settings": settings}
    return parse_document(
        {"format": "pipeline-designer/2", "id": "c1", "nodes": [node], "links": []}
    )


@contextmanager
def _slurm(folder: Path) -> Iterator[Path]:
    """Commands of Slurm's first in the path of what is started; gives where a job is asked for."""
    commands = folder / "bin"
    commands.mkdir()
    facts = {"jobs": commands / "jobs"}
    for name, text in COMMANDS.items():
        (commands / name).write_text(f"#!/bin/sh\n{text.format(**facts)}\n")
        (commands / name).chmod(0o755)
    kept = os.environ["PATH"]
    os.environ["PATH"] = f"{commands}{os.pathsep}{kept}"
    try:
        yield commands / "jobs.asked"
    finally:
        os.environ["PATH"] = kept


def _inserted(scratch: Path, agents: int, seconds: float) -> Sample:
    """As many events in transactions of a round each, with nothing else to do."""
    folder = scratch / "inserted"
    shutil.rmtree(folder, ignore_errors=True)
    with WorkspaceSession(Workspace.at(folder).make()) as session:
        store = session.runs.store
        run_id = store.create(
            _document(agents).to_json(),
            ["agents"],
            name="C1",
            experiment="C1",
            options=RunOptions(),
        )
        state, rounds = store.state(run_id), max(1, int(seconds))
        begun = time.perf_counter()
        for step in range(rounds):
            store.append(
                run_id, state, [each for rank in range(agents) for each in _told(rank, step)]
            )
        return {"rate": 2 * agents * rounds / (time.perf_counter() - begun)}


def _told(rank: int, step: int) -> tuple[Event, Event]:
    progress = {"done": step, "total": 1_000_000, "unit": "iterations", "rank": rank}
    point = {"name": f"agent {rank}", "step": step, "value": time.time(), "rank": rank}
    return Event("StepProgress", "agents", progress), Event("MetricLogged", "agents", point)
