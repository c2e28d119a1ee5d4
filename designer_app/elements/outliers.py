"""Values that would flatten the rest of a curve, such as the loss of a first epoch.

The same as in ``graph/outliers.ts``; ``tests/cases/outliers.json`` checks both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

FEWEST = 4
SHARE = 0.1
"""Share of the values that may be outliers; one always may."""
FLATTENS = 30
"""Outliers are cut off only if the curve would be this many times as high with them."""
HEADROOM = 0.15
"""Part of the height above the highest value shown: the curve descends from its outliers."""


def clip_limit(values: Iterable[float | None]) -> float | None:
    """Return the upper end of a chart's axis; None if the chart shows all values."""
    ordered = sorted(value for value in values if value is not None and math.isfinite(value))
    if len(ordered) < FEWEST:
        return None
    low, high = ordered[0], ordered[-1]
    most = max(1, math.floor(SHARE * len(ordered)))
    for shown in reversed(ordered[-1 - most : -1]):
        if shown > low and high - low > FLATTENS * (shown - low):
            return shown + HEADROOM * (shown - low)
    return None
