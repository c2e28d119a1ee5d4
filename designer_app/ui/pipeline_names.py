"""Saved pipelines, named in a sentence or a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipelines.store.pipelines import PipelineRow


def names_of(pipelines: Sequence[PipelineRow], most: int = 5) -> str:
    """``Digits, Shapes and 3 more``: the pipelines by name."""
    names = [row.name or row.id for row in pipelines]
    rest = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def labels_of(pipelines: Sequence[PipelineRow]) -> dict[str, str]:
    """By id: the name, with the id where several have it.

    Streamlit finds what was chosen by its label, and takes another of the same label for it.
    """
    times = Counter(row.name for row in pipelines)
    return {
        row.id: row.name if row.name and times[row.name] == 1 else f"{row.name or ''} ({row.id})"
        for row in pipelines
    }
