"""Names that forms propose for models and published pipelines."""

from __future__ import annotations

import re

MAX_LETTERS = 100


def registry_name(text: str) -> str:
    """Return ``read-handwritten-digits`` for ``Read handwritten digits``."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:MAX_LETTERS]
