"""Load of other processes on this machine during an estimate, as text and as a slowdown."""

from __future__ import annotations

import math
from dataclasses import replace

from modules.operating_system.machine import num_cores
from pipelines.sentences import _
from pipelines.store.database.step_timings import PastStep

LITTLE = 0.2
"""Share of the cores below which the load is not mentioned."""
LEAST_FREE_CORES = 0.1
SHARES = (
    (0.29, _("other processes use a quarter of the cores")),
    (0.42, _("other processes use a third of the cores")),
    (0.58, _("other processes use half the cores")),
    (0.8, _("other processes use three quarters of the cores")),
    (math.inf, _("other processes use nearly all the cores")),
)


def share_in_words(share: float) -> str:
    """Return ``other processes use half the cores``; empty for a small share (0 to 1)."""
    if share < LITTLE:
        return ""
    return next(text for most, text in SHARES if share <= most)


def slowdown(share: float, num_cores: int) -> float:
    """Return the slowdown of a run by other processes: 1 for a small share (0 to 1).

    A run uses the free cores, at least one, which it then shares. The gain of an additional core
    depends on network and processor: 0 to 90 % were measured for the second of two; this uses the
    middle.
    """
    if share < LITTLE:
        return 1.0
    others = share * num_cores
    own = max(1, round(num_cores - others))
    part = min(1.0, num_cores / (own + others))
    return math.sqrt(num_cores / own) / part


def on_idle_machine(step: PastStep) -> PastStep:
    """Return the step with the durations that it would have had without other processes."""
    faster = 1 / _slowdown_seen(step.busy_share, num_cores())
    work, opening = step.work_seconds * faster, step.opening_seconds * faster
    saved = step.work_seconds - work + step.opening_seconds - opening
    return replace(
        step,
        seconds=step.seconds - saved,
        work_seconds=work,
        opening_seconds=opening,
        busy_share=0.0,
    )


def _slowdown_seen(share: float, num_cores: int) -> float:
    """Return the slowdown of a step that left others this share of the cores, 0 to 1.

    Unlike before a run, the others got this share while the step competed for the cores.
    """
    if share < LITTLE:
        return 1.0
    free = max(LEAST_FREE_CORES, (1 - share) * num_cores)
    return math.sqrt(num_cores / max(1.0, free)) / min(1.0, free)
