"""Round values for the ticks of axes: the same ticks for the same range, at any width."""

from __future__ import annotations

import math

FEW_POWERS = 3
"""Number of powers of ten below which a logarithmic axis has ticks between them too."""
ROUNDING = 1e-9
"""Part of a step by which an end may miss a round value because of its rounding."""


def round_values(low: float, high: float, most: int, *, is_whole: bool = False) -> list[float]:
    """Return the multiples of a round step between two ends, both included.

    The step is the smallest of 1, 2 or 5 times a power of ten that divides the range into at most
    ``most`` parts; with ``is_whole`` it is at least 1. Without a range, the value is returned.
    """
    if not low < high:
        return [low]
    power = math.floor(math.log10((high - low) / most))
    factors = (factor * 10.0**exponent for exponent in (power, power + 1) for factor in (1, 2, 5))
    steps = [step for step in factors if step >= 1 or not is_whole] or [1.0]
    step = next((step for step in steps if (high - low) / step <= most + ROUNDING), steps[-1])
    digits = max(0, -math.floor(math.log10(step)))
    first, last = math.ceil(low / step - ROUNDING), math.floor(high / step + ROUNDING)
    return [round(place * step, digits) for place in range(first, last + 1)]


def logarithmic_values(low: float, high: float) -> list[float]:
    """Return the powers of ten between two positive ends, both included.

    If there are few, 2 and 5 times them are returned too.
    """
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high) + ROUNDING)
    is_inside = (low * (1 - ROUNDING), high * (1 + ROUNDING))
    powers = [10.0**exponent for exponent in range(first, last + 1)]
    inner = [power for power in powers if is_inside[0] <= power <= is_inside[1]]
    if len(inner) >= FEW_POWERS:
        return inner
    values = [factor * power for power in powers for factor in (1, 2, 5)]
    return [value for value in values if is_inside[0] <= value <= is_inside[1]]
