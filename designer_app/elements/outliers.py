"""Values that would flatten the rest of a curve, such as the loss of a first epoch.

The same as in ``graph/outliers.ts``; ``tests/cases/outliers.json`` checks both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

FEWEST = 4
REACH = 6
"""Number of quartile ranges above the upper quartile."""
FLATTENS = 4
"""Outliers are cut off only if the curve would be this many times as high with them."""


def clip_limit(values: Iterable[float | None]) -> float | None:
    """Return the highest value that a chart shows; None if it shows all."""
    ordered = sorted(value for value in values if value is not None and math.isfinite(value))
    if len(ordered) < FEWEST:
        return None
    lower, upper = (ordered[math.floor(share * (len(ordered) - 1))] for share in (0.25, 0.75))
    limit = upper + REACH * (upper - lower)
    low, high = ordered[0], ordered[-1]
    shown = max(value for value in ordered if value <= limit)
    return shown if shown < high and high - low > FLATTENS * (shown - low) else None
