"""Between which times a step is likely to end, from where its forecast comes."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.forecasting.estimates import Basis, Range
from pipelines.forecasting.last_times import LastTime

SPREAD = 0.25
"""What one measurement leaves open: the next one of the same work differs by less, as a rule."""
OTHER_SETTINGS = (0.5, 2.0)
"""What a last time with other settings leaves open: another batch size or other arguments."""
GUESS = (0.5, 3.0)
"""What an estimate leaves open: it knows neither this machine's disk nor its processor."""


def likely_range(
    seconds: float | None, basis: Basis | None, samples: Sequence[float], last: LastTime | None
) -> Range | None:
    """Seconds from the least to the most that is likely; None where nothing is known.

    Of measured work, all that steps like it would have taken counts, and the node's last time.
    """
    if seconds is None or basis is None:
        return None
    if basis == "reused":
        return 0.0, 0.0
    if basis == "estimated":
        guesses = [seconds, *samples]
        return min(guesses) * GUESS[0], max(guesses) * GUESS[1]
    if basis == "scaled":
        return seconds * OTHER_SETTINGS[0], seconds * OTHER_SETTINGS[1]
    known = [seconds, *samples, *([last.scaled_seconds] if last else [])]
    if len(known) == 1:
        return seconds * (1 - SPREAD), seconds * (1 + SPREAD)
    return max(0.0, min(known)), max(known)
