"""How fast a step ran, where its time went, and how close to this machine's limit that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modules.context import Context
from modules.formatting import format_rate

RATE = "Images per second"
LIMIT = "Share of this machine's limit"
OTHERS_FROM = 0.005
"""A smaller share of the time is not worth a word."""


@dataclass(frozen=True)
class Speed:
    """What a step reports of itself when it is done."""

    images_per_second: float
    """While it trained or scored, over all processes."""
    shares: Mapping[str, float]
    """Part of the whole time by activity, together 1."""
    limit: float | None
    """Images/s of the model alone, on images that are there already; None where not measured."""

    @property
    def share_of_limit(self) -> float | None:
        """How much of the limit was reached; measurements scatter, so never more than all."""
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
