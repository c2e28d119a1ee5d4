"""``designer improve``: ways to improve a result of frozen layers, and runs of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_seconds
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.cli.reports import refused_as_report
from pipelines.cli.run import watched
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.forecasting.improvements import Improvements

LEAST_SECONDS = 0.1
"""Estimate below which all nodes are reused from an earlier run."""


@command
def improve(
    context: CommandContext,
    run: Annotated[str, typer.Argument(help="A completed run, or `last`.")],
    way: Annotated[
        str | None, typer.Argument(help="Way to run, such as fine_tune. Without it, list them.")
    ] = None,
) -> Answer:
    """List ways to improve the result of a run with frozen layers, or run one of them.

    The changed settings are those of the new run; the saved pipeline is not changed.
    """
    from pipelines.forecasting.improvements import improved_document, improvements_of
    from pipelines.runs.run_request import RunRequest, this_process

    runs = context.refreshed_runs
    record = runs.find(run)
    if way is None:
        ways = improvements_of(runs, record.id)
        return Answer(ways.model_dump(mode="json"), partial(_print, ways))
    with refused_as_report(as_json=context.as_json):
        document = improved_document(runs, record.id, way)
        pipeline_id = record.options.pipeline_id
        request = RunRequest(document, pipeline_id=pipeline_id, owner=this_process())
        run_id = runs.submit(request)
    return watched(context, run_id)


def _print(ways: Improvements) -> None:
    terminal = console()
    if not ways.choices:
        text = _("Run {run} has no result of frozen layers to improve.", run=ways.run_id)
        terminal.print(text, markup=False)
    if ways.verdict:
        terminal.print(ways.verdict, markup=False)
    for choice in ways.choices:
        is_known = choice.seconds < LEAST_SECONDS
        line = _(
            "{way}: {title}, {time}. {text} {expected}",
            way=choice.kind,
            title=choice.title,
            time=_("already computed")
            if is_known
            else _("about {time}", time=format_seconds(choice.seconds)),
            text=choice.text,
            expected=choice.expected,
        )
        terminal.print(line, markup=False)
    if ways.first is not None:
        line = _(
            "{label} {before} in run {run}, {now} now.",
            label=ways.first.label,
            before=ways.first.before,
            run=ways.first.run_id,
            now=ways.first.now,
        )
        terminal.print(line, markup=False)
