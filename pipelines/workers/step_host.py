"""Module host: runs one step on its ranks, in a process created by a fork server.

A single rank runs in the host itself, several in separate processes (``ranks``). Only the loopback
interface is used: ranks meet through a file and communicate over ``lo``, or through the rendezvous
of an agent (torch's own elastic launcher opens its store on every interface).
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType

from modules.artifacts import Artifact
from modules.catalog import ModuleOrigin, load_module
from modules.context import Machine, StepCancelledError, StepPausedError
from modules.errors import FailedToEvaluateScriptError
from modules.files import shard_cache
from modules.files.hashing import stat_fingerprint
from modules.files.json_files import write_durably
from modules.files.log_output import redirect_output, release_output
from modules.files.redaction import Redaction
from modules.operating_system.files import replace
from modules.operating_system.limits import be_nice
from modules.spec import Module
from pipelines.sentences import steps
from pipelines.store.artifacts.manifest import StepResult, folder_bytes, seal
from pipelines.workers.event_files import EventFile
from pipelines.workers.rank_ends import await_others, report_end
from pipelines.workers.rank_errors import report_failure
from pipelines.workers.ranks import Ranks
from pipelines.workers.step_spec import StepSpec

LOOPBACK_INTERFACE = {"linux": "lo", "darwin": "lo0"}.get(sys.platform)
"""Name of the loopback interface; None if gloo finds it by its address."""


def run_host(
    spec: StepSpec,
    node_rank: int,
    secrets: Mapping[str, str] = MappingProxyType({}),
    meeting: Mapping[str, str] | None = None,
    machine: Machine | None = None,
) -> int:
    """Run this node's share of a step; return the exit code.

    Args:
        meeting: Variables by which its ranks find those of other machines.
        machine: This machine among several, for a module that starts the ranks itself.
    """
    be_nice(spec.niceness)
    _set_environment(spec, node_rank, meeting or _meeting_on_this_machine(spec))
    if spec.launches:
        return _launch(spec, node_rank, secrets, machine)
    if spec.world_size == 1:
        return run_rank(spec, 0, 0, secrets)
    redirect_output(spec.launcher_log_of(node_rank))
    print(f"node {node_rank}: {spec.process_count_per_node} of {spec.world_size} ranks", flush=True)
    return Ranks(spec, node_rank, partial(run_rank, secrets=secrets)).run()


def _launch(
    spec: StepSpec, node_rank: int, secrets: Mapping[str, str], machine: Machine | None
) -> int:
    """Run a module that starts the ranks itself; return the exit code."""
    code = run_rank(spec, node_rank, 0, secrets, machine)
    return code or (report_end(spec, node_rank) if node_rank else 0)


def warm_up(spec_path: Path, origin: ModuleOrigin, module_id: str) -> None:
    """Do what every step does first, for a step of the same code.

    The memory pages that this touches become private to this process, which is the largest cost in
    a fork's first milliseconds.
    """
    # the file is missing or fails its checks: nothing of it counts
    with suppress(Exception, SystemExit):
        spec = StepSpec.read(spec_path)
        spec.context(0, 0, EventFile(Path(os.devnull)))
        module = load_module(origin, module_id)
        module.parameters_type.model_validate(spec.parameters)


def _set_environment(spec: StepSpec, node_rank: int, meeting: Mapping[str, str]) -> None:
    if not spec.launches:
        _set_rank_variables(spec, node_rank)
        os.environ.update(meeting)
        os.environ.update(spec.variables)
    if spec.gpus:
        own = _gpus_of(spec, node_rank)
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(own)


def _gpus_of(spec: StepSpec, node_rank: int) -> list[str]:
    if spec.launches:
        return spec.gpus
    process_count = spec.process_count_per_node
    return spec.gpus[node_rank * process_count :][:process_count] or spec.gpus


def _set_rank_variables(spec: StepSpec, node_rank: int) -> None:
    os.environ.update(
        WORLD_SIZE=str(spec.world_size),
        LOCAL_WORLD_SIZE=str(spec.process_count_per_node),
        NODE_RANK=str(node_rank),
        GROUP_RANK=str(node_rank),
        OMP_NUM_THREADS=str(spec.threads),
    )


def _meeting_on_this_machine(spec: StepSpec) -> dict[str, str]:
    return {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_port_of(spec)),
        "DESIGNER_MEETING_FILE": str(spec.attempt_dir / "process_group"),
        **({"GLOO_SOCKET_IFNAME": LOOPBACK_INTERFACE} if LOOPBACK_INTERFACE else {}),
    }


def _port_of(spec: StepSpec) -> int:
    """Return a probably free port, the same on all nodes, for scripts that use ``env://``."""
    if spec.world_size == 1:
        return 0  # any free one: no other node has to know it
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    return free if spec.node_count == 1 else 20_000 + int(spec.key[:4], 16) % 10_000


