"""Module Web Service Input: the images that callers of an inference pipeline send."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

from pydantic import Field

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.datasets.import_images import resolve_source
from modules.datasets.sources import parse_source
from modules.declare import module
from modules.errors import ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import LocalPath, Parameters
from modules.spec import ParameterFinding, PortDoc


class WebServiceInputParameters(Parameters):
    source: Annotated[str | None, LocalPath("file:")] = Field(
        None,
        max_length=4096,
        description="Images of a run, which is a batch: file:PATH for a folder or an archive, or "
        "dataset:NAME. An endpoint uses the images of each request instead.",
    )


class WebServiceInputOutputs(NamedTuple):
    dataset: Annotated[AnyDirectory, PortDoc("The images, unchanged.")]


def _check(parameters: WebServiceInputParameters) -> Iterable[ParameterFinding]:
    """Check only the text; the source itself is checked when the step runs."""
    try:
        parse_source(parameters.source)
    except ModuleError as error:
        yield ParameterFinding.from_error(error, "source")


def _fingerprint(parameters: WebServiceInputParameters, context: Context) -> str:
    return resolve_source(parameters.source, context).fingerprint(context)


def _forecast(
    _inputs: Mapping[str, ArtifactForecast],
    parameters: WebServiceInputParameters,
    context: Context,
) -> StepForecast:
    """Return the contents of the source by its names, or the error as a finding."""
    try:
        foreseen = resolve_source(parameters.source, context).forecast(context)
    except ModuleError as error:
        finding = ParameterFinding.from_error(error, "source")
        return StepForecast({"dataset": ArtifactForecast()}, findings=(finding,))
    return StepForecast({"dataset": foreseen}, images_processed=foreseen.num_images)


@module(
    title="Web Service Input",
    category="Web Service",
    summary="Start of an inference pipeline: the images to classify.",
    icon="upload",
    keywords=("endpoint", "deploy", "inference", "batch", "request"),
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def web_service_input(
    parameters: WebServiceInputParameters, context: Context
) -> WebServiceInputOutputs:
    """Output the images to classify: those of the source, or of a request to an endpoint.

    *Create inference pipeline* puts it in the place of the training images. Bind its source to a
    parameter of the pipeline to score another folder in each run of the published pipeline.
    """
    return WebServiceInputOutputs(resolve_source(parameters.source, context).write(context))
