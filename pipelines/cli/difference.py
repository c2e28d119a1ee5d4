"""``designer diff``: differences of two pipelines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.sentences import _

if TYPE_CHECKING:
    from modules.catalog import Catalog
    from pipelines.document.document import Definition, PipelineDocument
    from pipelines.document.graph_difference import GraphDifference, PipelineDifference

_PIPELINE = (
    "a file (JSON, .py), a lesson, the ID of a saved pipeline or of a run, pipeline:ID@REVISION, "
    "published:NAME@VERSION or run:ID."
)


@command
def diff(
    context: CommandContext,
    baseline: Annotated[str, typer.Argument(help=f"The pipeline before: {_PIPELINE}")],
    pipeline: Annotated[str, typer.Argument(help="The pipeline after, in the same forms.")],
) -> Answer:
    """Show the differences of two pipelines: nodes, values, wires and settings."""
    from pipelines.document.graph_difference import pipeline_difference

    old, new = _document(context, baseline), _document(context, pipeline)
    catalog = context.session.catalog
    difference = pipeline_difference(old, new, catalog)
    return Answer(difference.model_dump(mode="json"), partial(_print, difference, new, catalog))


def _document(context: CommandContext, text: str) -> PipelineDocument:
    """Return a pipeline by its file or lesson, its reference, its id, or the id of a run."""
    from pipelines.errors import NotFoundError, PipelineNotFoundError
    from pipelines.inspection.pipeline_references import is_reference, referenced_pipeline
    from pipelines.lessons.pipeline_files import is_pipeline_file, load_pipeline
    from pipelines.sentences import refusals

    session = context.session
    services = (session.pipelines, session.published, session.runs)
    if is_reference(text):
        return referenced_pipeline(text, *services)
    path = Path(text)
    if is_pipeline_file(path) or "/" in text or path.suffix in (".json", ".py"):
        return load_pipeline(path, session.catalog)
    try:
        return referenced_pipeline(f"pipeline:{text}", *services)
    except PipelineNotFoundError:
        if "@" in text:
            raise
    try:
        return referenced_pipeline(f"run:{text}", *services)
    except NotFoundError:
        raise NotFoundError(refusals.NO_SUCH_PIPELINE, text=text[:80]) from None


def _print(difference: PipelineDifference, new: PipelineDocument, catalog: Catalog) -> None:
    if difference.count == 0:
        console().print(_("No differences."))
        return
    old = difference.baseline
    definitions = (*new.definitions, *old.definitions)
    lines = list(_lines(difference.graph, old, new, definitions, catalog))
    for definition_id, inside in difference.inside.items():
        was, now = old.definition(definition_id), new.definition(definition_id)
        if was and now:
            lines.append(_("In {title}:", title=now.title or now.id))
            lines += [f"  {line}" for line in _lines(inside, was, now, definitions, catalog)]
    for line in lines:
        # one line, whatever a title contains
        console().print(" ".join(line.splitlines()), markup=False, highlight=False)


def _lines(
    difference: GraphDifference,
    old: PipelineDocument | Definition,
    new: PipelineDocument | Definition,
    definitions: tuple[Definition, ...],
    catalog: Catalog,
) -> Iterator[str]:
    from pipelines.document.document_diff import titles_of

    names = titles_of(definitions, (*new.nodes, *old.nodes), catalog)
    yield from (f"+ {names[node]}" for node in difference.added)
    yield from (f"- {names[node]}" for node in difference.removed)
    for mark, texts_by_node in (("~", difference.changed), (">", difference.moved)):
        for node, texts in texts_by_node.items():
            yield from (f"{mark} {names[node]} · {text}" for text in texts)
    yield from (f"~ {text}" for text in (*difference.links, *difference.others))
