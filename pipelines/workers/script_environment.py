"""Environment of a step's own processes, built before the module runs."""

from __future__ import annotations

from pathlib import Path

from modules.context import Context, ScriptEnvironment
from modules.operating_system.files import open_private
from pipelines.environments.builder import ensure_built
from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.image_builds import is_moved
from pipelines.environments.variables import variables_of
from pipelines.sentences import environments as say
from pipelines.workers.step_spec import StepSpec


def prepare_environment(spec: StepSpec, context: Context) -> ScriptEnvironment | None:
    """Build the step's environment unless it exists; return it, or None if the step has none.

    Progress is reported in the phase "preparing" and in a separate log.
    """
    if spec.environment is None:
        return None
    record = EnvironmentRecord.from_json(spec.environment)
    context.phase("preparing", environment=record.reference)
    descriptor = open_private(spec.environment_log_of(context.rank))
    with open(descriptor, "a", encoding="utf-8", buffering=1) as log:

        def report(line: str) -> None:
            log.write(f"{line}\n")
            context.alive()

        built = ensure_built(record, Path(spec.environments_dir), report, run_id=spec.run_id)
    if record.base == "image" and is_moved(record):
        context.warn(say.IMAGE_MOVED, image=record.image, environment=record.reference)
    context.phase(
        "preparing",
        environment=record.reference,
        is_cached=built.was_cached,
        num_bytes=built.num_bytes,
        own_bytes=built.own_bytes,
        build_seconds=built.seconds,
    )
    return ScriptEnvironment(
        built.name,
        built.key,
        built.python,
        built.bin_dir,
        built.image,
        variables=variables_of(record),
    )
