"""Labels of saved pipelines in a sentence or list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from designer_app.translation import _
from pipelines.store.database.pipelines import PipelineRow


def names_of(pipelines: Sequence[PipelineRow], most: int = 5) -> str:
    """Return ``Digits, Shapes and 3 more``: the pipelines by their labels."""
    labels = list(labels_of(pipelines).values())
    names = ", ".join(labels[:most])
    if len(labels) <= most:
        return names
    return _("{names} and {count:,} more", names=names, count=len(labels) - most)


def labels_of(pipelines: Sequence[PipelineRow]) -> dict[str, str]:
    """Return labels by id: the name, with the id if several have it; the id if there is no name.

    Streamlit identifies a choice by its label, so labels must be unique.
    """
    times = Counter(row.name for row in pipelines)
    return {row.id: _label(row, times[row.name]) for row in pipelines}


def _label(row: PipelineRow, times: int) -> str:
    if not row.name:
        return row.id
    return row.name if times == 1 else f"{row.name} ({row.id})"
