"""Endpoints that read, validate and forecast a document without running it."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.schemas.forecasts import Choices, Forecast
from designer_app.schemas.validation import Verdict
from pipelines.document.document import PipelineDocument
from pipelines.forecasting.forecast import forecast
from pipelines.forecasting.run_forecast import forecast_now
from pipelines.problems import PipelineError


def _validate(application: Application, call: Call) -> dict[str, Any]:
    try:
        problems = application.session.checks.problems(call.document)
    except PipelineError as error:
        problems = list(error.problems)
    return {
        "valid": all(problem.severity != "error" for problem in problems),
        "problems": [problem.to_json() for problem in problems],
    }


def _forecast(application: Application, call: Call) -> dict[str, Any]:
    document = application.prepared(call.document)
    roots = application.settings.allowed_roots
    return forecast_now(application.session.runs, document, roots).to_json()


def _choices(application: Application, call: Call) -> dict[str, Any]:
    document = application.prepared(call.document)
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    try:
        foreseen = forecast(document, application.session.catalog, context).to_json()["nodes"]
    except PipelineError:
        foreseen = []  # its errors are reported elsewhere
    return {"nodes": {node["node"]: node["choices"] for node in foreseen if node["choices"]}}


def _read(_application: Application, call: Call) -> dict[str, Any]:
    return call.document.to_json()


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/documents/read",
        "Read a document of any format: returned complete, in the newest one.",
        _read,
        takes=PipelineDocument,
        gives=PipelineDocument,
        errors=(422,),
    ),
    Endpoint(
        "POST",
        "/api/validate",
        "Validate a document.",
        _validate,
        takes=PipelineDocument,
        gives=Verdict,
    ),
    Endpoint(
        "POST",
        "/api/pipelines/{pipeline_id}/validate",
        "The same, at the address of the pipeline.",
        _validate,
        takes=PipelineDocument,
        gives=Verdict,
    ),
    Endpoint(
        "POST",
        "/api/forecast",
        "Forecast of images, classes, memory, time and reuse.",
        _forecast,
        takes=PipelineDocument,
        gives=Forecast,
        errors=(422,),
    ),
    Endpoint(
        "POST",
        "/api/choices",
        "Choices of parameters that exist in the data of a document.",
        _choices,
        takes=PipelineDocument,
        gives=Choices,
    ),
)
