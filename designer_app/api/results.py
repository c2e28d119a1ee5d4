"""Endpoints for the results of runs: metrics, columns of run lists, and ways to improve them."""

from __future__ import annotations

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.history import FILTERS, found_page
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.errors import not_found
from modules.json_model import JsonModel
from pipelines.forecasting.improvements import Improvements, improvements_of
from pipelines.inspection.few_images import LearningCurveReport, learning_curve_of
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.similar_images import images_of_model
from pipelines.runs.columns import RunColumn, RunColumns
from pipelines.runs.headline import Figure, Headline, HeadlineChoice, figures_of
from pipelines.runs.results import headline_in


class HeadlineSetting(JsonModel):
    """Primary metric of a pipeline's runs."""

    headline: HeadlineChoice | None = Field(description="Null: chosen automatically for each run.")


class RunFigures(JsonModel):
    """All metrics of a run, in node order."""

    run_id: str
    headline: Headline | None
    figures: list[Figure]


class RunColumnList(JsonModel):
    """Available columns for these runs."""

    columns: list[RunColumn]


@ApiEndpoint("GET", "/api/runs/{run_id}/figures", errors=(404,))
def _figures(application: Application, call: Call) -> RunFigures:
    """All metrics of a run and its main metric."""
    row = application.session.history.row(found_run(application, call).id)
    figures = figures_of(row.results.metrics) if row.results else []
    return RunFigures(run_id=row.id, headline=headline_in(row), figures=figures)


@ApiEndpoint("GET", "/api/runs/{run_id}/improvements", errors=(404,))
def _improvements(application: Application, call: Call) -> Improvements:
    """Ways to improve the result of frozen layers, each as changes of nodes and with its time."""
    run_id = found_run(application, call).id
    return improvements_of(application.session.runs, run_id, application.settings.allowed_roots)


@ApiEndpoint("GET", "/api/runs/{run_id}/learning-curve", errors=(404, 422, 503))
def _learning_curve(application: Application, call: Call) -> LearningCurveReport:
    """Accuracy by the number of training images of each class: how many more help."""
    outputs = RunOutputs(application.session.runs, found_run(application, call).id)
    images = images_of_model(outputs)
    if images is None:
        raise not_found(sentences.NO_IMAGES_TO_COMPARE)
    cache = str(application.settings.workspace.cache_dir)
    return learning_curve_of(images, application.inspector, cache)


@ApiEndpoint("GET", "/api/run-columns", query=FILTERS, errors=(400,))
def _columns(application: Application, call: Call) -> RunColumnList:
    """Metrics of the matching runs, and the parameters that differ between them."""
    columns = RunColumns(application.session.runs)
    return RunColumnList(columns=columns.available(found_page(application, call).rows))


@ApiEndpoint(
    "PUT", "/api/pipelines/{pipeline_id}/headline", takes=HeadlineSetting, errors=(404, 422)
)
def _choose(application: Application, call: Call) -> HeadlineSetting:
    """Set the main metric of a pipeline, also for earlier runs."""
    setting: HeadlineSetting = call.body
    application.session.history.choose_headline(call.path["pipeline_id"], setting.headline)
    return setting


ENDPOINTS = (_figures, _improvements, _learning_curve, _columns, _choose)
