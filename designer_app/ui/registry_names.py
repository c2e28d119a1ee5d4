"""Names that forms propose for models, endpoints, published pipelines and schedules."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count

MAX_LETTERS = 100


def registry_name(text: str) -> str:
    """Return ``read-handwritten-digits`` for ``Read handwritten digits``."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:MAX_LETTERS]


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, with the first free number if it is taken: ``birds-2``."""
    if name not in taken:
        return name
    return next(other for number in count(2) if (other := f"{name}-{number}") not in taken)
