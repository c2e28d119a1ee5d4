"""``designer sweep``: search for parameter values in several runs of a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.documents import PipelineArgument, SetOption
from pipelines.cli.output import console, print_facts, print_table
from pipelines.cli.reports import EXIT_CODES, refused_as_report
from pipelines.cli.run import interruptions
from pipelines.errors import RefusedError
from pipelines.sentences import _
from pipelines.sentences import sweeps as sentences
from pipelines.sentences.status_words import status_words

if TYPE_CHECKING:
    from pipelines.document.document import PipelineDocument
    from pipelines.document.settings import SweepSettings
    from pipelines.runs.run_service import RunService
    from pipelines.store.database.sweeps import TrialRow
    from pipelines.sweeps.sweep_reports import CommandReport
    from pipelines.sweeps.sweeps import Sweep, Sweeps

app = typer.Typer(help="Search for parameter values in several runs.", no_args_is_help=True)
SweepArgument = Annotated[
    str, typer.Argument(help="ID of the sweep, its start or its end, or `last`.")
]
EXIT_CODE = {"completed": 0, "failed": 1, "stopped": EXIT_CODES["cancelled"]}


def _sweeps(context: CommandContext) -> Sweeps:
    from pipelines.sweeps.sweeps import Sweeps

    return Sweeps(context.refreshed_runs)


@app.command()
@command
def run(
    context: CommandContext,
    pipeline: PipelineArgument,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NODE.PARAM=SPACE",
            help="Values to try: 4,8,16 or a range 0.1..0.9, 1e-3..1e-1:log, 1..9:int. Repeatable.",
        ),
    ] = None,
    trials: Annotated[int | None, typer.Option(help="Number of trials. Default: 20.")] = None,
    parallel: Annotated[int | None, typer.Option(help="Trials at the same time.")] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NODE.METRIC", help="Metric to compare. Default: the primary metric of a run."
        ),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(help="maximize or minimize. Default: minimize for losses and errors."),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="grid, random, tpe, or auto (default): the grid if it is small."),
    ] = None,
    stop_early: Annotated[
        str | None,
        typer.Option(help="End poor trials early: halving, median or bandit. Needs --metric."),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Time after which no trial is started.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed of the strategy.")] = None,
    set_: SetOption = None,
    experiment: Annotated[str | None, typer.Option(help="Experiment of the runs.")] = None,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Return immediately. The sweep continues in the background."),
    ] = False,
) -> Answer:
    """Try values of parameters. Without --detach, Ctrl+C stops the sweep; it can be resumed.

    Options replace the sweep that is stored in the pipeline.
    """
    with refused_as_report(as_json=context.as_json):
        from pipelines.lessons.pipeline_files import read_document
        from pipelines.store.database.run_options import RunOptions
        from pipelines.sweeps.sweeps import Sweeps, with_sweep

        runs = context.runs
        document = read_document(pipeline, set_ or [], runs.catalog)
        limits = {"max_trials": trials, "parallel": parallel, "max_minutes": minutes, "seed": seed}
        changes = {**limits, "strategy": strategy}
        settings = _settings(runs, document, param or (), changes, (metric, goal), stop_early)
        sweep = Sweeps(runs).start(with_sweep(document, settings), RunOptions(), experiment)
    if detach:
        text = _("Sweep {sweep} has started. See `designer sweep show {sweep}`.", sweep=sweep.id)
        return Answer(_report(sweep), text)
    return _followed(context, sweep.id)


def _settings(
    runs: RunService,
    document: PipelineDocument,
    spaces: Sequence[str],
    changes: Mapping[str, object],
    compared: tuple[str | None, str | None],
    stop_early: str | None,
) -> SweepSettings:
    """Return the document's sweep with the options; raises ``RefusedError``."""
    from pydantic import ValidationError

    from pipelines.document.settings import SweepSettings
    from pipelines.sweeps.space import parsed_spaces

    before = document.settings.sweep or SweepSettings()
    content = before.model_dump(mode="json")
    for place, space in parsed_spaces(spaces, document, runs.catalog).items():
        content["parameters"][place] = space.model_dump(mode="json")
    content |= {name: value for name, value in changes.items() if value is not None}
    content |= _objective(content.get("objective"), *compared)
    if stop_early is not None:
        content["pruning"] = {**(content.get("pruning") or {}), "kind": stop_early}
    try:
        return SweepSettings.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"][:2]))
        facts = {"name": name, "why": first["msg"]}
        raise RefusedError(sentences.NO_SWEEP_SETTING, **facts) from None


