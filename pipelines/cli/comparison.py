"""``designer runs compare``: two to eight runs side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_table
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.runs.comparison import Comparison
    from pipelines.runs.prediction_changes import FlipPage


@command
def compare(
    context: CommandContext,
    run: Annotated[
        list[str], typer.Argument(help="Two to eight runs. The first one is the reference.")
    ],
    flips: Annotated[
        int,
        typer.Option(
            min=0, max=1000, help="Maximum number of changed predictions to list for each node."
        ),
    ] = 0,
) -> Answer:
    """Compare the parameters, metrics, graphs and changed predictions of runs."""
    from pipelines.runs.compared_runs import ComparedRuns
    from pipelines.runs.comparison import compare as compared_with
    from pipelines.runs.prediction_changes import flips as flipped_at

    runs = context.refreshed_runs
    ids = [runs.find(text).id for text in run]
    comparison = compared_with(runs, ids)
    opened_runs = ComparedRuns(runs, ids)
    pages = [flipped_at(opened_runs, flip.node, 0, flips) for flip in comparison.flips if flips]
    listed = [page.model_dump(mode="json") for page in pages]
    return Answer(
        {**comparison.model_dump(mode="json"), "flipped_images": listed},
        partial(_print, comparison, pages),
    )


def _print(comparison: Comparison, pages: list[FlipPage]) -> None:
    ids = [run.run_id for run in comparison.runs]
    for run in comparison.runs:
        if run.version is not None:
            console().print(
                _("{run} belongs to version {version}.", run=run.run_id, version=run.version),
                markup=False,
            )
    columns = (_("Node"), _("Parameter"), *ids)
    rows = (
        (parameter.node, parameter.title, *map(_text, parameter.values))
        for parameter in comparison.parameters
    )
    print_table(columns, rows, _("No parameters differ."))
    console().print()
    metrics = ((metric.node, metric.metric, *_with_deltas(metric)) for metric in comparison.metrics)
    print_table((_("Node"), _("Metric"), *ids), metrics, _("No metrics found."))
    for run, graph in list(zip(comparison.runs, comparison.graphs, strict=True))[1:]:
        console().print(f"{run.run_id}: {graph.summary}", markup=False)
    for flip in comparison.flips:
        counts = zip(ids, flip.fixed, flip.broken, strict=True)
        counts_text = ", ".join(
            _("{run} fixed {fixed} and broke {broken}", run=run_id, fixed=fixed, broken=broken)
            for run_id, fixed, broken in list(counts)[1:]
            if fixed is not None
        )
        console().print(
            _(
                "{node}: {flipped:,} of {shared:,} shared images have different predictions; "
                "{counts}.",
                node=flip.node,
                flipped=flip.flipped,
                shared=flip.shared,
                counts=counts_text,
            ),
            markup=False,
        )
        if flip.difference:
            console().print(flip.difference, markup=False)
    _print_flips(pages)


def _with_deltas(metric: Any) -> list[str]:
    cells = zip(metric.values, metric.deltas, strict=True)
    return [
        "" if value is None else f"{value:.4g}" + (f" ({delta:+.2g})" if delta else "")
        for value, delta in cells
    ]


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _print_flips(pages: list[FlipPage]) -> None:
    for page in pages:
        for image in page.images:
            predictions = "; ".join(
                f"{prediction.label} {prediction.confidence:.0%}" if prediction else "-"
                for prediction in image.predictions
            )
            label = image.category or _("no label")
            console().print(f"  {image.path} ({label}): {predictions}", markup=False)
