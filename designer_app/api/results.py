"""Endpoints for the results of runs: metrics, columns of run lists, and primary metrics."""

from __future__ import annotations

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.history import FILTERS, found_page
from designer_app.api.runs import found_run
from designer_app.application import Application
from modules.json_model import JsonModel
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


ENDPOINTS = (_figures, _columns, _choose)
