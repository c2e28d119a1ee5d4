"""Endpoints that read, validate and forecast a document without running it."""

from __future__ import annotations

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


def _validate(application: Application, call: Call) -> Verdict:
    try:
        problems = application.session.checks.problems(call.document)
    except PipelineError as error:
        problems = list(error.problems)
    valid = all(problem.severity != "error" for problem in problems)
    return Verdict(valid=valid, problems=problems)


def _forecast(application: Application, call: Call) -> RunForecast:
    document = application.prepared(call.document)
    roots = application.settings.allowed_roots
    return forecast_now(application.session.runs, document, roots)


def _choices(application: Application, call: Call) -> Choices:
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


def _read(_application: Application, call: Call) -> PipelineDocument:
    return call.document


ENDPOINTS = (
    ApiEndpoint(
        "POST",
        "/api/documents/read",
        "Read a document of any format: returned complete, in the newest one.",
        _read,
        takes=PipelineDocument,
        gives=PipelineDocument,
        errors=(422,),
    ),
    ApiEndpoint(
        "POST",
        "/api/validate",
        "Validate a document.",
        _validate,
        takes=PipelineDocument,
        gives=Verdict,
    ),
    ApiEndpoint(
        "POST",
        "/api/pipelines/{pipeline_id}/validate",
        "The same, at the address of the pipeline.",
        _validate,
        takes=PipelineDocument,
        gives=Verdict,
    ),
    ApiEndpoint(
        "POST",
        "/api/forecast",
        "Forecast of images, classes, memory, time and reuse.",
        _forecast,
        takes=PipelineDocument,
        gives=RunForecast,
        errors=(422,),
    ),
    ApiEndpoint(
        "POST",
        "/api/choices",
        "Choices of parameters that exist in the data of a document.",
        _choices,
        takes=PipelineDocument,
        gives=Choices,
    ),
)
