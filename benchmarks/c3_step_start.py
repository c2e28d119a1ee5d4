"""C3: how long until a step's first step on Slurm and Ray, cold and warm, beside plain jobs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from benchmarks.harness import Check, Contender, Options, Report, Scenario, alternate
from benchmarks.simulated_cluster import events_of, ray_lab, slurm_lab, time_of
from tests.cluster.conftest import Lab, RayLab
from tests.cluster.machines import HEAD, wait_for
from tests.cluster.steps import probing

MACHINES = 2
COLD, WARM = "a step, cold", "a step, warm (keep_warm)"
SRUN, JOB = "srun python", "a Ray job"
MAX_WARM_SECONDS = 5.0
FIRST = "to its first step"
IMPORTS = "import pathlib, sys, torch; pathlib.Path(sys.argv[1]).touch()"
"""What a plain job does: it loads torch, and says so."""
SUBMITS = (
    "import json, sys, urllib.request as u; "
    "words = {'Content-Type': 'application/json', "
    "'Authorization': 'Bearer ' + open(sys.argv[2]).read()}; "
    "u.urlopen(u.Request(sys.argv[1] + '/api/jobs/', "
    "json.dumps({'entrypoint': sys.argv[3]}).encode(), words)).read()"
)


def measure(options: Options) -> Report:
    """Both engines; ``--part Ray`` chooses one."""
    report = Report(
        "C3",
        "Start of a step",
        f"A step of {MACHINES} ranks on {MACHINES} simulated machines, from submitting until the "
        "ranks have connected and reported their first step; next to it a plain job of one "
        "process that loads torch.",
    )
    if options.has("Slurm"):
        with slurm_lab(MACHINES) as slurm:
            contenders = [
                Contender(COLD, partial(_step, slurm, "cluster")),
                Contender(SRUN, partial(_until_touched, slurm, partial(_srun, slurm))),
            ]
            spreads = alternate(contenders, options.rounds, options.earlier("Slurm"))
        report.scenarios.append(Scenario("Slurm", spreads, ""))
    if options.has("Ray"):
        _on_ray(report, options)
    return report


def _on_ray(report: Report, options: Options) -> None:
    with ray_lab(MACHINES) as ray:
        ray.add_ray("warm", max_nodes=MACHINES, keep_warm=10)
        _step(ray, "warm")  # the first one has its machines load torch
        contenders = [
            Contender(COLD, partial(_step, ray, "cluster")),
            Contender(WARM, partial(_step, ray, "warm")),
            Contender(JOB, partial(_until_touched, ray, partial(_ray_job, ray))),
        ]
        spreads = alternate(contenders, options.rounds, options.earlier("Ray"))
    report.scenarios.append(Scenario("Ray", spreads, ""))
    found = spreads[WARM][FIRST].median
    claim = "seconds of a warm step on Ray to its first step"
    report.checks.append(Check.at_most(claim, found, MAX_WARM_SECONDS, is_gate=False))


def _step(lab: Lab, target: str) -> dict[str, float]:
    """From when the run is queued: the command that submits it is none of it."""
    settings = {"target": target}
    events = events_of(lab, probing(nodes=MACHINES, seconds=0.0, run_settings=settings))
    queued = time_of(events, "RunQueued")
    return {
        "to running ranks": time_of(events, "StepRunning", "probe") - queued,
        FIRST: time_of(events, "StepProgress", "probe") - queued,
    }


def _until_touched(lab: Lab, submit: Callable[[str], None]) -> dict[str, float]:
    """Until a job has touched the file whose path it is given."""
    mark = lab.machines.folder / "touched"
    mark.unlink(missing_ok=True)
    started = time.time()
    submit(str(mark))
    wait_for(mark.exists, "the job to begin")
    return {FIRST: mark.stat().st_mtime - started}


def _srun(lab: Lab, mark: str) -> None:
    lab.machines.on(HEAD, "srun", "--ntasks=1", sys.executable, "-c", IMPORTS, mark)


def _ray_job(lab: RayLab, mark: str) -> None:
    entrypoint = f"{sys.executable} -c '{IMPORTS}' {mark}"
    words = (lab.ray.address, lab.ray.token_file, entrypoint)
    lab.machines.on(HEAD, sys.executable, "-c", SUBMITS, *words)
