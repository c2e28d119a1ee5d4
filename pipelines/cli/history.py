"""``designer runs list|rename|tag|note|delete|clone|resubmit``: the history of runs."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.documents import ParamOption
from pipelines.cli.output import confirm, console, print_table, seconds_text, time_text
from pipelines.cli.reports import refused_as_report
from pipelines.cli.run import DetachOption, followed
from pipelines.cli.runs import RunArgument
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.runs.deletion import RunDeletion
    from pipelines.store.database.history import RunPage, RunRow

DAYS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


@command
def list_runs(
    context: CommandContext,
    text: Annotated[
        str | None, typer.Argument(help="Words to find in names, notes and tags.")
    ] = None,
    experiment: Annotated[str | None, typer.Option(help="Only runs of this experiment.")] = None,
    pipeline: Annotated[str | None, typer.Option(help="Only runs of this saved pipeline.")] = None,
    status: Annotated[
        list[str] | None, typer.Option(help="Only runs with this status. Repeatable.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only runs with all of these tags. Repeatable.")
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(help="Only trials of this sweep: its ID, the start or end of it, or `last`."),
    ] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=DAYS, help="Only runs started at this time or later.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(formats=DAYS, help="Only runs started before this time.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of runs.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="Number of runs to skip.")] = 0,
) -> Answer:
    """List runs, newest first."""
    from pipelines.runs.history import run_entry
    from pipelines.store.database.history import RunFilter

    criteria = RunFilter(
        text=text or "",
        status=tuple(status or ()),
        experiment=experiment,
        pipeline_id=pipeline,
        tags=tuple(tag or ()),
        sweep=None if sweep is None else _sweep_id(context, sweep),
        since=since.timestamp() if since else None,
        until=until.timestamp() if until else None,
    )
    page = context.refreshed_session.history.search(criteria, limit=limit, offset=offset)
    return Answer(
        {"runs": [run_entry(row) for row in page.rows], "total": page.total},
        partial(_print_page, page, is_filtered=criteria != RunFilter()),
    )


def _sweep_id(context: CommandContext, text: str) -> str:
    from pipelines.sweeps.sweeps import Sweeps

    return Sweeps(context.refreshed_runs).find(text).id


def _print_page(page: RunPage, *, is_filtered: bool) -> None:
    columns = (
        _("Run"),
        _("Name"),
        _("Experiment"),
        _("Status"),
        _("Result"),
        _("Started"),
        _("Time"),
        _("Tags"),
    )
    rows = (
        (
            row.id,
            row.name,
            row.experiment,
            row.status,
            _result(row),
            time_text(row.created),
            seconds_text(row.seconds),
            ", ".join(row.tags),
        )
        for row in page.rows
    )
    empty = _("No runs yet. Start one with `designer run PIPELINE.json`.")
    print_table(columns, rows, _("No runs match the filters.") if is_filtered else empty)
    if page.total > len(page.rows) > 0:
        console().print(
            _(
                "{shown} of {total:,} runs shown. Use --limit and --offset to show more.",
                shown=len(page.rows),
                total=page.total,
            )
        )


def _result(row: RunRow) -> str:
    """Return the headline metric, for example ``Accuracy 98.3 %``."""
    from pipelines.runs.results import headline_in

    headline = headline_in(row)
    return f"{headline.label} {headline.text}" if headline else ""


@command
def rename(
    context: CommandContext,
    run: RunArgument,
    name: Annotated[str, typer.Argument(help="The new name.")],
) -> Answer:
    """Rename a run."""
    runs = context.refreshed_runs
    row = context.session.history.rename(runs.find(run).id, name)
    return Answer(
        {"run_id": row.id, "name": row.name},
        _("Renamed run {run} to {name}.", run=row.id, name=row.name),
    )


@command
def tag(
    context: CommandContext,
    run: RunArgument,
    tags: Annotated[list[str], typer.Argument(help="Tags to add.")],
    remove: Annotated[bool, typer.Option("--remove", help="Remove the tags instead.")] = False,
) -> Answer:
    """Add or remove tags of a run. `runs list --tag` finds runs by tag."""
    runs = context.refreshed_runs
    run_id = runs.find(run).id
    row = context.session.history.tag(run_id, **{"remove" if remove else "add": tags})
    return Answer(
        {"run_id": row.id, "tags": list(row.tags)},
        _("Run {run}: {tags}.", run=row.id, tags=", ".join(row.tags) or _("no tags")),
    )


@command
def note(
    context: CommandContext,
    run: RunArgument,
    text: Annotated[str, typer.Argument(help="The note. An empty text removes it.")],
) -> Answer:
    """Set the note of a run."""
    runs = context.refreshed_runs
    row = context.session.history.note(runs.find(run).id, text)
    return Answer(
        {"run_id": row.id, "note": row.note},
        _("Saved the note of run {run}.", run=row.id) if row.note else _("Removed the note."),
    )


@command
def delete(
    context: CommandContext,
    run: RunArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the effect without deleting anything.")
    ] = False,
) -> Answer:
    """Delete a run and its outputs, except those that other runs or models use."""
    runs = context.refreshed_runs
    run_id = runs.find(run).id
    plan = context.session.history.deletion_plan(run_id)
    if not dry_run:
        if not yes and not context.as_json:
            _print_plan(plan)
        confirm(_("Delete it?"), yes=yes, as_json=context.as_json)
        plan = context.session.history.delete(run_id)
    return Answer(plan, partial(_print_plan, plan))


def _print_plan(plan: RunDeletion) -> None:
    terminal = console()
    terminal.print(_plan_text(plan))
    for output in plan.kept:
        users = ", ".join(output.used_by) or _("outputs of other runs")
        terminal.print(
            _(
                "The output of {node} is kept, because it is used by {users}.",
                node=output.node,
                users=users,
            ),
            markup=False,
        )
    if plan.left_for_gc:
        terminal.print(
            _("A run is active. When it has ended, delete the outputs with `designer gc`.")
        )


def _plan_text(plan: RunDeletion) -> str:
    facts = {
        "run": plan.run_id,
        "size": format_bytes(plan.num_bytes),
        "nodes": len(plan.freed),
    }
    if plan.is_done:
        return _("Deleted run {run}: {size}, outputs of {nodes} nodes and its logs.", **facts)
    return _("Would delete run {run}: {size}, outputs of {nodes} nodes and its logs.", **facts)


@command
def clone(context: CommandContext, run: RunArgument) -> Answer:
    """Save the pipeline of a run as a new draft."""
    runs = context.refreshed_runs
    draft = context.session.history.clone(runs.find(run).id)
    return Answer(
        {"pipeline_id": draft.pipeline_id, "revision": draft.revision},
        _("Saved as {pipeline}. Open it in `designer app`.", pipeline=draft.pipeline_id),
    )


@command
def resubmit(
    context: CommandContext,
    run: RunArgument,
    from_node: Annotated[
        str | None,
        typer.Option("--from", help="Rerun this node and all nodes after it, and reuse the rest."),
    ] = None,
    param: ParamOption = None,
    name: Annotated[str | None, typer.Option(help="Name of the new run.")] = None,
    experiment: Annotated[str | None, typer.Option(help="Experiment of the new run.")] = None,
    detach: DetachOption = False,
) -> Answer:
    """Run the pipeline of a run again, also with other values of its parameters."""
    from pipelines.document.document import parse_document
    from pipelines.document.parameter_values import apply_parameter_values
    from pipelines.runs.run_request import this_process

    runs = context.refreshed_runs
    with refused_as_report(as_json=context.as_json):
        record, changed = runs.find(run), None
        if param:
            original = parse_document(record.document)
            changed = apply_parameter_values(original, param)
            runs.checks.allow_edits(original, changed)
        run_id = context.session.history.resubmit(
            record.id,
            from_node=from_node,
            document=changed,
            name=name,
            experiment=experiment,
            owner=None if detach else this_process(),
        )
    return followed(context, run_id, detach=detach)


COMMANDS = (list_runs, rename, tag, note, delete, clone, resubmit)
"""Commands in the order of the help."""
