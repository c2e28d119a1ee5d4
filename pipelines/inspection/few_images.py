"""Advice for classes with few images: how many more help, by a learning curve of this very set."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.inspection.client import Inspector
from pipelines.inspection.images import opened
from pipelines.inspection.questions import LEARNING_CURVE
from pipelines.inspection.similar_images import ModelImages
from pipelines.sentences import _

FEW = 5
"""Number of training images of a class below which more of them help most."""
TARGETS = (5, 10, 20)
"""Numbers of images of each class for which the accuracy is estimated."""


class PerClass(JsonModel):
    """Accuracy with a number of training images of each class."""

    images: int
    accuracy: float = Field(description="Share of all other images that are right, 0-1.")


class LearningCurveReport(JsonModel):
    """Accuracy of the features of a run by the number of training images of each class."""

    category: str = Field(description="Class with the fewest training images.")
    images: int
    measured: list[PerClass]
    estimated: list[PerClass]
    text: str


def smallest_class(images: ModelImages) -> tuple[str, int] | None:
    """Return the class with the fewest training images; None if every class has enough."""
    directory = opened(images.training)
    counts = directory.images["label"].value_counts()
    numbers = {name: int(counts.get(name, 0)) for name in directory.classes}
    name = min(numbers, key=numbers.__getitem__, default=None)
    return None if name is None or numbers[name] >= FEW else (name, numbers[name])


def few_images_text(images: ModelImages) -> str | None:
    """Return a warning about the class with the fewest training images; None if it has enough."""
    smallest = smallest_class(images)
    if smallest is None:
        return None
    name, count = smallest
    return _("Class {name} has only {count} training {count:image|images}.", name=name, count=count)


def learning_curve_of(images: ModelImages, inspector: Inspector, cache: str) -> LearningCurveReport:
    """Return the learning curve; raises ``InspectionError`` if a class has fewer than two images.

    Args:
        images: The model and the images of its training.
        inspector: Process with torch.
        cache: Folder with the feature store.
    """
    datasets = [str(folder) for folder in (images.training, images.validation) if folder]
    name, count = smallest_class(images) or ("", FEW)
    counts = [target for target in TARGETS if target > count]
    answer = inspector.ask(
        LEARNING_CURVE, model=str(images.model), datasets=datasets, counts=counts, cache=cache
    )
    measured = [PerClass(images=num, accuracy=share) for num, share in answer["measured"]]
    estimated = [PerClass(images=num, accuracy=share) for num, share in answer["estimated"]]
    return LearningCurveReport(
        category=name,
        images=count,
        measured=measured,
        estimated=estimated,
        text=_text(measured, estimated, count),
    )


def _text(measured: list[PerClass], estimated: list[PerClass], count: int) -> str:
    known = [
        _("{images}: {percent:.0f} %", images=point.images, percent=100 * point.accuracy)
        for point in measured
    ]
    expected = [
        _(
            "about {percent:.0f} % with {images} ({more} more)",
            percent=100 * point.accuracy,
            images=point.images,
            more=point.images - count,
        )
        for point in estimated
    ]
    return _(
        "Measured accuracy by images per class: {known}. Estimated: {expected}.",
        known=", ".join(known),
        expected=", ".join(expected),
    )
