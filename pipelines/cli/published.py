"""``designer published``: frozen pipelines that are run again with other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.documents import ParamOption, SetOption
from pipelines.cli.endpoints import SlotArgument, keys_of, new_key_answer, print_keys
from pipelines.cli.output import confirm, console, print_facts, print_table, time_text
from pipelines.cli.reports import refused_as_report
from pipelines.cli.run import DetachOption, followed
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.store.database.published import PublishedPipeline

app = typer.Typer(help="Publish pipelines and run them again.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="Name of the published pipeline.")]
VersionOption = Annotated[int | None, typer.Option(help="Version. Default: the newest.")]


@app.command()
@command
def add(
    context: CommandContext,
    name: Annotated[
        str, typer.Argument(help="Name to publish under. If it exists, a new version is added.")
    ],
    pipeline: Annotated[
        Path,
        typer.Argument(
            help="A pipeline document (JSON; - for standard input), a lesson's name, or a run's ID."
        ),
    ],
    set_: SetOption = None,
    param: ParamOption = None,
    description: Annotated[str | None, typer.Option(help="What it does.")] = None,
    note: Annotated[str, typer.Option(help="What is new in this version.")] = "",
) -> Answer:
    """Publish a pipeline, or the pipeline of a run: later changes of it have no effect."""
    from pipelines.document.overrides import apply_overrides
    from pipelines.document.parameter_values import apply_parameter_values
    from pipelines.lessons.pipeline_files import is_pipeline_file, read_document

    runs = context.runs
    with refused_as_report(as_json=context.as_json):
        if is_pipeline_file(pipeline):
            document = read_document(pipeline, set_ or [], runs.catalog, param or ())
        else:
            from pipelines.document.document import parse_document

            document = parse_document(runs.find(str(pipeline)).document)
            document = apply_parameter_values(document, param or ())
            document = apply_overrides(document, set_ or [], runs.catalog)
        version = context.session.published.publish(
            name,
            document,
            runs.checks.problems,
            description=description,
            version_description=note,
        )
    facts = {"name": name, "version": version.version}
    return Answer(facts, _("Published {name}, version {version}.", **facts))


@app.command("list")
@command
def list_published(context: CommandContext) -> Answer:
    """List the published pipelines."""
    entries = context.session.published.all()
    return Answer(
        {"published": [_entry(pipeline) for pipeline in entries]}, partial(_print_all, entries)
    )


def _entry(pipeline: PublishedPipeline) -> Mapping[str, Any]:
    return {
        "name": pipeline.name,
        "description": pipeline.description,
        "created": pipeline.created,
        "versions": [version.version for version in pipeline.versions],
    }


def _print_all(pipelines: Sequence[PublishedPipeline]) -> None:
    rows = (
        (
            pipeline.name,
            pipeline.newest.version,
            time_text(pipeline.newest.created),
            pipeline.description,
        )
        for pipeline in pipelines
    )
    columns = (_("Name"), _("Version"), _("Published"), _("Description"))
    print_table(columns, rows, _("No published pipelines yet."))


@app.command()
@command
def show(context: CommandContext, name: NameArgument, version: VersionOption = None) -> Answer:
    """Show the parameters and versions of a published pipeline."""
    pipeline = context.session.published.find(name)
    chosen = context.session.published.version(name, version)
    content = {
        **_entry(pipeline),
        "version": chosen.version,
        "note": chosen.description,
        "document": chosen.document,
        "parameters": chosen.document.get("parameters") or [],
    }
    return Answer(content, partial(_print_one, content))


def _print_one(content: Mapping[str, Any]) -> None:
    print_facts(
        [
            (_("Name"), content["name"]),
            (_("Description"), content["description"]),
            (_("Version"), f"{content['version']} {content['note']}".strip()),
            (_("Versions"), ", ".join(map(str, content["versions"]))),
        ]
    )
    columns = (_("Parameter"), _("Type"), _("Default"), _("Description"))
    rows = (
        (entry["id"], entry.get("type", "string"), entry.get("default"), entry.get("description"))
        for entry in content["parameters"]
    )
    print_table(columns, rows, _("It has no parameters."))


@app.command()
@command
def run(
    context: CommandContext,
    name: NameArgument,
    param: ParamOption = None,
    version: VersionOption = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="With the same key, the same run is returned.")
    ] = None,
    detach: DetachOption = False,
) -> Answer:
    """Run a published pipeline. Without --detach, Ctrl+C cancels the run."""
    from pipelines.document.parameter_values import assigned_values
    from pipelines.runs.published_runs import PublishedRuns
    from pipelines.runs.run_request import this_process

    published = PublishedRuns(context.refreshed_runs)
    with refused_as_report(as_json=context.as_json):
        document = published.document(name, version)
        submitted = published.start(
            name,
            assigned_values(document, param or ()),
            version=version,
            idempotency_key=idempotency_key,
            owner=None if detach or idempotency_key else this_process(),
        )
    if not submitted.is_new:
        notice = _("Run {run} was started with this key before.", run=submitted.run_id)
        console(error=True).print(notice, markup=False)
    return followed(context, submitted.run_id, detach=detach)


@app.command()
@command
def remove(
    context: CommandContext,
    name: NameArgument,
    version: Annotated[int | None, typer.Option(help="Only this version.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Remove a published pipeline, or one version. Its runs stay."""
    from pipelines.automation.schedules import Schedules

    context.session.published.version(name, version)
    Schedules(context.runs).require_unused(name, version)
    confirm(_("Remove {name}?", name=name), yes=yes, as_json=context.as_json)
    context.session.published.delete(name, version)
    return Answer(
        {"name": name, "version": version, "removed": True}, _("{name} was removed.", name=name)
    )


@app.command("keys")
@command
def list_keys(context: CommandContext, name: NameArgument) -> Answer:
    """List the keys of programs that may run it, without their secret."""
    context.session.published.find(name)
    keys = keys_of(context, "published", name).all()
    return Answer({"name": name, "keys": keys}, partial(print_keys, keys))


@app.command()
@command
def rotate(context: CommandContext, name: NameArgument, slot: SlotArgument) -> Answer:
    """Create or replace a key. Callers with the other key are not affected."""
    context.session.published.find(name)
    return new_key_answer(name, slot, keys_of(context, "published", name).rotate(slot))


@app.command()
@command
def revoke(context: CommandContext, name: NameArgument, slot: SlotArgument) -> Answer:
    """Remove a key."""
    context.session.published.find(name)
    keys_of(context, "published", name).remove(slot)
    return Answer(
        {"name": name, "slot": slot, "revoked": True},
        _("Key {slot} of {name} was removed.", slot=slot, name=name),
    )
