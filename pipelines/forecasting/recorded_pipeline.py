"""Pipeline that trains with a recording: the starter pipeline, and later the user's version of it.

The first training creates it. Every further one only sets the version of the dataset, so that what
the user changed or improved in the meantime stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from modules.catalog import Catalog
from modules.datasets.import_images import import_images
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.edits import set_parameter
from pipelines.errors import PipelineNotFoundError, StaleRevisionError
from pipelines.forecasting.starter_pipeline import starter_of_dataset
from pipelines.problems import PipelineError
from pipelines.registry.datasets import PREFIX, RECORDED, RegisteredDatasets
from pipelines.registry.pipelines import SavedPipelines
from pipelines.registry.recording_versions import SavedRecording, source_of
from pipelines.runs.run_service import RunService
from pipelines.store.database.pipelines import Revision

ATTEMPTS = 3
"""Attempts to save the pipeline while it is also edited elsewhere."""


def pipeline_of_recording(
    runs: RunService,
    datasets: RegisteredDatasets,
    pipelines: SavedPipelines,
    name: str,
    saved: SavedRecording,
    allowed_roots: Sequence[Path] | None = None,
) -> Revision:
    """Return the pipeline of a recording, which reads its newest version.

    Args:
        runs: Runs of the workspace.
        datasets: Datasets of the workspace.
        pipelines: Pipelines of the workspace.
        name: Name of the recording and of its dataset.
        saved: Its newest version, and the pipeline of the last training.
        allowed_roots: Folders that pipelines may read.

    Raises:
        RefusedError: The version has fewer than two classes.
    """
    for _ in range(ATTEMPTS if saved.pipeline_id else 0):
        with suppress(StaleRevisionError):
            known = _updated(runs, pipelines, name, saved)
            if known is not None:
                return known
            break
    made, _summary = starter_of_dataset(runs, datasets, name, saved.version, allowed_roots)
    return pipelines.create(made.document)


def _updated(
    runs: RunService, pipelines: SavedPipelines, name: str, saved: SavedRecording
) -> Revision | None:
    """Return the known pipeline with the newest version; None if it no longer reads the dataset."""
    try:
        revision = pipelines.open(saved.pipeline_id)
        document = parse_document(revision.document)
    except (PipelineNotFoundError, PipelineError):  # deleted, or from a newer version
        return None
    source = source_of(name, saved.version)
    changed = _reading(document, runs.catalog, name, source)
    if changed is None:
        return None
    return revision if changed is document else pipelines.commit(changed, revision.revision)


def _reading(
    document: PipelineDocument, catalog: Catalog, name: str, source: str
) -> PipelineDocument | None:
    """Return the document with another version of the dataset; None if it does not read it."""
    of_dataset, newest = (f"{PREFIX}{name}@", f"{RECORDED}{name}@"), f"{PREFIX}{name}"
    sources = {
        node.id: str(node.parameters.get("source", ""))
        for node in document.nodes
        if node.module == import_images.id
    }
    reading = [node for node, text in sources.items() if (text + "@").startswith(of_dataset)]
    for node in reading:
        if sources[node] not in (source, newest):
            document = set_parameter(document, catalog, node, "source", source)
    return document if reading else None
