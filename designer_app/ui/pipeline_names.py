"""Saved pipelines, named in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.store.pipelines import PipelineRow


def names_of(pipelines: Sequence[PipelineRow], most: int = 5) -> str:
    """``Digits, Shapes and 3 more``: the pipelines by name."""
    names = [row.name or row.id for row in pipelines]
    rest = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