def run_rank(
    spec: StepSpec,
    rank: int,
    local_rank: int,
    secrets: Mapping[str, str] = MappingProxyType({}),
    machine: Machine | None = None,
) -> int:
    """Run the module on one rank, in this process; return the exit code or negative signal."""
    log = spec.module_log_path(rank)
    redirect_output(log, secrets.values())
    if not spec.launches:
        os.environ.update(RANK=str(rank), LOCAL_RANK=str(local_rank))
    try:
        _run_module(spec, rank, local_rank, secrets, machine)
    except StepCancelledError:  # the canceller knows why, and may have written it
        return -signal.SIGTERM
    except BaseException as error:  # the boundary: any exception of a module becomes a problem
        if spec.world_size == 1:  # otherwise other ranks still write there and would fail first
            shutil.rmtree(spec.staging_dir, ignore_errors=True)  # room for the messages below
        return report_failure(error, spec, rank, Redaction(secrets.values()))
    finally:
        if secrets:
            release_output(log)
        if secrets and rank == 0:
            _redact_logs(spec, Redaction(secrets.values()))
    return 0


def _redact_logs(spec: StepSpec, redaction: Redaction) -> None:
    """Redact the logs that a module has written without the filter."""
    for log in Path(spec.node_dir).glob("70_*.txt"):
        with suppress(OSError):
            redaction.redact_file(log)


def _run_module(
    spec: StepSpec,
    rank: int,
    local_rank: int,
    secrets: Mapping[str, str],
    machine: Machine | None,
) -> None:
    events = EventFile(spec.events_path(rank), Redaction(secrets.values()))
    context = spec.context(rank, local_rank, events, machine)
    context.secrets = secrets
    shard_cache.choose(spec.shard_cache)
    module = load_module(ModuleOrigin(**spec.origin), spec.module_id)
    inputs = _inputs(module, spec)
    parameters = module.parameters_type.model_validate(spec.parameters)
    if spec.environment is not None:
        from pipelines.workers.script_environment import prepare_environment

        context.environment = prepare_environment(spec, context)
    if not module.launches:  # they report themselves when their processes run
        events.emit({"kind": "running", "rank": rank})
    started = time.perf_counter()
    try:
        outputs = module.run(inputs, parameters, context)
    except StepPausedError as paused:
        if rank == 0:
            await_others(spec)
            write_durably(spec.paused_path, {"epoch": paused.epoch})
        return
    if rank == 0:
        await_others(spec)
        seconds = time.perf_counter() - started
        events.emit({"kind": "finalising", "rank": rank})
        cut_short = spec.cut_short or context.cut_short
        _finish(spec, module, outputs, seconds=seconds, cut_short=cut_short)


def _inputs(module: Module, spec: StepSpec) -> dict[str, Artifact]:
    inputs: dict[str, Artifact] = {}
    for port in module.inputs:
        if port.id in spec.inputs:
            inputs[port.id] = port.type(Path(spec.inputs[port.id]))
            inputs[port.id].check()
    return inputs


def _finish(
    spec: StepSpec, module: Module, outputs: dict[str, Artifact], *, seconds: float, cut_short: bool
) -> None:
    """Seal every output in the staging folder and write ``result.json``."""
    staging = Path(spec.staging_dir)
    made_by = {
        "key": spec.key,
        "run_id": spec.run_id,
        "node": spec.node,
        "module": spec.module_id,
        "module_version": module.version,
    }
    references: list[str] = []
    for port in module.outputs:
        artifact = outputs[port.id]
        _require(port.id, artifact, port.type, staging)
        replace(artifact.path, staging / port.id)
        artifact.path = staging / port.id
        references += seal(artifact.path, artifact, made_by)
    result: StepResult = {
        "outputs": [port.id for port in module.outputs],
        "references": references,
        "fingerprint": stat_fingerprint(staging),
        "num_bytes": folder_bytes(staging),
        "seconds": seconds,
        "cut_short": cut_short,
    }
    write_durably(spec.result_path, result)


def _require(port: str, artifact: Artifact, kind: type[Artifact], staging: Path) -> None:
    if not isinstance(artifact, kind):
        actual = type(artifact).__name__
        expected = kind.__name__
        raise FailedToEvaluateScriptError(
            steps.OUTPUT_OF_OTHER_TYPE, output=port, found=actual, wanted=expected
        )
    if artifact.path.is_symlink() or not artifact.path.is_dir():
        raise FailedToEvaluateScriptError(steps.OUTPUT_NO_FOLDER, output=port)
    if artifact.path.parent != staging:
        raise FailedToEvaluateScriptError(steps.OUTPUT_ELSEWHERE, output=port)
