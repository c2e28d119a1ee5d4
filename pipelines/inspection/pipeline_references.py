"""References to pipelines of a workspace: ``pipeline:ID@REVISION``, ``published:NAME@VERSION``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.registry.pipelines import SavedPipelines
    from pipelines.registry.published import PublishedPipelines
    from pipelines.runs.run_service import RunService

_REFERENCE = re.compile(r"(pipeline|published|run):([^@\s]{1,200})(?:@([0-9]{1,9}))?")


def is_reference(text: str) -> bool:
    """Return True for a text with the prefix of a reference, valid or not."""
    return text.startswith(("pipeline:", "published:", "run:"))


def referenced_pipeline(
    reference: str,
    pipelines: SavedPipelines,
    published: PublishedPipelines,
    runs: RunService,
) -> PipelineDocument:
    """Return a pipeline: saved (or a revision of it), published (or a version), or that of a run.

    Args:
        reference: ``pipeline:ID``, ``pipeline:ID@REVISION``, ``published:NAME``,
            ``published:NAME@VERSION`` or ``run:ID``.
        pipelines: Saved pipelines of the workspace.
        published: Published pipelines of the workspace.
        runs: Runs of the workspace.

    Raises:
        RefusedError: The reference is invalid.
        NotFoundError: There is none, or it was deleted.
        PipelineError: It is in a format that this version cannot read.
    """
    match = _REFERENCE.fullmatch(reference)
    if match is None or (match[1] == "run" and match[3] is not None):
        raise RefusedError(refusals.NO_PIPELINE_REFERENCE, text=reference[:80])
    kind, name, number = match[1], match[2], None if match[3] is None else int(match[3])
    if kind == "run":
        return parse_document(runs.find(name).document)
    if kind == "published":
        return parse_document(published.version(name, number).document)
    saved = pipelines.open(name) if number is None else pipelines.revision(name, number)
    return parse_document(saved.document)
