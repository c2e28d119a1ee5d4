"""Module Import Images: read a sample, a folder, an archive or a registered dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, NamedTuple

from pydantic import Field

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.datasets.sources import Source, parse_source
from modules.declare import module
from modules.errors import InvalidDatasetError, ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.layouts.part_names import WHOLE, Part
from modules.layouts.parts import choices, foreseen_part
from modules.parameters import FromData, LocalPath, Parameters, Suggestions
from modules.sentences import datasets as say
from modules.spec import ParameterFinding, PortDoc

_SUGGESTIONS = (
    "sample:digits",
    "sample:shapes",
    "sample:shapes?classes=4&images=400&size=64&seed=7",
    "https://",
    "s3://",
    "torchvision:CIFAR10",
    "torchvision:EuroSAT",
    "torchvision:FashionMNIST",
    "torchvision:Flowers102",
    "torchvision:Imagenette",
    "torchvision:OxfordIIITPet",
)


class ImportParameters(Parameters):
    source: Annotated[str | None, LocalPath("file:"), Suggestions(lambda: _SUGGESTIONS)] = Field(
        None,
        max_length=4096,
        description="sample:digits or sample:shapes (built in); file:PATH for a folder, a folder "
        "of tar shards with an index (designer dataset shard), or an archive on this server; "
        "https://HOST/FILE for an archive on the web, downloaded once and kept in cache/downloads "
        "of the workspace, even if the server's file changes (append #sha256=HEX to accept only "
        "these bytes); s3://BUCKET/FOLDER, abfs://CONTAINER/FOLDER or gs://BUCKET/FOLDER for tar "
        "shards with an index in an object store, each downloaded when one of its images is "
        "needed; dataset:NAME or dataset:NAME@VERSION for a registered dataset; torchvision:NAME, "
        "downloaded once. sample:digits is scikit-learn's 1,797 scans of 8 x 8 pixels, enlarged "
        "to 32 x 32. sample:shapes has the options classes (2-8), images, size (pixels) and seed: "
        "sample:shapes?classes=4&images=400&size=64&seed=7.",
    )
    part: Annotated[Part, FromData()] = Field(
        WHOLE,
        description="Part of a dataset with folders train and val (or valid, validation) or test, "
        "each with its own class folders. Convert to Image Directory can also select the part, so "
        "that one import serves several parts.",
    )


class ImportOutputs(NamedTuple):
    dataset: Annotated[AnyDirectory, PortDoc("The folder or archive, unchanged.")]


def resolve_source(source: str | None, context: Context) -> Source:
    """Parse a source and check that it exists and is allowed, or raise the error to show.

    Raises ``NullOrEmptyError``, ``NotInRangeValueError``, ``InvalidDatasetError`` or
    ``SourceNotAllowedError``.
    """
    resolved = parse_source(source)
    resolved.check(context)
    return resolved


def _check(parameters: ImportParameters) -> Iterable[ParameterFinding]:
    """Check only the text; the source itself is checked when the step runs."""
    try:
        parse_source(parameters.source)
    except ModuleError as error:
        yield ParameterFinding.from_error(error, "source")


def _fingerprint(parameters: ImportParameters, context: Context) -> str:
    return resolve_source(parameters.source, context).fingerprint(context)


def _forecast(
    _inputs: Mapping[str, ArtifactForecast], parameters: ImportParameters, context: Context
) -> StepForecast:
    """Return the contents of the source by its names, or the error as a finding."""
    try:
        foreseen = resolve_source(parameters.source, context).forecast(context)
    except ModuleError as error:
        wrong = ParameterFinding.from_error(error, "source")
        return StepForecast({"dataset": ArtifactForecast()}, findings=(wrong,))
    findings = []
    if foreseen.notice is not None:
        left_out = ParameterFinding.of("source", say.WORKSPACE_LEFT_OUT, what=foreseen.notice)
        findings.append(left_out)
    chosen = replace(foreseen, notice=None)
    try:
        chosen = foreseen_part(chosen, parameters.part)
    except InvalidDatasetError as error:
        findings.append(ParameterFinding.from_error(error))
    return StepForecast(
        {"dataset": chosen},
        images_processed=chosen.num_images,
        findings=tuple(findings),
        choices=choices(foreseen),
    )


@module(
    title="Import Images",
    category="Data Input",
    summary="Import images from a sample, folder, archive or dataset.",
    icon="image-down",
    keywords=(
        "dataset",
        "folder",
        "zip",
        "upload",
        "url",
        "download",
        "s3",
        "shards",
        "sample",
        "torchvision",
        "digits",
        "shapes",
    ),
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def import_images(parameters: ImportParameters, context: Context) -> ImportOutputs:
    """Import images without checking them; add Convert to Image Directory next.

    Folders, archives and registered datasets are referred to in place. Samples and datasets of
    torchvision are written as one folder for each class. For shards in an object store, only the
    index is downloaded. An archive on the web is downloaded once, from public servers only and over
    verified https. An interrupted download resumes, and later runs need no network.
    """
    source = resolve_source(parameters.source, context)
    dataset = source.write(context)
    if parameters.part != WHOLE:
        dataset.choose(parameters.part)
    return ImportOutputs(dataset)
