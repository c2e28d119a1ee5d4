"""Check of a Slurm cluster: the controller, the partition, then two nodes in a test job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.engine import EngineSilentError
from pipelines.targets.finding import Finding
from pipelines.targets.node_trial import trial_folder, try_nodes
from pipelines.targets.slurm.commands import run
from pipelines.targets.slurm.settings import SlurmSettings

JOB_MINUTES = 5
TRIAL_TIMEOUT_SECONDS = 180.0


def check_slurm(settings: SlurmSettings, workspace: Path) -> Iterator[Finding]:
    """Yield findings; stop when a required check fails."""
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
        count = min(2, settings.max_nodes)
        run_job = partial(_run_job, settings, folder, count)
        yield from try_nodes(run_job, folder, count, settings.interface)


def _run_job(settings: SlurmSettings, folder: Path, count: int) -> Finding | None:
    """Run test nodes; return what prevented them."""
    name = f"designer-{folder.name}"
    own = settings.options(nodes=count, cores=1, minutes=JOB_MINUTES)
    options = (*own, *settings.srun_extra())
    program = (settings.python, "-m", "pipelines.workers.node_check", str(folder), str(count))
    command = ("srun", f"--job-name={name}", *options, *program, "SLURM_NODEID")
    try:
        run(command, seconds=TRIAL_TIMEOUT_SECONDS)
    except EngineSilentError:
        reason = _reason(("squeue", "--me", "--noheader", f"--name={name}", "--format=%r"))
        run(("scancel", "--me", f"--name={name}"))
        return Finding.failed(
            "machines", say.CHECK_WAITS, reason=reason, seconds=TRIAL_TIMEOUT_SECONDS
        )
    except RefusedError as error:
        return Finding("job", False, error.message, error.cure)
    return None


def _reason(command: Sequence[str]) -> str:
    try:
        return run(command).strip() or "unknown"
    except (EngineSilentError, RefusedError):
        return "unknown"
