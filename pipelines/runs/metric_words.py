"""Display of metrics: ``Overall_Accuracy`` of 0.983 is Accuracy, 98.3 %.

The editor has the same functions in ``view/metricWords.ts``; ``tests/cases/metrics.json`` tests
both. Exports and programs use the logged names and numbers.
"""

from __future__ import annotations

import math
import re

from modules.formatting import format_number, percent, rounded
from modules.sentences.translation import local_number
from pipelines.sentences import _

_SPECIAL = {
    "overall accuracy": _("Accuracy"),
    "top-1 validation accuracy": _("Validation accuracy"),
    "valid loss": _("Validation loss"),
    "valid error": _("Validation error"),
    "train loss": _("Training loss"),
    "train error": _("Training error"),
    "roc auc ovr": _("ROC AUC"),
    "share of this machine's limit": _("Share of this machine’s limit"),
}
_TIME = "time "
"""Prefix of metrics of the share of a step's time in an activity."""
_COMPARED = "compared "
"""Prefix of the metrics of an evaluation's second input."""
_SHARE = re.compile(r"\b(accuracy|precision|recall|f1|error|share)\b")
_HIGHER = re.compile(r"\b(accuracy|precision|recall|f1|auc|iou|images per second|limit)\b")
_SPEED = re.compile(r"^time |\b(per second|seconds|limit)\b")
_LOWER = re.compile(r"\b(loss|error|seconds)\b")


def metric_words(name: str) -> str:
    """Return ``Overall_Accuracy`` as ``Accuracy``; abbreviations keep their capitals."""
    plain = _plain(name)
    low = plain.lower()
    if low in _SPECIAL:
        return _SPECIAL[low]
    if low.startswith(_COMPARED):
        return _("Compared {metric}", metric=_lowered(metric_words(plain[len(_COMPARED) :])))
    if low.startswith(_TIME):
        return _("Time {activity}", activity=_lowered(plain[len(_TIME) :]))
    words = [word if _is_abbreviation(word) else word.lower() for word in plain.split(" ")]
    text = " ".join(words)
    return text if _is_abbreviation(words[0]) else text[:1].upper() + text[1:]


def metric_text(name: str, value: float | None) -> str:
    """Return a value with its unit: ``98.3 %`` for an accuracy, ``0.412`` for a loss, or a dash."""
    if value is None or not math.isfinite(value):
        return format_number(None)
    if is_share(name) and 0 <= value <= 1:
        return local_number(f"{percent(value):.1f} %")
    return format_number(value)


def difference_text(name: str, difference: float | None) -> str:
    """Return the difference of two values: ``+3.1 points`` for a share, ``-0.24`` for a loss."""
    if difference is None or not math.isfinite(difference):
        return format_number(None)
    if difference == 0:
        return "0"
    if is_share(name):
        return _("{points:+.1f} points", points=100 * difference)
    return local_number(f"{difference:+.3g}")


def displayed(name: str, value: float) -> float:
    """Return a value rounded as ``metric_text`` writes it."""
    if not math.isfinite(value):
        return value
    if is_share(name) and 0 <= value <= 1:
        return percent(value) / 100
    return rounded(value)


def is_duration(name: str) -> bool:
    """Return True for a metric of speed or of time, False for one of quality."""
    return bool(_SPEED.search(_plain(name).lower()))


def is_share(name: str) -> bool:
    """Return True for a share of a whole: 0.983 is 98.3 %."""
    low = _plain(name).lower()
    return bool(_SHARE.search(low)) or low.startswith(_TIME)


def higher_is_better(name: str) -> bool | None:
    """Return the better direction of a metric; None if its name does not show it."""
    low = _plain(name).lower()
    if _LOWER.search(low):
        return False
    return True if _HIGHER.search(low) else None


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def _is_abbreviation(word: str) -> bool:
    """Return True for ``ROC``, ``F1`` and ``OvR``: a capital or a digit after the first letter."""
    return bool(re.search(r"[A-Z0-9]", word[1:]))


def _lowered(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if _is_abbreviation(first) else text[:1].lower() + text[1:]
