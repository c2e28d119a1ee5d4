"""``designer inference``: the inference pipeline of a training pipeline or run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_table
from pipelines.cli.reports import refused_as_report
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.document.inference import Derived


@command
def inference(
    context: CommandContext,
    pipeline: Annotated[
        Path,
        typer.Argument(
            help="A pipeline document (JSON; - for standard input), a lesson's name, or a run's ID."
        ),
    ],
    model: Annotated[
        str | None,
        typer.Option(help="NAME@VERSION. Default: the newest registered one of the pipeline."),
    ] = None,
    node: Annotated[
        str | None, typer.Option(help="Node that outputs the trained model, if several do.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="File for the inference pipeline (JSON).")
    ] = None,
) -> Answer:
    """Derive the inference pipeline: without the training, with a registered model.

    Shows what is removed, replaced and changed, and why.
    """
    from pipelines.document.document import dump_document, parse_document
    from pipelines.lessons.pipeline_files import is_pipeline_file, read_document
    from pipelines.registry.inference import inference_pipeline

    runs, run_id = context.runs, None
    with refused_as_report(as_json=context.as_json):
        if is_pipeline_file(pipeline):
            document = read_document(pipeline, [], runs.catalog)
        else:
            record = runs.find(str(pipeline))
            document, run_id = parse_document(record.document), record.id
        derived = inference_pipeline(
            context.session.models,
            document,
            runs.catalog,
            model=model,
            run_id=run_id,
            node=node,
        )
    if output is not None:
        from modules.files.whole_files import replacing

        with replacing(output) as fresh:
            fresh.write_text(dump_document(derived.document), encoding="utf-8")
    content = {
        "document": derived.document.to_json(),
        "changes": [
            {"kind": c.kind, "node": c.node, "title": c.title, "why": str(c.why)}
            for c in derived.changes
        ],
    }
    return Answer(content, partial(_print, derived, output))


def _print(derived: Derived, output: Path | None) -> None:
    words = {
        "removed": _("removed"),
        "replaced": _("replaced"),
        "changed": _("changed"),
        "added": _("added"),
    }
    rows = (
        (words[change.kind], change.node, change.title, str(change.why))
        for change in derived.changes
    )
    print_table((_("Change"), _("Node"), _("Module"), _("Reason")), rows, _("Nothing changes."))
    if output is not None:
        console().print(_("Written to {path}.", path=output), markup=False)
