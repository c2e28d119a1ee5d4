"""Training images similar to an image of a run, with their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.inspection.images import files_of, label_of, opened
from pipelines.inspection.questions import SimilarAnswer
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.thumbnails import picture_address
from pipelines.sentences import _

TRAINED_MODEL = "TrainedModel"
TRAINING, VALIDATION = "training_dataset", "validation_dataset"


@dataclass(frozen=True)
class ModelImages:
    """A trained model, and the images that it was trained on and validated with."""

    model: Path
    training: Path
    validation: Path | None

    def facts(self, cache_dir: Path) -> dict[str, str | None]:
        """Return the arguments of the question ``SIMILAR`` about any image."""
        return {
            "model": str(self.model),
            "training": str(self.training),
            "validation": None if self.validation is None else str(self.validation),
            "cache": str(cache_dir),
        }


class SimilarPicture(JsonModel):
    """A training image: its row, file and class, and its distance by the model's features."""

    index: int
    path: str
    label: str | None
    distance: float = Field(description="0 for equal features, at most 2.")
    picture: str | None = Field(description="Thumbnail as a data: URL; null if unreadable.")


class SimilarPictures(JsonModel):
    """Training images most similar to an image, the nearest first."""

    neighbors: list[SimilarPicture]
    unlike: bool | None = Field(
        description="True if it is farther from all training images than validation images are. "
        "Null if that is not known."
    )
    verdict: str


def images_of_model(outputs: RunOutputs, model: Path | None = None) -> ModelImages | None:
    """Return a model of a run with its images; None if the run has none, or they are gone.

    ``model`` is the folder of the model; None: the first one of the run.
    """
    for output in outputs.all:
        if output.type != TRAINED_MODEL or (model is not None and output.folder != model):
            continue
        training = outputs.input(output.node, TRAINING)
        validation = outputs.input(output.node, VALIDATION)
        if training is not None:
            folder = None if validation is None else validation.folder
            return ModelImages(output.folder, training.folder, folder)
    return None


def similar_pictures(training: Path, answer: SimilarAnswer) -> SimilarPictures:
    """Return the answer to ``SIMILAR`` with pictures of the training images."""
    rows, files = opened(training).images, files_of(training)
    neighbors = [
        SimilarPicture(
            index=near["index"],
            path=str(rows["path"].iloc[near["index"]]),
            label=label_of(rows["label"].iloc[near["index"]]),
            distance=near["distance"],
            picture=picture_address(files[near["index"]]),
        )
        for near in answer["neighbors"]
    ]
    return SimilarPictures(
        neighbors=neighbors, unlike=answer["unlike"], verdict=_verdict(neighbors, answer)
    )


def _verdict(neighbors: Sequence[SimilarPicture], answer: SimilarAnswer) -> str:
    """Return the judgement on the distance of the nearest training image."""
    if not neighbors:
        return _("There is no other training image.")
    facts = {"distance": neighbors[0].distance, "limit": answer["limit"]}
    if answer["unlike"] is None:
        return _("Too few validation images to say whether it is unlike the training data.")
    if answer["unlike"]:
        return _(
            "Unlike the training data: its distance of {distance:.2f} is above {limit:.2f}, the "
            "usual maximum of validation images. Do not rely on the prediction.",
            **facts,
        )
    return _(
        "Its distance from the training data, {distance:.2f}, is usual (validation images: up to "
        "{limit:.2f}). Images of other kinds can be as near.",
        **facts,
    )
