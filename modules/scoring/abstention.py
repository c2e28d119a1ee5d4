"""Fit of a confidence threshold, so that few of the accepted answers are wrong.

Shape letters: N images.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

ALLOWED: tuple[float, ...] = (0.01, 0.02, 0.05)
"""Offered shares of wrong answers among the accepted ones."""
_QUANTILE = 1.645
"""Of the normal distribution, for a one-sided bound at 95 %."""


@dataclass(frozen=True)
class Threshold:
    """A threshold and its effect on the images of its fit."""

    threshold: float
    allowed: float
    answered: float
    """Share of images with an accepted answer."""
    wrong: float
    """Share of wrong answers among the accepted ones."""
    wrong_at_most: float
    """Upper bound of that share on new images of the same kind, at 95 % confidence."""
    num_images: int


def fit_threshold(
    confidences: Sequence[float] | Floats, is_right: Sequence[bool] | Bools, allowed: float
) -> Threshold | None:
    """Return the lowest threshold at which at most a share of the accepted answers is wrong.

    Args:
        confidences: Probability of each prediction, shape (N,).
        is_right: True for each correct prediction, shape (N,).
        allowed: Largest share of wrong answers, 0 to 1.

    Returns:
        The threshold that accepts most answers; None if even the highest confidence is too often
        wrong. Equal confidences are accepted together.
    """
    import numpy as np

    confidences_N = np.asarray(confidences, np.float64)
    order = np.argsort(-confidences_N, kind="stable")
    ordered_N = confidences_N[order]
    wrong_N = np.cumsum(~np.asarray(is_right, bool)[order])
    count_N = np.arange(1, len(ordered_N) + 1)
    # behind a group of equal confidences the next one is lower
    is_last_N = np.append(ordered_N[1:] < ordered_N[:-1], True)
    fits = np.flatnonzero(is_last_N & (wrong_N <= allowed * count_N))
    if len(fits) == 0:
        return None
    last = int(fits[-1])
    accepted, wrong = last + 1, int(wrong_N[last])
    # halfway to the first rejected one: other runtimes round probabilities differently
    below = ordered_N[accepted] if accepted < len(ordered_N) else 0.0
    return Threshold(
        threshold=float((ordered_N[last] + below) / 2),
        allowed=allowed,
        answered=accepted / len(ordered_N),
        wrong=wrong / accepted,
        wrong_at_most=_upper_bound(wrong, accepted),
        num_images=len(ordered_N),
    )


def _upper_bound(wrong: int, accepted: int) -> float:
    """Return the upper end of the one-sided 95 % interval of a share (Wilson 1927)."""
    share, square = wrong / accepted, _QUANTILE**2
    center = share + square / (2 * accepted)
    spread = _QUANTILE * (share * (1 - share) / accepted + square / (4 * accepted**2)) ** 0.5
    return float(min(1.0, (center + spread) / (1 + square / accepted)))
