"""Questions to the inspection process and their answers, as JSON values.

Images are PNG or JPEG in base64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, final

from pipelines.problems import ErrorReply

if TYPE_CHECKING:
    from modules.explain.layers import NetworkFacts
    from modules.explain.samples import TensorChannel
    from modules.export.agreement import AgreementData

MAX_PICTURE_BYTES = 20_000_000
"""Limit of an image that is tried on a model."""
A = TypeVar("A")


@dataclass(frozen=True)
class Question(Generic[A]):
    """Question by its name in ``pipelines.inspection.worker``; ``A`` is the type of its answer."""

    name: str


class DrawnImage(TypedDict):
    """Image before a transformation, and some results of it."""

    before: str
    after: list[str]


class Thumbnails(TypedDict):
    pictures: list[str]


class ExplanationAnswer(TypedDict):
    """Prediction of an image, with its heat map unless the network has no feature map."""

    seen: str
    size: list[int]
    """Height and width of the image as the model sees it."""
    tensor: list[TensorChannel]
    probabilities: dict[str, float]
    explained: str
    """Class that the heat map is for."""
    layer: str | None
    overlay: str | None


class LikelyClass(TypedDict):
    name: str
    probability: float


class TriedPicture(TypedDict):
    """Prediction of an image that belongs to no run; the most probable classes come first."""

    category: str
    accepted: bool
    """False if the model abstains, as the probability is below its threshold."""
    classes: list[LikelyClass]
    names: list[str]
    """All classes, the most probable first."""
    seen: str
    overlay: str | None


class SimilarImage(TypedDict):
    index: int
    """Row of the training images."""
    distance: float


class SimilarAnswer(TypedDict):
    """Training images most similar to an image, the nearest first."""

    neighbors: list[SimilarImage]
    limit: float | None
    unlike: bool | None
    """True if the image is unlike the training data; None if that is not known."""


class LearningCurveAnswer(TypedDict):
    """Accuracy by the number of training images of each class, measured and estimated."""

    measured: list[tuple[int, float]]
    estimated: list[tuple[int, float]]


class TensorsAnswer(TypedDict):
    tensors: list[tuple[str, list[int], str, int]]
    """Name, shape, number format, and number of values."""


class GoldenAnswer(TypedDict):
    """Correct predictions of two models on golden images; no images if none is of a known class."""

    images: int
    right: int
    before: int | None
    low: float | None
    """Lower end of the interval of the current model's accuracy, 0 to 1."""
    is_as_good: bool


class ExportAnswer(TypedDict):
    """Result of an export: the comparison with scoring; None for weights alone."""

    agreement: AgreementData | None


@final
class WorkerAnswer(TypedDict):
    """Answer of a process; its question determines the type."""

    answer: Any


WorkerReply = WorkerAnswer | ErrorReply

LAYERS: Question[NetworkFacts] = Question("layers")
SAMPLES = Question[DrawnImage]("samples")
AUGMENTED = Question[Thumbnails]("augmented")
VARIED = Question[DrawnImage]("varied")
EXPLANATION = Question[ExplanationAnswer]("explanation")
TRY_PICTURE = Question[TriedPicture]("tried")
SIMILAR = Question[SimilarAnswer]("similar")
LEARNING_CURVE = Question[LearningCurveAnswer]("learning curve")
TENSORS = Question[TensorsAnswer]("tensors")
GOLDEN = Question[GoldenAnswer]("golden")
EXPORT = Question[ExportAnswer]("export")
