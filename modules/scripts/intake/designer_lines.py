"""Reads what scripts log by ``designer_log`` and the other shims (``modules/scripts/shims``)."""

from __future__ import annotations

import json
from typing import Any

from modules.scripts.intake.metric_points import MetricPoints, Source

SOURCE = Source("lines")


def take_line(points: MetricPoints, line: str) -> None:
    """Log the point of a line that ``designer_log`` wrote; other ranks and other texts are left."""
    try:
        told = json.loads(line)
        if isinstance(told, dict) and int(told.get("rank", 0)) == 0:
            points.add(SOURCE, str(told["name"]), float(told["value"]), _step(told.get("step")))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return  # whatever else a script may have written into this file


def _step(step: Any) -> int | None:
    return None if step is None else int(step)
