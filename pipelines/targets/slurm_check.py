"""Trying a Slurm cluster: the controller, the partition, then two nodes in a job of their own."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from modules.formatting import format_bytes
from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.engine import EngineSilentError
from pipelines.targets.finding import Finding
from pipelines.targets.slurm_commands import run
from pipelines.targets.slurm_settings import SlurmSettings
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.node_facts import NAMES, software

JOB_MINUTES = 5
WAIT_SECONDS = 180.0


def check_slurm(settings: SlurmSettings, workspace: Path) -> Iterator[Finding]:
    """One finding after the other; none follows one without which nothing else can work."""
    try:
        partitions = run(("sinfo", "--noheader", "--format=%R")).split()
    except EngineSilentError:
        yield Finding.failed("reachable", say.SLURM_SILENT)
        return
    except RefusedError as error:
        yield Finding("reachable", False, error.message, error.cure)
        return
    names = sorted(set(partitions))
    yield Finding.of("reachable", say.SLURM_ANSWERS, partitions=names)
    if settings.partition not in (None, *names):
        facts = {"partition": settings.partition, "partitions": names}
        yield Finding.failed("partition", say.NO_PARTITION, **facts)
        return
    with _shared_folder(workspace) as folder:
        yield from _try_nodes(settings, folder, min(2, settings.max_nodes))


@contextmanager
def _shared_folder(workspace: Path) -> Iterator[Path]:
    folder = workspace / "cache" / f"check-{secrets.token_hex(4)}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _try_nodes(settings: SlurmSettings, folder: Path, count: int) -> Iterator[Finding]:
    files = AgentFiles(folder)
    files.begin(Order(software(), interface=settings.interface))
    failure = _run_job(settings, folder, count)
    found = [files.read(f"node-{rank}.json") for rank in range(count)]
    nodes = [each for each in found if each is not None]
    if nodes:
        hosts = [node["host"] for node in nodes]
        yield Finding.of("machines", say.NODES_REPORT, hosts=hosts)
    if len(nodes) == count:
        yield Finding.of("shared folder", say.FOLDER_SHARED, folder=folder.parents[1])
    elif failure is None or nodes:
        facts = {"count": len(nodes), "all": count, "folder": folder.parents[1]}
        yield Finding.failed("shared folder", say.FOLDER_NOT_SHARED, **facts)
    yield from (_versions(node) for node in nodes)
    if failure is not None:
        yield failure
    elif len(nodes) == count > 1:
        yield _sum(files.read("sum-0.json"))


def _run_job(settings: SlurmSettings, folder: Path, count: int) -> Finding | None:
    """Have nodes try themselves; what kept them from it."""
    name = f"designer-{folder.name}"
    options = settings.options(nodes=count, cores=1, minutes=JOB_MINUTES)
    options.remove("--no-requeue")
    program = (settings.python, "-m", "pipelines.workers.node_check", str(folder), str(count))
    command = ("srun", f"--job-name={name}", *options, *program, "SLURM_NODEID")
    try:
        run(command, seconds=WAIT_SECONDS)
    except EngineSilentError:
        reason = _reason(("squeue", "--me", "--noheader", f"--name={name}", "--format=%r"))
        run(("scancel", "--me", f"--name={name}"))
        return Finding.failed("machines", say.CHECK_WAITS, reason=reason, seconds=WAIT_SECONDS)
    except RefusedError as error:
        return Finding("job", False, error.message, error.cure)
    return None


def _reason(command: Sequence[str]) -> str:
    try:
        return run(command).strip() or "unknown"
    except (EngineSilentError, RefusedError):
        return "unknown"


def _versions(node: dict[str, Any]) -> Finding:
    own, host = node["software"], node["host"]
    for name, wanted in software().items():
        if own.get(name) != wanted:
            facts = {"host": host, "what": NAMES[name], "theirs": own.get(name), "ours": wanted}
            return Finding.failed("versions", say.VERSIONS_DIFFER, **facts)
    facts = {"host": host, "python": own["python"], "torch": own["torch"]}
    return Finding.of(
        "versions", say.VERSIONS_EQUAL, **facts, cores=node["cores"], gpus=node["gpus"]
    )


def _sum(found: dict[str, Any] | None) -> Finding:
    if found is None:
        return Finding.failed("sum", say.NO_SUM)
    speed = format_bytes(round(found["num_bytes"] / max(found["seconds"], 1e-6)))
    size = format_bytes(found["num_bytes"])
    return Finding.of("sum", say.SUM_OF_NODES, size=size, speed=speed, address=found["address"])
