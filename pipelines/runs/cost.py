"""Cost of a run: the hours of its machines at their targets' prices at that time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.events import Event

if TYPE_CHECKING:  # the reference of commands is generated without the database
    from pipelines.store.database.runs import RunStore

ENDS = frozenset({"StepQueued", "StepFinished", "StepFailed", "StepCancelled", "StepPaused"})
KINDS = ENDS | {"StepStarted", "StepPhase"}


def run_cost(store: RunStore, run_id: str) -> float | None:
    """Return the cost of all attempts, including failed ones; None if no target has a price."""
    return cost_of(store.events_of(run_id, KINDS), time.time())


def cost_of(events: Iterable[Event], now: float) -> float | None:
    """Return the cost of a run with these events; running steps count until ``now``."""
    meters: dict[str, _Meter] = defaultdict(_Meter)
    for event in events:
        if event.node is not None:
            meters[event.node].take_in(event)
    costs = [meter.cost(now) for meter in meters.values() if meter.is_priced]
    return sum(costs) if costs else None


@dataclass
class _Meter:
    """Meter of one node. Waiting for machines is free."""

    is_priced: bool = False
    _cost: float = 0.0
    _price: float = 0.0
    _since: float | None = None

    def take_in(self, event: Event) -> None:
        if event.kind in ENDS:
            self._stop(event.time)
        elif event.kind == "StepStarted":
            self._stop(event.time)
            price = event.data.get("price_per_hour")
            self.is_priced |= price is not None
            self._price, self._since = price or 0.0, event.time
        elif "rank" not in event.data:
            waits = event.data["phase"] == "scaling"
            self._since = None if waits else self._since or event.time

    def cost(self, now: float) -> float:
        running = 0.0 if self._since is None else max(0.0, now - self._since)
        return self._cost + running * self._price / 3600

    def _stop(self, at: float) -> None:
        self._cost, self._since, self._price = self.cost(at), None, 0.0
