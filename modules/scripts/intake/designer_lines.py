"""Reader of the log lines of ``designer_log`` and the other shims (``modules/scripts/shims``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from modules.metric_limits import clean_name
from modules.scripts.intake.metric_points import MetricPoints, MetricSource
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement, presentable

SOURCE = MetricSource("lines")
MAX_TEXTS = 100
"""Maximum number of names of texts."""


class LoggedTexts:
    """Texts that a script logged as metrics: they are not points of a curve."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, name: str, text: str) -> None:
        """Keep the first text of a name, up to a number of names."""
        if len(self._texts) < MAX_TEXTS:
            self._texts.setdefault(clean_name(name), text)

    def warn(self, warn: Callable[[Statement], None]) -> None:
        """Warn of the texts, if there are any."""
        if self._texts:
            shown = [f"{name} ({presentable(text)[:80]!r})" for name, text in self._texts.items()]
            warn(say.TEXTS_LEFT_OUT.about({"texts": shown}))


def take_line(points: MetricPoints, texts: LoggedTexts, line: str) -> None:
    """Log the point of a line of ``designer_log``; ignore other ranks and other texts."""
    try:
        entry = json.loads(line)
        if not isinstance(entry, dict) or int(entry.get("rank", 0)):
            return
        if "text" in entry:
            texts.add(str(entry["name"]), str(entry["text"]))
        else:
            points.add(SOURCE, str(entry["name"]), float(entry["value"]), _step(entry.get("step")))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return  # the script may have written anything else to this file


def model_to_register(line: str) -> Statement | None:
    """Return the warning for a line of ``Run.register_model``; None for any other line."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or "unregistered_model" not in entry:
        return None
    facts = {"name": str(entry["unregistered_model"])[:200], "path": str(entry.get("path"))[:200]}
    return say.MODEL_NOT_REGISTERED.about(facts)


def _step(step: Any) -> int | None:
    return None if step is None else int(step)
