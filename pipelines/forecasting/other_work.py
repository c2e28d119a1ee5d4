"""What else this machine is doing while a forecast is made, in words."""

from __future__ import annotations

LITTLE = 0.2
"""Less than this share of the cores is not worth a word."""
SHARES = ((0.29, "a quarter of"), (0.42, "a third of"), (0.58, "half"), (0.8, "three quarters of"))


def share_in_words(share: float) -> str:
    """``other work takes half the cores``; empty where it takes next to none (share: 0 to 1)."""
    if share < LITTLE:
        return ""
    told = next((words for most, words in SHARES if share <= most), "nearly all")
    return f"other work takes {told} the cores"
