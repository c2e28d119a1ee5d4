"""Module Run Training Script: run a user's script, in its own environment, on many ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from modules.artifacts import AnyDirectory, Artifact, ImageDirectory, Model, Table
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidScriptError, ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes
from modules.scripts.argument_paths import require_paths_allowed
from modules.scripts.arguments import command_words, places_in, shell_operators
from modules.scripts.intake.intake import ADDRESS, Intake
from modules.scripts.intake.log_patterns import LogPattern
from modules.scripts.intake.pattern_cost import PatternRefused
from modules.scripts.launchers import USUAL
from modules.scripts.machines.follower import follow
from modules.scripts.machines.leader import Machines
from modules.scripts.machines.own_folder import OwnFolder
from modules.scripts.metric_rows import MetricRows
from modules.scripts.outputs import ScriptOutputsFound, require_inside, size_of_folder
from modules.scripts.parameters import ScriptParameters
from modules.scripts.program_of import ProgramMaker
from modules.scripts.script_launch import ScriptLaunch
from modules.scripts.source import opened_source, script_in
from modules.scripts.source_report import tell_source
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.start_code import start_code_version
from modules.scripts.starters import launch_settings
from modules.scripts.unkept_outputs import ranks_of, unkept_outputs
from modules.scripts.weights import differing_ranks
from modules.scripts.work_folder import WorkFolder
from modules.scripts.written_files import written_together
from modules.sentences import scripts as say
from modules.spec import ParameterFinding, PortDoc
from modules.typed_code import syntax_fault


class ScriptOutputs(NamedTuple):
    outputs: Annotated[AnyDirectory, PortDoc("Files that the script wrote to ./outputs.")]
    model: Annotated[
        ForeignModel, PortDoc("The model file written by the script.", made_with="model_file")
    ]
    metrics: Annotated[Table, PortDoc("Logged metrics: name, step, value, time.")]


def _check(parameters: ScriptParameters) -> Iterable[ParameterFinding]:
    """Check only the texts."""
    if parameters.source_folder and parameters.typed_script is not None:
        yield ParameterFinding.of("typed_script", say.TWO_SOURCES, "error")
    if not parameters.source_folder and parameters.typed_script is None:
        yield ParameterFinding.of("source_folder", say.NO_SCRIPT, "error")
    yield from _mistakes(parameters.typed_script)
    try:
        places_in([*parameters.arguments, parameters.command or ""])
        if parameters.command:
            command_words(parameters.command)
            yield from _shell_operators(parameters.command)
        _require_outputs_inside(parameters)
        _patterns(parameters)
    except ModuleError as error:
        yield ParameterFinding.from_error(error, error.parameter)


def _mistakes(typed: str | None) -> Iterable[ParameterFinding]:
    """Warn of syntax errors in a typed script, as its environment may have a newer Python."""
    fault = None if typed is None else syntax_fault(typed)
    if fault is not None:
        yield ParameterFinding.of("typed_script", fault.sentence, "warning", **fault.facts)


def _shell_operators(command: str) -> Iterable[ParameterFinding]:
    """Warn of pipes and redirections, which the program would receive as arguments."""
    tokens = shell_operators(command)
    if tokens:
        operators = list(dict.fromkeys(tokens))
        yield ParameterFinding.of(
            "command", say.SHELL_OPERATORS, "warning", operators=operators, command=command[:200]
        )


def _require_outputs_inside(parameters: ScriptParameters) -> None:
    if parameters.model_file:
        require_inside(parameters.model_file, "model_file")
    for pattern in parameters.declared_outputs:
        require_inside(pattern, "declared_outputs")


def _patterns(parameters: ScriptParameters) -> list[LogPattern]:
    """Return the patterns for the log; raise ``InvalidScriptError`` for an invalid one."""
    try:
        return [LogPattern.parse(text) for text in parameters.log_patterns]
    except PatternRefused as error:
        raise InvalidScriptError(error.statement, parameter="log_patterns") from None


def _fingerprint(parameters: ScriptParameters, context: Context) -> str:
    """Return the hash of the source's files, independent of their location."""
    with opened_source(parameters, context) as folder:
        return SourceSnapshot.of(folder).sha256()


