"""Reads what scripts log by ``designer_log`` and the other shims (``modules/scripts/shims``)."""

from __future__ import annotations

import json
from typing import Any

from modules.scripts.intake.metric_points import MetricPoints, Source
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

SOURCE = Source("lines")


def take_line(points: MetricPoints, line: str) -> None:
    """Log the point of a line that ``designer_log`` wrote; other ranks and other texts are left."""
    try:
        told = json.loads(line)
        if isinstance(told, dict) and int(told.get("rank", 0)) == 0:
            points.add(SOURCE, str(told["name"]), float(told["value"]), _step(told.get("step")))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return  # whatever else a script may have written into this file


def model_to_register(line: str) -> Statement | None:
    """Return the warning of a line that ``Run.register_model`` wrote; None for any other line."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or "unregistered_model" not in told:
        return None
    facts = {"name": str(told["unregistered_model"])[:200], "path": str(told.get("path"))[:200]}
    return say.MODEL_NOT_REGISTERED.about(facts)


def _step(step: Any) -> int | None:
    return None if step is None else int(step)
