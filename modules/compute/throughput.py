"""Speed of a step, its time by activity, and its share of this machine's limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modules.context import Context
from modules.formatting import format_rate

RATE = "Images per second"
LIMIT = "Share of this machine's limit"
OTHERS_FROM = 0.005
"""Minimum share of the time that is reported."""


@dataclass(frozen=True)
class Speed:
    """Speed that a step reports when it is done."""

    images_per_second: float
    """Images/s while it trained or scored, over all processes."""
    shares: Mapping[str, float]
    """Fractions of the whole time by activity; their sum is 1."""
    limit: float | None
    """Images/s of the model alone, on images in memory; None if not measured."""

    @property
    def share_of_limit(self) -> float | None:
        """Return the share of the limit; measurements scatter, so it is capped at 1."""
        return None if self.limit is None else min(1.0, self.images_per_second / self.limit)

    def tell(self, context: Context, step: int = 0) -> None:
        """Report it as metrics of the node and as a line of the log."""
        context.metric(RATE, self.images_per_second, step=step)
        for activity, share in self.shares.items():
            context.metric(f"Time {activity}", share, step=step)
        if self.share_of_limit is not None:
            context.metric(LIMIT, self.share_of_limit, step=step)
        parts = [
            f"{share:.1%} {activity}"
            for activity, share in self.shares.items()
            if share >= OTHERS_FROM
        ]
        print(f"speed: {self}; {', '.join(parts)}", flush=True)

    def __str__(self) -> str:
        text = format_rate(self.images_per_second, "images")
        if self.share_of_limit is None:
            return text
        return f"{text}, {100 * self.share_of_limit:.0f} % of this machine's limit"
