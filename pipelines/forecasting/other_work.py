"""What else this machine is doing while a forecast is made, in words and in time."""

from __future__ import annotations

import math

LITTLE = 0.2
"""Less than this share of the cores is not worth a word."""
SHARES = ((0.29, "a quarter of"), (0.42, "a third of"), (0.58, "half"), (0.8, "three quarters of"))


def share_in_words(share: float) -> str:
    """``other processes use half the cores``; empty where it takes next to none (share: 0 to 1)."""
    if share < LITTLE:
        return ""
    told = next((words for most, words in SHARES if share <= most), "nearly all")
    return f"other processes use {told} the cores"


def slowdown(share: float, num_cores: int) -> float:
    """How many times as long a run takes beside it: 1 where it takes next to none (share: 0 to 1).

    A run computes on the cores that are free, and on one at least, which it then shares. What a
    core more brings depends on network and processor: 0 to 90 % were seen for the second of two,
    the middle is taken here.
    """
    if share < LITTLE:
        return 1.0
    others = share * num_cores
    own = max(1, round(num_cores - others))
    part = min(1.0, num_cores / (own + others))
    return math.sqrt(num_cores / own) / part
