"""Endpoints that read, validate and forecast a document without running it."""

from __future__ import annotations

from dataclasses import replace

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.forecasting.estimates import RunForecast
from pipelines.forecasting.forecast import step_forecasts
from pipelines.forecasting.run_forecast import forecast_now
from pipelines.problems import PipelineError, Problem


class Verdict(JsonModel):
    """Validity of a document, and all its problems."""

    valid: bool
    problems: list[Problem]


class Choices(JsonModel):
    """Values that are meaningful for the data, with descriptions, by node and parameter."""

    nodes: dict[str, dict[str, dict[str, str]]]


@ApiEndpoint("POST", "/api/validate", takes=PipelineDocument)
def _validate(application: Application, call: Call) -> Verdict:
    """Validate a document."""
    try:
        problems = application.session.checks.problems(call.document)
    except PipelineError as error:
        problems = list(error.problems)
    valid = all(problem.severity != "error" for problem in problems)
    return Verdict(valid=valid, problems=problems)


_validate_saved = replace(
    _validate,
    path="/api/pipelines/{pipeline_id}/validate",
    summary="The same, at the address of the pipeline.",
)


@ApiEndpoint("POST", "/api/forecast", takes=PipelineDocument, errors=(422,))
def _forecast(application: Application, call: Call) -> RunForecast:
    """Forecast of images, classes, memory, time and reuse."""
    document = application.prepared(call.document)
    roots = application.settings.allowed_roots
    return forecast_now(application.session.runs, document, roots)


@ApiEndpoint("POST", "/api/choices", takes=PipelineDocument)
def _choices(application: Application, call: Call) -> Choices:
    """Choices of parameters that exist in the data of a document."""
    document = application.prepared(call.document)
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    try:
        steps = step_forecasts(document, application.session.catalog, context)
    except PipelineError:
        steps = {}  # its errors are reported elsewhere
    return Choices(
        nodes={
            node: {name: dict(values) for name, values in step.choices.items()}
            for node, step in steps.items()
            if step.choices
        }
    )


@ApiEndpoint("POST", "/api/documents/read", takes=PipelineDocument, errors=(422,))
def _read(_application: Application, call: Call) -> PipelineDocument:
    """Read a document of any format: returned complete, in the newest one."""
    return call.document


ENDPOINTS = (_read, _validate, _validate_saved, _forecast, _choices)