def _objective(before: Any, metric: str | None, goal: str | None) -> Mapping[str, object]:
    from pipelines.runs.metric_words import higher_is_better

    if metric is not None:
        node, _dot, name = metric.partition(".")
        if not (node and name):
            raise RefusedError(sentences.NO_METRIC_NAME, text=metric[:100])
        is_lower = higher_is_better(name) is False
        before = {"node": node, "metric": name, "goal": "minimize" if is_lower else "maximize"}
    if goal is not None and before is None:
        raise RefusedError(sentences.GOAL_WITHOUT_METRIC)
    if goal is not None:
        before = {**before, "goal": goal}
    return {} if before is None else {"objective": before}


def _followed(context: CommandContext, sweep_id: str) -> Answer:
    """Show the trials as they end, and return the sweep; Ctrl+C or SIGTERM stops it."""
    from pipelines.sweeps.following import follow_sweep
    from pipelines.sweeps.sweeps import Sweeps

    was_interrupted, shown, is_stopping = interruptions(), set[int](), False
    with refused_as_report(as_json=context.as_json):
        for sweep in follow_sweep(context.runs, sweep_id):
            if not context.as_json:
                _print_ended(sweep, shown)
            if was_interrupted() and not is_stopping and sweep.row.state == "running":
                is_stopping = True
                Sweeps(context.runs).stop(sweep_id)
                text = _("Stopping. Continue with `designer sweep resume {sweep}`.", sweep=sweep_id)
                console(error=True).print(text, style="yellow", markup=False)
    return _shown(sweep)


def _print_ended(sweep: Sweep, shown: set[int]) -> None:
    """Print trials on standard error that have ended since."""
    from modules.search.spaces import values_text
    from modules.search.trials import OPEN

    for trial in sweep.trials:
        if trial.state in OPEN or trial.number in shown:
            continue
        shown.add(trial.number)
        text = _(
            "Trial {number} {state}{result}: {values}",
            number=trial.number,
            state=status_words(trial.state),
            result="" if trial.objective is None else f", {_result_text(sweep, trial)}",
            values=values_text(trial.values),
        )
        console(error=True).print(text, markup=False)


def _result_text(sweep: Sweep, trial: TrialRow) -> str:
    from pipelines.runs.metric_words import metric_text

    objective = sweep.settings.objective
    if trial.objective is None or objective is None:
        return ""
    return metric_text(objective.metric, trial.objective)


def _report(sweep: Sweep) -> CommandReport:
    from pipelines.sweeps.sweep_reports import command_report

    return command_report(sweep)


def _shown(sweep: Sweep) -> Answer:
    exit_code = EXIT_CODE.get(sweep.row.state, 0)
    return Answer(_report(sweep), partial(_print_one, sweep), exit_code)


def _print_one(sweep: Sweep) -> None:
    from modules.search.spaces import space_text, value_text
    from pipelines.runs.metric_words import metric_words
    from pipelines.sweeps.sweep_reports import reason_text

    settings, best = sweep.settings, sweep.best
    objective = settings.objective
    facts = [
        (_("Sweep"), sweep.id),
        (_("Pipeline"), sweep.row.name),
        (_("State"), status_words(sweep.row.state)),
        (_("Strategy"), settings.strategy),
    ]
    facts += [(place, space_text(space)) for place, space in settings.parameters.items()]
    if objective is not None:
        facts.append((_("Metric"), f"{objective.node}.{objective.metric}, {objective.goal}"))
    for reason in (sweep.row.reason, sweep.row.notes or None):
        text = reason_text(reason)
        if text:
            facts.append((_("Reason"), text))
    print_facts(facts)
    places = list(settings.parameters)
    rows = (
        (
            f"{trial.number}{' *' if best is not None and trial.number == best.number else ''}",
            status_words(trial.state),
            _result_text(sweep, trial),
            *(value_text(trial.values[place]) for place in places),
            trial.run_id,
            trial.why,
        )
        for trial in sweep.trials
    )
    metric = metric_words(objective.metric) if objective is not None else _("Result")
    columns = (_("Trial"), _("State"), metric, *places, _("Run"), _("Reason"))
    print_table(columns, rows, _("No trials yet."))
    _print_repeated(sweep)
    if best is not None:
        values = " ".join(f"--set {place}={value_text(best.values[place])}" for place in places)
        text = _(
            "Best: trial {number}. Use its values: {values}", number=best.number, values=values
        )
        console().print(text, markup=False)


