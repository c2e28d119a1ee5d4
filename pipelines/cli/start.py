"""``designer start``: own images become a pipeline that is run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_seconds
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.datasets import NameOption, imported
from pipelines.cli.output import console
from pipelines.cli.reports import refused_as_report
from pipelines.cli.run import watched
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.runs.report import RunReport

EVALUATE, RESULTS = "evaluate", "evaluation_results"
"""Node and port of the starter pipeline with the accuracy."""


@command
def start(
    context: CommandContext,
    source: Annotated[str, typer.Argument(help="A folder, or a zip or tar archive, of images.")],
    name: NameOption = None,
) -> Answer:
    """Create a pipeline for labeled images, run it, and print its accuracy.

    It does what *Start with your images* on the start page does.
    """
    from pipelines.forecasting.starter_pipeline import starter_of_dataset
    from pipelines.runs.run_request import RunRequest, this_process

    session = context.session
    dataset, version = imported(context, source, name)
    made, summary = starter_of_dataset(session.runs, session.datasets, dataset, version)
    pipeline_id = session.pipelines.create(made.document).pipeline_id
    if not context.as_json:
        text = _(
            "{images:,} images in {classes:,} classes: pipeline {pipeline}, about {time}.",
            images=summary.images,
            classes=summary.num_classes,
            pipeline=pipeline_id,
            time=format_seconds(made.seconds),
        )
        console().print(text, markup=False)
    with refused_as_report(as_json=context.as_json):
        request = RunRequest(made.document, pipeline_id=pipeline_id, owner=this_process())
        run_id = session.runs.submit(request)
    answer = watched(context, run_id)
    report: RunReport = answer.json  # type: ignore[assignment]  # of a run that was waited for
    num_images, accuracy = _tested(context, run_id)
    facts = {
        "pipeline": pipeline_id,
        "run": run_id,
        "state": report.status,
        "accuracy": accuracy,
        "images": num_images,
        "seconds": report.seconds,
        "problem": _first_problem(report),
        "warnings": [
            {"node": node_id, "message": message}
            for node_id, node in report.nodes.items()
            for message in node.warnings
        ],
    }
    return Answer(facts, answer.text, answer.exit_code)


def _first_problem(report: RunReport) -> dict[str, str | None] | None:
    """Return why the run failed: the problem of the first failed node, or else of the run."""
    failed = [(id, node.problem) for id, node in report.nodes.items() if node.status == "failed"]
    for node_id, problem in [*failed, (None, report.problem)]:
        if problem is not None:
            message, cure = problem.message, problem.cure
            return {"node": node_id, "message": message, "cure": cure}
    return None


def _tested(context: CommandContext, run_id: str) -> tuple[int | None, float | None]:
    """Return the number of test images and the accuracy on them; None without an evaluation."""
    from pipelines.inspection.evaluation import num_right
    from pipelines.inspection.run_outputs import RunOutputs

    results = RunOutputs(context.runs, run_id).output(EVALUATE, RESULTS)
    if results is None:
        return None, None
    right, num_images = num_right(results.folder)
    return num_images, right / num_images if num_images else None
