"""Trying a Slurm cluster: the controller, the partition, then two nodes in a job of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.engine import EngineSilentError
from pipelines.targets.finding import Finding
from pipelines.targets.node_trial import sum_of_nodes, trial_folder, versions
from pipelines.targets.slurm_commands import run
from pipelines.targets.slurm_settings import SlurmSettings
from pipelines.workers.agent_files import AgentFiles, Order
from pipelines.workers.node_facts import software

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
    with trial_folder(workspace) as folder:
        yield from _try_nodes(settings, folder, min(2, settings.max_nodes))


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
    yield from (versions(node) for node in nodes)
    if failure is not None:
        yield failure
    elif len(nodes) == count > 1:
        yield sum_of_nodes(files.read("sum-0.json"))


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
