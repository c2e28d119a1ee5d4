"""Schemas of previews: counts, a few images, a matrix, curves.

Models are strict and forbid other fields: replays are read by them too.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

NODE = r"[a-z0-9][a-z0-9_-]{0,63}"
PICTURE = r"[a-z0-9][a-z0-9_-]{0,99}\.jpg"
MAX_PICTURE_BYTES = 64 * 2**10

Name = Annotated[str, Field(max_length=300)]
NodeId = Annotated[str, Field(pattern=rf"^{NODE}(/{NODE}){{0,16}}$")]
PictureName = Annotated[str, Field(pattern=rf"^{PICTURE}$")]
Count = Annotated[int, Field(ge=0)]


class PreviewModel(BaseModel):
    """Base of stored and transferred parts: frozen, strict, finite numbers."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class ClassCount(PreviewModel):
    name: Name
    images: Count


class Sample(PreviewModel):
    """Image of a directory."""

    picture: PictureName
    label: Name | None


class ImagesPreview(PreviewModel):
    """Summary of an ImageDirectory: counts, and images of several classes."""

    kind: Literal["images"] = "images"
    node: NodeId
    port: Name
    num_images: Count
    num_classes: Count
    classes: Annotated[list[ClassCount], Field(max_length=60)]
    samples: Annotated[list[Sample], Field(max_length=24)]


class Prediction(PreviewModel):
    """Image with the model's prediction."""

    picture: PictureName | None
    actual: Name | None
    predicted: Name
    confidence: Annotated[float, Field(ge=0, le=1)] | None


class PredictionsPreview(PreviewModel):
    """Some rows of a scored table, including mistakes."""

    kind: Literal["predictions"] = "predictions"
    node: NodeId
    port: Name
    num_images: Count
    num_wrong: Count | None
    samples: Annotated[list[Prediction], Field(max_length=24)]


class EvaluationPreview(PreviewModel):
    """Metrics of an evaluation and its confusion matrix; rows are the actual classes."""

    kind: Literal["evaluation"] = "evaluation"
    node: NodeId
    port: Name
    metrics: dict[Name, float | None]
    classes: Annotated[list[Name], Field(max_length=60)]
    confusion: Annotated[list[list[Count]], Field(max_length=60)]
    """Empty if there are more classes than a small file can hold."""


class ModelPreview(PreviewModel):
    """Trained model: its description and the curves of its training, one value per epoch."""

    kind: Literal["model"] = "model"
    node: NodeId
    port: Name
    architecture: Name
    num_classes: Count
    best_epoch: Count | None
    curves: dict[Name, Annotated[list[float | None], Field(max_length=500)]]


Preview = Annotated[
    ImagesPreview | PredictionsPreview | EvaluationPreview | ModelPreview,
    Field(discriminator="kind"),
]
