"""Starter pipeline for the user's own images, derived from their names and the time it takes.

A frozen EfficientNet-Lite0 with included weights computes the features of each image once, and only
the head is trained: on a few dozen photographs this takes seconds and is far more accurate than
training a network from random weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from modules.catalog import Catalog
from modules.datasets.folder_summary import FolderSummary, summary_of_version
from modules.layouts.part_names import WHOLE, Part
from modules.layouts.questions import FIRST_NUMBER
from modules.layouts.readings import ClassFrom
from modules.operating_system.machine import busy_share
from pipelines.document.document import PipelineDocument
from pipelines.document.overrides import apply_overrides
from pipelines.errors import RefusedError
from pipelines.forecasting import recipes
from pipelines.forecasting.estimates import RunForecast
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.forecasting.starter_parts import (
    NETWORK_NODE,
    TRAIN_NODE,
    labelled_parts,
    reset_parameters,
    table_question,
    with_network,
    with_parts,
    with_reading,
)
from pipelines.lessons.lesson import lessons
from pipelines.registry.datasets import RegisteredDatasets
from pipelines.runs.run_service import RunService
from pipelines.sentences import refusals

TEMPLATE = "04-your-own-folder"
SECONDS = 300.0
"""Limit of a first run, so that users stay with it."""
TRAINED_ON = 0.8
NETWORK = "efficientnet_lite0"
RESIZED = 8 / 7
"""Shorter edge of an image before the center crop, in sizes of the crop, as on ImageNet."""
SIZES = (224, 160, 128)
"""Sizes of images in pixels, best first; the first one within ``SECONDS`` is used."""


ChoiceId = Literal["quick", "better", "fine-tuned"]
FINE_TUNING_EPOCHS = 12
FINE_TUNING = {
    **recipes.FINE_TUNING,
    "epochs": FINE_TUNING_EPOCHS,
    "patience": FINE_TUNING_EPOCHS,
}
"""Parameters of Train PyTorch Model for all layers of a pretrained network."""


@dataclass(frozen=True)
class StarterChoice:
    """Variant of the starter pipeline, and its estimate on this machine."""

    id: ChoiceId
    pixels: int
    seconds: float


@dataclass(frozen=True)
class StarterPipeline:
    """Pipeline, and its estimate on this machine."""

    document: PipelineDocument
    forecast: RunForecast
    pixels: int
    """Size of the images."""
    parts: tuple[Part, ...] = ()
    """Parts that it uses; empty for a dataset without parts."""

    @property
    def seconds(self) -> float:
        return self.forecast.totals.critical_path_seconds


def starter_of_dataset(
    runs: RunService,
    datasets: RegisteredDatasets,
    name: str,
    version: int,
    allowed_roots: Sequence[Path] | None = None,
    class_from: ClassFrom | None = None,
) -> tuple[StarterPipeline, FolderSummary]:
    """Return the pipeline for a version of a registered dataset, and its contents.

    ``class_from`` is the label source of its images; None: the most likely one. Raises the errors
    of ``starter_pipeline``, and ``NotFoundError`` if there is no such version.
    """
    location = datasets.location(name, version)
    summary = summary_of_version(location)
    if summary.verdict is not None:
        decided = summary.verdict.choosing(class_from) if class_from else summary.verdict.decided()
        summary = summary.read_as(decided)
    source = f"dataset:{name}@{version}"
    return starter_pipeline(runs, source, name, summary, allowed_roots), summary


def starter_pipeline(
    runs: RunService,
    source: str,
    name: str,
    summary: FolderSummary,
    allowed_roots: Sequence[Path] | None = None,
) -> StarterPipeline:
    """Return a complete pipeline for the images of ``source``, described by ``summary``.

    It uses the largest images whose run takes at most five minutes, otherwise the smallest. Raises
    ``RefusedError`` if there are fewer than two classes, or if a user must choose the label column.
    """
    verdict = summary.verdict
    parts = labelled_parts(verdict) if verdict and summary.parts else {}
    whole = verdict.of(WHOLE) if verdict else None
    num_classes = summary.num_classes
    if summary.parts:
        first = next(iter(parts.values()), None)
        num_classes = len(first.counts) if first else 0
    is_known = summary.labeled is not None or verdict is not None
    if is_known and num_classes < 2:
        if question := table_question(verdict):
            sentence = refusals.LABELS_NOT_CHOSEN
            if question.parameter == FIRST_NUMBER:
                sentence = refusals.CLASS_NUMBERS_NOT_CHOSEN
            raise RefusedError(sentence, source=source, question=question.message.rstrip("."))
        why = whole and not whole.counts and (whole.asked or next(iter(whole.warnings), None))
        if why:
            raise RefusedError(refusals.NO_CLASSES_IN_SOURCE, source=source, why=why)
        raise RefusedError(refusals.TOO_FEW_CLASSES, source=source, count=num_classes)
    document = _template(runs, source, name)
    if parts:
        document = with_parts(document, runs.catalog, parts)
    elif whole is not None:
        document = with_reading(document, runs.catalog, whole)
    starter = None
    for pixels in SIZES:
        planned = _with(runs, document, *_sizes(pixels))
        estimate = forecast_run(runs, planned, allowed_roots)
        starter = StarterPipeline(planned, estimate, pixels, tuple(parts))
        if starter.seconds <= SECONDS:
            break
    assert starter is not None
    return replace(starter, forecast=starter.forecast.under_load(busy_share()))


def starter_choices(
    runs: RunService, made: StarterPipeline, allowed_roots: Sequence[Path] | None = None
) -> tuple[StarterChoice, ...]:
    """Return the variants of a starter pipeline, the fastest first, with their estimates."""
    estimates = []
    for choice, pixels in _choice_sizes(made).items():
        variant = with_choice(made.document, runs.catalog, choice, pixels)
        seconds = made.seconds
        if variant != made.document:
            seconds = forecast_run(runs, variant, allowed_roots).totals.critical_path_seconds
        estimates.append(StarterChoice(choice, pixels, seconds))
    return tuple(estimates)


def chosen_variant(made: StarterPipeline) -> ChoiceId:
    """Return the variant that a starter pipeline is."""
    return "quick" if made.pixels == SIZES[-1] else "better"


def _choice_sizes(made: StarterPipeline) -> dict[ChoiceId, int]:
    """Return the size of images in pixels by variant."""
    better = SIZES[0] if chosen_variant(made) == "quick" else made.pixels
    return {"quick": SIZES[-1], "better": better, "fine-tuned": SIZES[-1]}


def with_choice(
    document: PipelineDocument, catalog: Catalog, choice: ChoiceId, pixels: int
) -> PipelineDocument:
    """Return a starter pipeline as another variant of itself.

    Raises ``PipelineError`` if it has no such nodes any more.
    """
    is_whole = choice == "fine-tuned"
    result = reset_parameters(
        document, TRAIN_NODE, list(FINE_TUNING)
    )  # unset ones suit a frozen network
    freeze = "none" if is_whole else "all but the head"
    settings = [*_sizes(pixels), f"{NETWORK_NODE}.freeze={freeze}"]
    if is_whole:
        settings += [f"{TRAIN_NODE}.{name}={value}" for name, value in FINE_TUNING.items()]
    return apply_overrides(result, settings, catalog)


def _sizes(pixels: int) -> tuple[str, str]:
    return (
        f"transformation.size={round(pixels * RESIZED)}",
        f"transformation.crop_size={pixels}",
    )


def _template(runs: RunService, source: str, name: str) -> PipelineDocument:
    lesson = next(lesson.document for lesson in lessons() if lesson.slug == TEMPLATE)
    document = lesson.model_copy(
        update={"id": "pictures", "name": name, "description": "", "notes": ()}
    )
    document = with_network(document, runs.catalog)
    return _with(
        runs,
        document,
        f"import.source={source}",
        f"split.fraction_of_images_in_the_first_output={TRAINED_ON}",
        f"{NETWORK_NODE}.model_name={NETWORK}",
        f"{NETWORK_NODE}.pretrained=true",
        f"{NETWORK_NODE}.freeze=all but the head",
    )


def _with(runs: RunService, document: PipelineDocument, *settings: str) -> PipelineDocument:
    return apply_overrides(document, list(settings), runs.catalog)
