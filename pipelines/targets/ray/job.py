"""Ray job of a step: its driver's plan, and the state that driver and Ray report."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from modules.files.json_files import JsonObject, write_whole
from modules.sentences.sentence import Facts
from pipelines.errors import RefusedError
from pipelines.events import ProblemData
from pipelines.problems import NODE_LOST, TARGET_REFUSED, Problem
from pipelines.sentences import ray as say
from pipelines.sentences import ssh as of_machines
from pipelines.targets.engine import EngineSilentError, Job
from pipelines.targets.ray.jobs import RayJobs, last_line
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.unshared_node import NO_STORE

DRIVER = Path(__file__).with_name("ray_driver.py")
BEGIN = """
import json, sys, ray
from ray.experimental import internal_kv
ray.init(address="auto", namespace="designer", log_to_driver=False)
PLAN = json.loads(internal_kv._internal_kv_get(sys.argv[1]))
internal_kv._internal_kv_del(sys.argv[1])
exec(PLAN.pop("driver"))
"""
OF_STORES = ("AWS_", "AZURE_", "GOOGLE_", "FSSPEC_")
OF_THIS_MACHINE = ("_FILE", "_PROFILE", "_CREDENTIALS", "_CONFIG_DIR", "_PATH", "_BUNDLE", "_URI")
"""Suffixes of variables that name a file or a profile of this machine."""
REPORT_FILE = "ray.json"
"""File of the driver's reports: what it waits for, and what a machine lacks."""
ENDED = frozenset({"STOPPED", "SUCCEEDED", "FAILED"})


def prepared(folder: Path, plan: Mapping[str, Any]) -> str:
    """Write the driver and its plan to a folder; return the command for the head node."""
    driver = shutil.copyfile(DRIVER, folder / DRIVER.name)
    path = folder / "plan.json"
    write_whole(path, {**plan, "folder": str(folder), "log": "agent-{rank}.log"})
    return shlex.join(("exec", "python3", str(driver), str(path)))


def submit_stored(jobs: RayJobs, name: str, plan: Mapping[str, Any]) -> None:
    """Submit a job whose driver and plan are kept by Ray until it starts.

    The plan includes the variables for this process's access to object stores.
    """
    whole = {
        **plan,
        "folder": None,
        "log": "agent-{rank}.log",
        "variables": store_variables(),
        "driver": DRIVER.read_text(encoding="utf-8"),
    }
    uri = jobs.keep(name, json.dumps(whole).encode())
    try:
        jobs.submit(name, shlex.join(("exec", "python3", "-c", BEGIN, uri)))
    except RefusedError:
        with suppress(EngineSilentError, RefusedError):
            jobs.forget(name)
        raise


def store_variables() -> dict[str, str]:
    """Return the variables for access to object stores that are valid on another machine."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(OF_STORES) and not name.endswith(OF_THIS_MACHINE)
    }


def report_in(log: str) -> JsonObject | None:
    """Return the last report in the output of a driver without a folder."""
    for line in reversed(log.splitlines()):
        with suppress(ValueError, TypeError, KeyError):
            return dict(json.loads(line)["told"])
    return None


def job_state(
    name: str, facts: Mapping[str, Any], files: AgentFiles, report: Mapping[str, Any] | None
) -> Job:
    """Return the state of a job from Ray and its driver."""
    status = facts.get("status")
    if status in ENDED:
        lack = (report or {}).get("lack")
        problem = lack_of(lack, files) if lack else _problem_of_end(name, facts, files.folder)
        return Job("ended", str(status), problem)
    if status == "PENDING" or report is None:
        return Job("waiting", "Ray to start the step's driver")
    if report.get("lack"):  # if a folder is shared, the driver ends the others itself
        return Job("running", problem=lack_of(report["lack"], files))
    waits_for = report["waits_for"]
    return Job("waiting", waits_for) if waits_for else Job("running")


def lack_of(lack: Mapping[str, Any], files: AgentFiles) -> ProblemData:
    """Return the problem of a machine that could not run its share, from the driver's report."""
    rank, why = int(lack["rank"]), str(lack.get("why") or "")
    node = files.read(f"node-{rank}.json") or {}
    host = node.get("host") or lack.get("host") or "A machine"
    facts: Facts = {"host": host, "number": rank}
    if lack.get("missing") == "node" or int(lack.get("code") or 0) < 0:
        return Problem.of(NODE_LOST, say.NODE_GONE, **facts).to_json()
    return Problem.relayed(TARGET_REFUSED, _refusal(lack, why, facts, files)).to_json()


def _refusal(
    lack: Mapping[str, Any], why: str, facts: Mapping[str, Any], files: AgentFiles
) -> RefusedError:
    python = lack.get("python")
    more = {"folder": files.folder, "why": last_line(why), "python": python, "user": "Ray's user"}
    if lack.get("code") == NO_STORE:
        return RefusedError(say.STORE_UNREACHED, **facts, **more)
    match lack.get("missing"):
        case "folder":
            return RefusedError(of_machines.FOLDER_ABSENT, **facts, **more)
        case "writing":
            return RefusedError(of_machines.FOLDER_READ_ONLY, **facts, **more)
        case "python":
            return RefusedError(of_machines.PYTHON_ABSENT, **facts, **more)
    is_absent = "ModuleNotFoundError" in why or "No module named" in why
    sentence = of_machines.CODE_ABSENT if is_absent else of_machines.START_FAILS
    return RefusedError(sentence, **facts, **more)


def _problem_of_end(name: str, facts: Mapping[str, Any], folder: Path) -> ProblemData | None:
    """Return why a job ended, if no agent could report it."""
    message = str(facts.get("message") or "")
    match facts.get("status"):
        case "STOPPED":
            return Problem.of(TARGET_REFUSED, say.CANCELLED).to_json()
        case "FAILED" if "can't open file" in message:
            return Problem.of(TARGET_REFUSED, say.HEAD_WITHOUT_FOLDER, folder=folder).to_json()
        case "FAILED" if "No module named 'ray'" in message:
            return Problem.of(TARGET_REFUSED, say.HEAD_WITHOUT_RAY).to_json()
        case "FAILED":
            why = last_line(message)
            return Problem.of(TARGET_REFUSED, say.DRIVER_FAILS, why=why, name=name).to_json()
    return None
