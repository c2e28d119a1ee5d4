"""Names of classes: probable duplicates, and labels as text."""

from __future__ import annotations

import math
import numbers
import unicodedata
from collections.abc import Iterable
from typing import Any

from modules.context import Context
from modules.sentences import image_directories as say


def warn_of_near_names(classes: Iterable[str], context: Context) -> None:
    """Warn of classes whose names differ only in case, spaces or underscores."""
    spellings: dict[str, list[str]] = {}
    for name in classes:
        spellings.setdefault(_plain(name), []).append(name)
    near = [names for names in spellings.values() if len(names) > 1]
    if near:
        shown = [say.SPELLINGS_OF_CLASS.about({"names": list(map(repr, names))}) for names in near]
        context.warn(say.CLASSES_NEARLY_ALIKE, names=shown)


def label_text(value: Any) -> str | None:
    """Return a label as text: whole numbers without a point, None if it is missing.

    Raises:
        TypeError: The value is neither a text nor a whole number.
    """
    if isinstance(value, str):
        return value or None
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if type(value).__name__ in ("bool", "bool_"):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        if math.isnan(number):
            return None
        if number.is_integer():  # a missing value turns a column of whole numbers into floats
            return str(int(number))
    raise TypeError(f"{type(value).__name__} {str(value)[:80]}")


def _plain(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().replace("_", " ").split())
