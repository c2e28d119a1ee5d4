"""Names that forms propose for models and published pipelines."""

from __future__ import annotations

import re
from collections.abc import Collection

from pipelines.document.edits import free_name

MAX_LETTERS = 100


def proposed_name(text: str, default: str, taken: Collection[str]) -> str:
    """Return ``read-handwritten-digits`` for ``Read handwritten digits``.

    A text without Latin letters and digits, such as a Chinese name, gets ``default`` or its first
    variant ``default-2``, ``default-3`` ... that is not in ``taken``.
    """
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:MAX_LETTERS]
    return name or free_name(taken, default, "-")
