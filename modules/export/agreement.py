"""Comparison of an exported file with Score Image Model, image by image.

Shape letters: N images, K classes, H height, W width, C channels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from modules.errors import ModelNotExportedError
from modules.export.check_images import CheckImage
from modules.image_loading.normalisation import Normalisation
from modules.sentences import export as say

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import nn

    from modules.export.check_images import Pixels

    Floats = npt.NDArray[np.float64]

Predict = Callable[[CheckImage], Any]
"""Function that returns the probabilities (K,) of one image from the exported file."""
CHECK_SECONDS = 60.0
"""Time after which no further images are compared, once there are ``FEW_IMAGES``."""
FEW_IMAGES = 16


class ComparisonData(TypedDict):
    """Comparison with scores in one number format, as JSON."""

    compared_with: str
    equal_labels: int
    label_agreement: float | None
    largest_difference: float


class AgreementData(ComparisonData):
    """Agreement of an exported file with scoring, as JSON."""

    images: int
    images_from: str
    in_bf16: NotRequired[ComparisonData]


@dataclass(frozen=True)
class Tolerance:
    """Limits beyond which an exported file is rejected."""

    agreement: float
    """Minimum share of equal labels; one may always differ."""
    difference: float
    """Maximum difference of a probability."""


EXACT = Tolerance(agreement=0.99, difference=0.02)
"""For files that compute in float32. Of images over two megapixels, some pixels are rounded to the
neighbouring grey level.
"""
ROUNDED = Tolerance(agreement=0.95, difference=1.0)
"""For 8-bit integers: probabilities move, labels should not."""
AS_SCORED = Tolerance(agreement=0.95, difference=1.0)
"""For files in float32 of models that are scored in bf16: the rounding is that of the scores."""
ROUNDING_FORMATS = frozenset({"bf16", "fp16"})
"""Number formats of trainings whose models are scored in bf16 or fp16, if the machine has it."""


@dataclass
class RoundedAgreement:
    """Result of the same comparison with scores in bf16."""

    num_agreed: int = 0
    largest_difference: float = 0.0

    def add(self, difference: float, *, agrees: bool) -> None:
        self.num_agreed += agrees
        self.largest_difference = _larger(self.largest_difference, difference)


@dataclass
class Agreement:
    """Result of a comparison, and what the predictions say about each class."""

    source: str
    """Origin of the images, for the model card."""
    num_images: int = 0
    num_agreed: int = 0
    largest_difference: float = 0.0
    outcomes: list[tuple[str, int]] = field(default_factory=list)
    """Label and predicted index of every labelled image, by the exported file."""
    corners: list[float] = field(default_factory=list)
    """Mean brightness of the corners of each image, 0 to 255."""
    in_bf16: RoundedAgreement | None = None
    """Comparison with scores in bf16, for models that were trained so; else None."""

    @property
    def has_dark_background(self) -> bool:
        """Return True if most images are dark at their corners, as light drawings on black."""
        return sum(value < 64 for value in self.corners) > len(self.corners) / 2

    @property
    def data(self) -> AgreementData:
        share = self.num_agreed / self.num_images if self.num_images else None
        content: AgreementData = {
            "compared_with": "Score Image Model in fp32",
            "images": self.num_images,
            "images_from": self.source,
            "equal_labels": self.num_agreed,
            "label_agreement": share,
            "largest_difference": round(self.largest_difference, 6),
        }
        if self.in_bf16 is not None and self.num_images:
            content["in_bf16"] = {
                "compared_with": "Score Image Model in bf16",
                "equal_labels": self.in_bf16.num_agreed,
                "label_agreement": self.in_bf16.num_agreed / self.num_images,
                "largest_difference": round(self.in_bf16.largest_difference, 6),
            }
        return content

    def check(self, tolerance: Tolerance) -> None:
        """Raise 3105 if the file differs more than tolerated.

        Scores in bf16 are compared only with files in float32: 8-bit integers are rounded, too.
        """
        is_close = self.largest_difference <= tolerance.difference  # not for NaN either
        if not is_close or not self._fits(self.num_agreed, tolerance):
            raise ModelNotExportedError(
                say.DISAGREES,
                agreed=self.num_agreed,
                images=self.num_images,
                difference=self.largest_difference,
            )
        rounded = self.in_bf16
        if tolerance is EXACT and rounded and not self._fits(rounded.num_agreed, AS_SCORED):
            raise ModelNotExportedError(
                say.DISAGREES_IN_BF16,
                agreed=rounded.num_agreed,
                images=self.num_images,
                difference=rounded.largest_difference,
            )

    def _fits(self, num_agreed: int, tolerance: Tolerance) -> bool:
        allowed = max(1, (1 - tolerance.agreement) * self.num_images + 1e-9)
        return self.num_images - num_agreed <= allowed


def compare(
    images: Iterable[CheckImage],
    source: str,
    predict: Predict,
    network: nn.Module,
    normalisation: Normalisation,
    *,
    is_rounded: bool = False,
) -> Agreement:
    """Compare predictions of a file with those of the network, as Score Image Model computes them.

    Args:
        images: Images in the order of the comparison, which ends after ``CHECK_SECONDS``.
        source: Origin of the images.
        predict: Prediction of the exported file.
        network: Network in float32 that returns logits.
        normalisation: Normalisation of its input.
        is_rounded: True to compare with scores in bf16, too: for models that were trained so.
    """
    import torch

    result = Agreement(source, in_bf16=RoundedAgreement() if is_rounded else None)
    started = time.monotonic()
    for image in images:
        probabilities_K = predict(image)
        _add(result, image, probabilities_K, scored(network, normalisation, [image.seen])[0])
        if result.in_bf16 is not None:
            with torch.autocast("cpu", torch.bfloat16):
                wanted_K = scored(network, normalisation, [image.seen])[0]
            difference, agrees = _compared(probabilities_K, wanted_K)
            result.in_bf16.add(difference, agrees=agrees)
        if result.num_images >= FEW_IMAGES and time.monotonic() - started > CHECK_SECONDS:
            break
    return result


def _add(result: Agreement, image: CheckImage, probabilities_K: Any, wanted_K: Floats) -> None:
    difference, agrees = _compared(probabilities_K, wanted_K)
    result.num_images += 1
    result.num_agreed += agrees
    result.largest_difference = _larger(result.largest_difference, difference)
    result.corners.append(float(image.pixels[:: max(1, len(image.pixels) - 1), [0, -1]].mean()))
    if image.category is not None:
        result.outcomes.append((image.category, int(probabilities_K.argmax())))


def _compared(probabilities_K: Any, wanted_K: Floats) -> tuple[float, bool]:
    """Return the largest difference of a probability, and True for equal labels."""
    import numpy as np

    difference = float(np.abs(np.asarray(probabilities_K, np.float64) - wanted_K).max())
    return difference, int(np.argmax(probabilities_K)) == int(wanted_K.argmax())


def _larger(before: float, difference: float) -> float:
    """Return the larger one; NaN if one of them is, which ``max`` would ignore."""
    return difference if difference > before or difference != difference else before


def scored(network: nn.Module, normalisation: Normalisation, inputs: Sequence[Pixels]) -> Floats:
    """Return the probabilities (N, K) of inputs, as Score Image Model computes them in fp32."""
    import numpy as np
    import torch

    pixels_NHWC = torch.from_numpy(np.stack(inputs))
    with torch.inference_mode():
        logits_NK = network(normalisation(pixels_NHWC, channels_last=False))
        probabilities: Floats = logits_NK.double().log_softmax(dim=1).exp().numpy()
    return probabilities
