"""Likely range of a step's duration, by the source of its estimate."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.forecasting.estimates import Basis, Range
from pipelines.forecasting.last_times import LastTime

SPREAD = 0.25
"""Relative uncertainty of one measurement: the next one usually differs by less."""
OTHER_SETTINGS = (0.5, 2.0)
"""Factors for a last duration with other settings: another batch size or other arguments."""
GUESS = (0.5, 3.0)
"""Factors for an estimate, which knows neither this machine's disk nor its processor."""


def likely_range(
    seconds: float | None, basis: Basis | None, samples: Sequence[float], last: LastTime | None
) -> Range | None:
    """Return the likely minimum and maximum in seconds; None if unknown.

    For measured work the samples of similar steps and the node's last duration count.
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
    durations = [seconds, *samples, *([last.scaled_seconds] if last else [])]
    if len(durations) == 1:
        return seconds * (1 - SPREAD), seconds * (1 + SPREAD)
    return max(0.0, min(durations)), max(durations)