def _forecast(
    _inputs: Mapping[str, ArtifactForecast], parameters: ScriptParameters, context: Context
) -> StepForecast:
    """Check that the source exists and is small enough, and that paths are allowed."""
    outputs = {name: ArtifactForecast() for name in ScriptOutputs._fields}
    try:
        require_paths_allowed(parameters.arguments, context.allowed_roots, "arguments")
        words = command_words(parameters.command)[1:] if parameters.command else []
        require_paths_allowed(words, context.allowed_roots, "command")
        if not parameters.source_folder and parameters.typed_script is None:
            return StepForecast(outputs)
        with opened_source(parameters, context) as folder:
            SourceSnapshot.of(folder)
            if not parameters.command:
                script_in(folder, parameters.script)
    except ModuleError as error:
        finding = ParameterFinding.from_error(error, error.parameter or "source_folder")
        return StepForecast(outputs, findings=(finding,))
    return StepForecast(outputs)


@module(
    title="Run Training Script",
    category="Python",
    summary="Run your own training script, on one process or many.",
    icon="file-terminal",
    keywords=(
        "code",
        "own",
        "pytorch",
        "torchrun",
        "lightning",
        "horovod",
        "mpi",
        "tensorflow",
        "distributed",
        "azure",
        "environment",
    ),
    results_version=start_code_version(),
    libraries=("pandas",),
    launches=True,
    stoppable=True,
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def run_training_script(
    parameters: ScriptParameters,
    context: Context,
    images: Annotated[
        ImageDirectory | None, PortDoc("Images; the script gets a folder of links class/file.")
    ] = None,
    more_images: Annotated[
        ImageDirectory | None, PortDoc("More images in the same form, for example for validation.")
    ] = None,
    model: Annotated[Model | None, PortDoc("A model to start from.")] = None,
    folder: Annotated[AnyDirectory | None, PortDoc("Any other data.")] = None,
) -> ScriptOutputs:
    """Run a script unchanged, and output what it writes to ./outputs.

    The script runs in a copy of its source folder, with the Python and packages of the environment
    in the run settings (default: the designer's own). The launcher of the run settings starts its
    processes. It finds its inputs by {{inputs.images}} in the arguments or by variables such as
    DESIGNER_INPUT_IMAGES; attached transformations are not applied. If the arguments contain
    {{inputs.images}} but not {{inputs.more_images}}, and both are connected, the folder contains
    the first as train and the second as val. Each process uses its share of the cores
    (OMP_NUM_THREADS), and waiting threads sleep early (GOMP_SPINCOUNT). Variables in the run
    settings override both. The step succeeds if every process ends with exit code 0 and every
    declared output is written.
    """
    inputs = {"images": images, "more_images": more_images, "model": model, "folder": folder}
    linked = {name: artifact for name, artifact in inputs.items() if artifact is not None}
    _require_outputs_inside(parameters)
    _take_launch_settings(parameters, context)
    if context.rank:  # a machine other than the first
        _follow(parameters, context, linked)
        return _of_the_first(context)
    context.phase("preparing")
    with opened_source(parameters, context) as source:
        work = WorkFolder.fresh(context, parameters.outputs_of)
        snapshot = SourceSnapshot.of(source).copied_to(work.source)
        source_hash = tell_source(source, snapshot, context)
    if context.fingerprint not in (None, source_hash):
        context.warn(say.SOURCE_CHANGED)
        context.cut_short = True  # its key is that of the earlier files
    return _run(parameters, context, snapshot, work, linked)


def _take_launch_settings(parameters: ScriptParameters, context: Context) -> None:
    """Report the number of processes to the context, also if the command specifies it."""
    words = command_words(parameters.command) if parameters.command else []
    nodes, processes = context.node_count, context.process_count_per_node
    context.launcher, per_node = launch_settings(words, context.launcher, nodes, processes, USUAL)
    if per_node > processes and context.threads:
        context.threads = max(1, context.threads * processes // per_node)
    context.process_count_per_node = per_node


def _follow(parameters: ScriptParameters, context: Context, inputs: Mapping[str, Artifact]) -> None:
    if context.machine is None or not context.machine.root:
        follow(context)
        return
    with opened_source(parameters, context) as source:
        own = OwnFolder.made(parameters, context, SourceSnapshot.of(source), inputs)
    follow(context, own)


def _run(
    parameters: ScriptParameters,
    context: Context,
    snapshot: SourceSnapshot,
    work: WorkFolder,
    inputs: Mapping[str, Artifact],
) -> ScriptOutputs:
    _require_secrets(parameters, context)
    patterns = _patterns(parameters)
    metrics = MetricRows(context)
    maker = ProgramMaker(parameters, context, snapshot, work, inputs)
    logs = [context.log_path(0)]
    with (
        Machines.of(context) as machines,
        Intake([work.home], logs, patterns, metrics.record, warn=context.warn) as intake,
    ):
        launch = ScriptLaunch(
            context,
            snapshot,
            work,
            maker.program(),
            has_own_command=bool(parameters.command),
            give_pytorch_names=parameters.give_pytorch_names,
            variables={**maker.variables(), **_reachable(intake.variables, parameters)},
            can_use_network=parameters.network == "allowed",
            machines=machines,
            watch=intake.poll,
        )
        context.phase("running", processes=context.node_count * context.process_count_per_node)
        launched = launch.run()
    if launch.was_stopped:
        context.cut_short = True
    else:
        launched.require_success()
    context.phase("post-processing")
    outputs = ScriptOutputsFound(work, snapshot, parameters)
    outputs.require_declared()
    ranks = differing_ranks(launched.reports)
    if ranks:
        context.warn(say.WEIGHTS_DIFFER, ranks=ranks)
    together = written_together(launched.reports, work.root)
    if together:
        context.warn(say.WRITTEN_TOGETHER, files=together)
    empty = outputs.empty_files()
    if empty:
        context.warn(say.OUTPUTS_EMPTY, files=empty)
    return _collect(outputs, context, metrics)


def _of_the_first(context: Context) -> ScriptOutputs:
    """Return empty outputs for followers, as the leader's outputs are those of the step."""
    folder = context.staging_dir
    return ScriptOutputs(AnyDirectory(folder), ForeignModel(folder), Table(folder))


def _reachable(variables: Mapping[str, str], parameters: ScriptParameters) -> Mapping[str, str]:
    """Return the variables without an address that a script without a network could not reach."""
    if parameters.network == "allowed":
        return variables
    return {name: value for name, value in variables.items() if name not in ADDRESS}


def _require_secrets(parameters: ScriptParameters, context: Context) -> None:
    missing = [name for name in parameters.secrets if name not in context.secrets]
    if missing:
        raise InvalidScriptError(say.SECRET_MISSING, names=missing, parameter="secrets")


def _warn_of_unkept(work: WorkFolder, context: Context) -> None:
    """Warn of outputs of other machines that would be lost silently."""
    unkept = unkept_outputs(work)
    if not unkept:
        return
    ranks = ranks_of(unkept, work)
    names = sorted({name for names in unkept.values() for name in names})
    count = sum(map(len, unkept.values()))
    facts = {"num_ranks": len(ranks), "ranks": ranks, "count": count, "files": names}
    context.warn(say.OUTPUTS_NOT_KEPT, **facts)


def _collect(written: ScriptOutputsFound, context: Context, metrics: MetricRows) -> ScriptOutputs:
    """Write the artifacts, and a summary of them."""
    clashes = written.clashing_files()
    if clashes:
        context.warn(say.WRITTEN_BY_SEVERAL, files=clashes)
    _warn_of_unkept(written.work, context)
    folders: list[Path] = [context.new_folder() for _ in ScriptOutputs._fields]
    model = written.write_model(folders[1])
    written.settle_links()
    outputs, links = written.move_outputs(folders[0])
    if links:
        context.warn(say.LINKS_REMOVED, links=links)
    written.work.clear()
    count, num_bytes = size_of_folder(outputs.location)
    metrics_text = say.WROTE_METRICS.about({"count": metrics.num_names}) if metrics.rows else ""
    context.summary(say.WROTE, count=count, size=format_bytes(num_bytes), metrics=metrics_text)
    return ScriptOutputs(outputs, model, metrics.write(folders[2]))
