"""Labels of saved pipelines in a sentence or list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from designer_app.translation import _
from pipelines.registry.pipeline_labels import labels_of, unique_labels
from pipelines.store.database.history import RunRow
from pipelines.store.database.pipelines import PipelineRow


def names_of(
    pipelines: Sequence[PipelineRow], among: Sequence[PipelineRow] = (), most: int = 5
) -> str:
    """Return ``Digits, Shapes and 3 more``: the pipelines by their labels.

    Args:
        pipelines: Pipelines to name.
        among: All saved pipelines, so that a name shared with one of them has its id.
        most: Number of names.
    """
    known = labels_of([*among, *pipelines])
    labels = [known[row.id] for row in pipelines]
    names = ", ".join(labels[:most])
    if len(labels) <= most:
        return names
    return _("{names} and {count:,} more", names=names, count=len(labels) - most)


def labels_in_runs(runs: Iterable[RunRow], pipelines: Iterable[PipelineRow]) -> dict[str, str]:
    """Return the labels of the runs' pipelines by id, the same on each page of a list.

    Args:
        runs: Runs in a list; the pipelines of some may be deleted.
        pipelines: All saved pipelines, so that a name shared with one of them has its id.
    """
    names = {row.id: row.name for row in pipelines}
    of_runs = {run.pipeline_id: run.pipeline_name for run in runs if run.pipeline_id is not None}
    labels = unique_labels({**names, **{key: name or "" for key, name in of_runs.items()}})
    return {pipeline_id: labels[pipeline_id] for pipeline_id in of_runs}
