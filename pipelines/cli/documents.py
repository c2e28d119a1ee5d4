"""``designer validate``, ``forecast``, ``modules``: checks of pipelines without running them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes, format_cost, format_count
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_problems, print_table, seconds_text
from pipelines.sentences import _

if TYPE_CHECKING:
    from modules.catalog import Catalog
    from pipelines.forecasting.estimates import NodeForecast, RunForecast
    from pipelines.problems import Problem

PipelineArgument = Annotated[
    Path,
    typer.Argument(
        help="A pipeline document (JSON), a Python file with a pipeline, or the name of a lesson, "
        "such as 01-digits. - reads standard input."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NODE.PARAM=VALUE", help="Change a parameter. Repeatable."),
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option(
        "--param", metavar="ID=VALUE", help="Set a parameter of the pipeline. Repeatable."
    ),
]


@command
def validate(
    context: CommandContext,
    pipeline: PipelineArgument,
    set_: SetOption = None,
    param: ParamOption = None,
) -> Answer:
    """List all problems of a pipeline. Exits with code 1 if it cannot be run."""
    from pipelines.lessons.pipeline_files import read_document
    from pipelines.problems import PipelineError
    from pipelines.validation.script_sources import source_problems

    runs = context.runs
    try:
        document = read_document(pipeline, set_ or [], runs.catalog, param or ())
        problems = list(runs.checks.problems_with_sources(document))
        reading = runs.checks.reading_context(None)
        problems += source_problems(document, runs.catalog, reading)
    except PipelineError as error:
        problems = list(error.problems)
    valid = all(problem.severity != "error" for problem in problems)
    return Answer(
        {"valid": valid, "problems": problems},
        partial(_print_verdict, problems, valid),
        exit_code=0 if valid else 1,
    )


def _print_verdict(problems: Sequence[Problem], is_valid: bool) -> None:
    print_problems(problems)
    can, cannot = _("The pipeline can be run."), _("The pipeline cannot be run.")
    console().print(can if is_valid else cannot)


@command
def forecast(
    context: CommandContext,
    pipeline: PipelineArgument,
    set_: SetOption = None,
    param: ParamOption = None,
) -> Answer:
    """Estimate images, classes, memory, time and reused outputs without running the pipeline."""
    from pipelines.forecasting.run_forecast import forecast_now
    from pipelines.lessons.pipeline_files import read_document

    document = read_document(pipeline, set_ or [], context.session.catalog, param or ())
    estimate = forecast_now(context.runs, document)
    return Answer(estimate, partial(_print_forecast, estimate))


def _print_forecast(estimate: RunForecast) -> None:
    columns = (
        _("Node"),
        _("Images"),
        _("Classes"),
        _("Size"),
        _("Memory"),
        _("Time"),
        _("Last run"),
    )
    rows = map(_forecast_row, estimate.nodes)
    print_table(columns, rows, _("The pipeline is empty. Add a module first."))
    console().print(_total_text(estimate))
    for node in estimate.nodes:
        for note in node.notes:
            console().print(f"{node.node}: {note}", markup=False)
        for finding in node.findings:
            sentence = f"{node.node}: {finding.message} {finding.cure}"
            console(error=True).print(sentence, style="yellow", markup=False)


def _total_text(estimate: RunForecast) -> str:
    """Return ``About 31 s (25 s to 40 s) on this machine, 3 reused; other processes ... 44 s.``"""
    totals, other_work = estimate.totals, estimate.other_work
    total = seconds_text(totals.critical_path_seconds)
    least, most = map(seconds_text, totals.range_seconds)
    likely = "" if least == most else _(" ({least} to {most})", least=least, most=most)
    text = _(
        "About {total}{likely} on this machine, {reused} reused",
        total=total,
        likely=likely,
        reused=totals.nodes_reused,
    )
    if totals.cost is not None:
        text += _(", cost {cost}", cost=format_cost(totals.cost))
    if not other_work.words:
        return f"{text}."
    slowed = seconds_text(other_work.seconds)
    return f"{text}; {other_work.words}: {_('about {time}', time=slowed)}."


def _forecast_row(node: NodeForecast) -> tuple[object, ...]:
    size, memory = node.image_size, node.memory_bytes
    return (
        node.node,
        None if node.images is None else format_count(node.images),
        node.classes,
        f"{size[0]} x {size[1]}" if size else None,
        None if memory is None else format_bytes(memory),
        _("reused") if node.reused else seconds_text(node.seconds),
        seconds_text(node.last.seconds) if node.last else None,
    )


@command
def modules(context: CommandContext) -> Answer:
    """List all modules, including those of the workspace and of installed packages."""
    from modules.catalog_spec import catalog_spec
    from pipelines.user_modules.workspace_catalog import load_catalog

    catalog = load_catalog(context.workspace)
    return Answer(partial(catalog_spec, catalog), partial(_print_modules, catalog))


def _print_modules(catalog: Catalog) -> None:
    rows = (
        (module.id, module.title, module.category, module.summary) for module in catalog.modules
    )
    print_table(
        (_("Module"), _("Title"), _("Category"), _("Description")), rows, _("No modules found.")
    )
    for failure in catalog.failures:
        location = failure.source if failure.line is None else f"{failure.source}:{failure.line}"
        sentence = f"{_('error')} {location}: {failure.message} {failure.cure}"
        console(error=True).print(sentence, style="red", markup=False)