def _print_repeated(sweep: Sweep) -> None:
    """Print the mean and the spread of configurations that were repeated with other seeds."""
    from modules.search.spaces import values_text
    from pipelines.runs.metric_words import metric_text

    objective = sweep.settings.objective
    if objective is None or not sweep.configurations:
        return

    def text(value: float | None) -> str:
        return "" if value is None else metric_text(objective.metric, value)

    rows = (
        (
            one.trial.number,
            values_text(one.trial.values),
            len(one.objectives),
            text(one.mean),
            text(one.spread),
        )
        for one in sweep.configurations
    )
    columns = (_("Trial"), _("Values"), _("Seeds"), _("Mean"), _("Standard deviation"))
    print_table(columns, rows, "")


@app.command("list")
@command
def list_sweeps(context: CommandContext) -> Answer:
    """List the sweeps, newest first."""
    sweeps = _sweeps(context).all()
    content = {"sweeps": [_summary(sweep) for sweep in sweeps]}
    return Answer(content, partial(_print_all, sweeps))


def _summary(sweep: Sweep) -> Mapping[str, object]:
    best = sweep.best
    return {
        "sweep": sweep.id,
        "name": sweep.row.name,
        "state": sweep.row.state,
        "best": None if best is None else best.number,
        "created": sweep.row.created,
        "num_trials": len(sweep.own_trials),
        "objective": None if best is None else best.objective,
    }


def _print_all(sweeps: Sequence[Sweep]) -> None:
    rows = (
        (
            sweep.id,
            sweep.row.name,
            status_words(sweep.row.state),
            f"{len(sweep.own_trials)}/{sweep.settings.max_trials}",
            _result_text(sweep, sweep.best) if sweep.best is not None else "",
            datetime.fromtimestamp(sweep.row.created).strftime("%Y-%m-%d %H:%M"),
        )
        for sweep in sweeps
    )
    columns = (_("Sweep"), _("Pipeline"), _("State"), _("Trials"), _("Best"), _("Started"))
    print_table(columns, rows, _("No sweeps yet."))


@app.command()
@command
def show(context: CommandContext, sweep: SweepArgument) -> Answer:
    """Show the trials of a sweep."""
    shown = _sweeps(context).find(sweep)
    return Answer(_report(shown), partial(_print_one, shown))


@app.command()
@command
def stop(context: CommandContext, sweep: SweepArgument) -> Answer:
    """Stop a sweep. Its runs are cancelled and continue when it is resumed."""
    from pipelines.sweeps.following import follow_sweep

    sweeps = _sweeps(context)
    stopped = sweeps.stop(sweeps.find(sweep).id)
    for latest in follow_sweep(context.runs, stopped.id):
        stopped = latest
    return Answer(_report(stopped), partial(_print_one, stopped))


@app.command()
@command
def resume(
    context: CommandContext,
    sweep: SweepArgument,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Return immediately. The sweep continues in the background."),
    ] = False,
) -> Answer:
    """Continue a sweep that was stopped or has failed."""
    sweeps = _sweeps(context)
    resumed = sweeps.resume(sweeps.find(sweep).id)
    if detach:
        return Answer(_report(resumed), partial(_print_one, resumed))
    return _followed(context, resumed.id)


@app.command()
@command
def repeat(
    context: CommandContext,
    sweep: SweepArgument,
    seeds: Annotated[int, typer.Option(help="Number of other seeds, 1 to 20.")] = 3,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Return immediately. The sweep continues in the background."),
    ] = False,
) -> Answer:
    """Run the best three trials again with other random seeds; show the mean of each."""
    sweeps = _sweeps(context)
    repeated = sweeps.repeat(sweeps.find(sweep).id, seeds)
    if detach:
        return Answer(_report(repeated), partial(_print_one, repeated))
    return _followed(context, repeated.id)
