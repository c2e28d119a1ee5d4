"""Abstention of a model: the probability below which its answer is "I do not know"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.artifacts import TrainedModel

ABSTENTION = "abstention"
"""Key in the description of a model, with ``threshold`` and the facts of its fit."""


def threshold_of(model: TrainedModel) -> float | None:
    """Return the smallest accepted probability; None for a model that always answers."""
    return threshold_in(model.description)


def threshold_in(facts: Mapping[str, Any]) -> float | None:
    """Return the same from the description of a model, or from the card of an exported one."""
    stored = facts.get(ABSTENTION)
    threshold = stored.get("threshold") if isinstance(stored, dict) else None
    return float(threshold) if isinstance(threshold, int | float) else None
