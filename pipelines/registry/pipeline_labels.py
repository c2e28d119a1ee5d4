"""Labels of saved pipelines, and the documents that refer to registered datasets and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from modules.schema_reference import DocumentData
from pipelines.store.database.pipelines import PipelineRow, PipelineStore
from pipelines.store.database.published import PublishedStore


def labels_of(pipelines: Sequence[PipelineRow]) -> dict[str, str]:
    """Return labels by id: the name, with the id if several have it; the id if there is no name.

    Streamlit identifies a choice by its label, so labels must be unique.
    """
    return unique_labels({row.id: row.name for row in pipelines})


def unique_labels(names: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of pipelines with these names, by id."""
    times = Counter(names.values())
    return {
        pipeline_id: (name if times[name] == 1 else f"{name} ({pipeline_id})")
        if name
        else pipeline_id
        for pipeline_id, name in names.items()
    }


def labelled_documents(
    pipelines: PipelineStore, published: PublishedStore
) -> Iterator[tuple[str, DocumentData]]:
    """Yield the label and document of every saved pipeline and every published version."""
    rows = pipelines.all()
    labels = labels_of(rows)
    for row in rows:
        yield f"the pipeline {labels[row.id]}", pipelines.latest(row.id).document
    for pipeline in published.all():
        for version in pipeline.versions:
            yield f"{pipeline.name}, version {version.version} (published)", version.document
